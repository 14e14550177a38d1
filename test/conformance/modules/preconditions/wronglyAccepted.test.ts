/**
 * A valid request has to be accepted before a refusal proves a rule. That what is wrong is accepted breaks the rule without it: a
 * partner that refuses the valid request and accepts the wrong one is told so.
 */
import { assert, describe, it } from "vitest"
import type { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import { profileOf, versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../../src/conformance/grading/grade.ts"
import type { Check, Precondition, SuiteScope } from "../../../../src/conformance/model/Check.ts"
import type { Observation } from "../../../../src/conformance/model/Evidence.ts"
import { bothRoles } from "../../../../src/sandbox/faults/Fault.ts"
import { answered, evidenceFrom } from "../../support/handmade.ts"

type OfAnswer = Extract<Precondition, { readonly answers: string }>

/** What makes a request wrong there is what was answered before it: an end of the registration that was refused has not come. */
const byWhatCameBefore = /^CRED-/

/** An answer to a step; the word of a command is as of one that was accepted. */
const answer = (module: string, step: string, httpStatus: number): Observation => ({
  ...answered(module, undefined, {
    id: `exc_${step}`,
    operation: step,
    request: {
      method: "PUT",
      url: `https://cpo.example/ocpi/2.2.1/${module}/${step.split("#")[0]}`,
      headers: {},
      body: "{}",
      truncated: false
    },
    response: { httpStatus, ocpiStatusCode: null, headers: {}, body: "{}", truncated: false }
  }),
  json: httpStatus < 300 ? { status_code: 1000, data: { result: "ACCEPTED" } } : { status_code: 2001 }
})

/** All that the check looks at is accepted, but for the valid requests that its refusals need. */
const turnedRound = (check: Check, valid: ReadonlyArray<OfAnswer>, scope: SuiteScope) => {
  const steps = [...check.needs(scope), ...(check.ifGathered?.(scope) ?? [])]
  return evidenceFrom(
    Object.fromEntries([
      ...steps.map((step) => [step, [answer(check.module, step, 200)]]),
      ...valid.map(({ answers }) => [answers, [answer(check.module, answers, 400)]])
    ]),
    scope.profile.version
  )
}

/** Checks by which something wrong was accepted, and whether they tell of it: `SESS-109 failed`. */
const toldIn = (version: OcpiVersion, role: Role): ReadonlyArray<string> => {
  const scope: SuiteScope = { profile: profileOf(version), role }
  return allChecks
    .filter(
      ({ id, roles, versions }) =>
        versions.includes(version) && roles.includes(role) && !byWhatCameBefore.test(id)
    )
    .flatMap((check) => {
      const valid = (check.requires?.(scope) ?? []).filter((one): one is OfAnswer => "answers" in one)
      if (valid.length === 0) return []
      const evidence = turnedRound(check, valid, scope)
      const judgement = check.judge(evidence)
      const findings = judgement.is === "fail" ? judgement.findings : []
      // A request that is to be refused, and the answer to it.
      const isAccepted = findings.some(
        ({ expected = "", message }) =>
          /was answered (HTTP 200|ACCEPTED)/.test(message) && !/1000|HTTP 2\d\d/.test(expected)
      )
      return isAccepted ? [`${check.id} ${grade(check, evidence, { scope, profile: "strict" }).outcome}`] : []
    })
}

describe("a partner that refuses what is valid and accepts what is wrong", () => {
  it.each(versionNumbers.flatMap((version) => bothRoles.map((role) => [version, role] as const)))(
    "is told of each wrong request, in %s as %s",
    (version, role) => {
      const told = toldIn(version, role)
      assert.isAbove(told.length, 3)
      assert.deepStrictEqual(
        told.filter((one) => !/ (failed|warned)$/.test(one)),
        []
      )
    }
  )
})
