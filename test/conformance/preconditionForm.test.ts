/**
 * A check that cannot be judged because of an answer of the partner names that answer as data (`requires`, `blocked`, `withheldBy`),
 * so that it counts as open and the report groups it under its cause: never in a sentence alone.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { allChecks } from "../../src/conformance/catalogue/suites.ts"
import { grade } from "../../src/conformance/grading/grade.ts"
import { probesFor, type SuiteScope } from "../../src/conformance/model/Check.ts"
import { answered, evidenceFrom } from "./support/handmade.ts"

const modules = "src/conformance/modules"

/** What a sentence says that is about an answer of the partner, or about the check that reports it. */
const ofAnAnswer =
  /legsOf\(|statusLine\(|\brefuse[sd]?\b|\bwas answered (?!nothing)|\baccept(s|ed)?\b|\bcannot be read\b|\bno Command\w+|[A-Z]{2,5}-\d{3}/

/** From the opening bracket to the one that closes it. */
const callAt = (text: string, start: number): string => {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    depth += text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0
    if (depth === 0) return text.slice(start, at + 1)
  }
  return text.slice(start)
}

/** The reasons for `not_tested` that tell of an answer. */
const told = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\b(?:inconclusive|withheld)(?=\(\s*"not_tested")/g)]
    .map(({ 0: name, index }) => callAt(text, index + name.length))
    .filter((call) => ofAnAnswer.test(call))

describe("reasons for not_tested in the modules", () => {
  it("tell of no answer of the partner: such a reason is data", () => {
    const files = readdirSync(modules, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts")
    )
    assert.isAbove(files.length, 100)
    assert.deepStrictEqual(
      files.flatMap((name) =>
        told(readFileSync(join(modules, name), "utf8")).map((call) => `${name}: ${call}`)
      ),
      []
    )
  })

  it("are found in each form", () => {
    for (const call of [
      'inconclusive("not_tested", legsOf(evidence, started))',
      'inconclusive(\n  "not_tested",\n  "the partner did not accept that (a party) is OFFLINE"\n)',
      'withheld("not_tested", "Token A was refused: CRED-026 tells of it")',
      'inconclusive("not_tested", "the object cannot be read back")'
    ])
      assert.lengthOf(told(`return ${call}`), 1, call)
    assert.isEmpty(told('inconclusive("not_tested", "there was no ACTIVE session (of ours)")'))
    assert.isEmpty(told('inconclusive("unobservable", "no command was accepted")'))
  })
})

describe("a check that follows from an answer of the partner", () => {
  const command = (id: string, httpStatus: number, data: unknown) => {
    const seen = answered("commands", data, {
      id,
      operation: "START_SESSION",
      response: { httpStatus, ocpiStatusCode: null, headers: {}, body: "{}", truncated: false }
    })
    return httpStatus < 300 ? seen : { ...seen, json: { status_code: 2000 } }
  }
  const started = (httpStatus: number, result: string) => ({
    "commands.start#start": [command("exc_start", httpStatus, { result, timeout: 30 })]
  })
  const put = (id: string, httpStatus: number) => ({
    [id]: [command("exc_put", httpStatus, { token: "t" })]
  })
  const scope: SuiteScope = { profile: profileOf("2.2.1"), role: "CPO" }
  /** Graded with these answers; every other probe that the check needs has brought nothing. */
  const blockedBy = (id: string, gathered: Parameters<typeof evidenceFrom>[0]) => {
    const check = allChecks.find((one) => one.id === id)!
    const empty = Object.fromEntries(probesFor(check, scope).map((one) => [one, []]))
    const graded = grade(check, evidenceFrom({ ...empty, ...gathered }), { scope, profile: "strict" })
    return [graded.outcome, graded.blockedBy?.check, graded.blockedBy?.exchangeId]
  }

  it("is blocked by it: by the check that reports it, where one does, and by the exchange", () => {
    const refused = started(404, "")
    assert.deepStrictEqual(blockedBy("CMD-004", refused), ["not_tested", "CMD-001", "exc_start"])
    const rejected = started(200, "REJECTED")
    assert.deepStrictEqual(blockedBy("CMD-004", rejected), ["not_tested", undefined, "exc_start"])
    assert.deepStrictEqual(blockedBy("CMD-021", rejected), ["not_tested", undefined, "exc_start"])
    const unheard = started(200, "ACCEPTED")
    assert.deepStrictEqual(blockedBy("CMD-021", unheard), ["not_tested", "CMD-004", "exc_start"])
    const renewed = put("credentials.renewed#put", 405)
    assert.deepStrictEqual(blockedBy("CRED-031", renewed), ["not_tested", undefined, "exc_put"])
    const rotated = put("credentials.rotate#put", 405)
    assert.deepStrictEqual(blockedBy("CRED-029", rotated), ["not_tested", "CRED-027", "exc_put"])
    const ended = put("credentials.end#delete", 500)
    assert.deepStrictEqual(blockedBy("CRED-037", ended), ["not_tested", "CRED-035", "exc_put"])
  })
})
