/** A partner that refuses every request alike: one cause, reported by one check; nothing passes or fails by it. */
import { assert, describe, it } from "vitest"
import type { Assertion } from "../../schema/Assertion.ts"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { suiteById } from "../../src/conformance/catalogue/suites.ts"
import { grade } from "../../src/conformance/grading/grade.ts"
import type { Gathered, Observation } from "../../src/conformance/model/Evidence.ts"
import { keptProbe } from "../../src/conformance/modules/credentials/credentials.ts"
import { causeInWords, causesOf } from "../../src/reports/causes.ts"
import { answered, evidenceFrom } from "./support/handmade.ts"

const suite = suiteById("ocpi-2.2.1-cpo-full")!.checks
const lists = ["locations", "sessions", "cdrs", "tariffs"] as const

const refusing = (
  module: string,
  httpStatus = 403,
  operation = "list",
  body = '{"message":"Forbidden"}'
): Observation => ({
  ...answered(module, undefined, {
    operation,
    response: { httpStatus, ocpiStatusCode: null, headers: {}, body, truncated: false }
  }),
  json: JSON.parse(body)
})
const page = (module: string): Observation => answered(module, [], { operation: "list" })
const configured = answered("versions", [], { operation: "list" })

/** What every probe of the checks brought: `list` for the first page of each list, `other` for the rest. */
const gradedOn = (
  ids: ReadonlyArray<string>,
  list: (module: string) => Observation,
  other: (module: string) => Observation
): ReadonlyMap<string, Assertion> => {
  const checks = suite.filter(({ id }) => ids.includes(id))
  const scope = { profile: profileOf("2.2.1"), role: "CPO" } as const
  const gathered: Record<string, Gathered> = {
    versions: { seen: [configured] },
    [keptProbe.id]: { seen: [] },
    "authentication.accepted": { seen: ["tokens", "commands"].map(other) },
    "unknown-ids": { seen: ["locations", "tokens"].map(other) },
    ...Object.fromEntries(
      lists.flatMap((module) => [
        [`${module}.list`, { seen: [list(module)] }],
        [`${module}.crawl`, { withheld: "not_tested", reason: "the first page is no list" }]
      ])
    )
  }
  const evidence = evidenceFrom(gathered)
  return new Map(
    checks.map((check) => [check.id, grade(check, evidence, { scope, profile: "strict", checks })])
  )
}

const ids = [
  "CRED-012",
  "CRED-050",
  "LOC-001",
  "SESS-001",
  "CDR-001",
  "TAR-001",
  "LOC-006",
  "PAGE-001",
  "TRANS-023"
]
const outcomes = (graded: ReadonlyMap<string, Assertion>) =>
  Object.fromEntries([...graded].map(([id, one]) => [id, one.blockedBy?.check ?? one.outcome]))

describe("a partner that refuses every request alike", () => {
  it("has one failed check, which blocks all others, those that its refusals would have passed too", () => {
    const graded = gradedOn(
      ids,
      (module) => refusing(module, 404),
      (module) => refusing(module, 404, "unknown id")
    )
    assert.deepStrictEqual(
      outcomes(graded),
      Object.fromEntries(ids.map((id) => [id, id === "CRED-012" ? "failed" : "CRED-012"]))
    )
    const [cause, ...others] = causesOf([...graded.values()])
    assert.isEmpty(others)
    assert.strictEqual(
      causeInWords(cause!),
      'every request to a functional module was answered HTTP 404; the partner says: "Forbidden"'
    )
    assert.match(cause!.hint ?? "", /URLs in your versions list and version details/)
    assert.lengthOf(cause!.blocked, ids.length - 1)
  })

  it("is not what a partner is with one list that is refused, or with requests that it has to refuse", () => {
    const one = gradedOn(
      ids,
      (module) => (module === "locations" ? refusing(module) : page(module)),
      (module) => refusing(module, 404)
    )
    assert.strictEqual(one.get("LOC-001")?.outcome, "failed")
    assert.strictEqual(one.get("TRANS-023")?.outcome, "passed")
    const none = gradedOn(ids, page, (module) => refusing(module, 404))
    assert.deepStrictEqual(
      ["LOC-001", "SESS-001", "TRANS-023"].map((id) => none.get(id)?.outcome),
      ["passed", "passed", "passed"]
    )
  })

  it("is not what a partner is that says each time something else", () => {
    const graded = gradedOn(
      ids,
      (module) => refusing(module, module === "locations" ? 403 : 500),
      (module) => refusing(module, 404)
    )
    assert.deepStrictEqual(
      ["LOC-001", "SESS-001", "CDR-001", "TAR-001"].map((id) => graded.get(id)?.outcome),
      ["failed", "failed", "failed", "failed"]
    )
  })

  it("is reported by the first list where no check of the token is in the run", () => {
    const graded = gradedOn(
      ["LOC-001", "SESS-001", "TAR-001"],
      (module) => refusing(module),
      (module) => refusing(module)
    )
    assert.deepStrictEqual(outcomes(graded), {
      "LOC-001": "failed",
      "SESS-001": "LOC-001",
      "TAR-001": "LOC-001"
    })
  })
})
