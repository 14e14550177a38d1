/** A partner that refuses connections for a while, as one that starts anew: what it did not do then is not held against it. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import type { Gathered, Observation } from "../../../src/conformance/model/Evidence.ts"
import { answered, evidenceFrom } from "../support/handmade.ts"
import { party } from "../support/honestPartner.ts"

const graded = (id: string, seen: Readonly<Record<string, ReadonlyArray<Observation> | Gathered>>) =>
  grade(allChecks.find((check) => check.id === id)!, evidenceFrom(seen, "2.2.1", party), {
    scope: { profile: profileOf("2.2.1"), role: "CPO" },
    profile: "strict",
    checks: allChecks
  })

const accepted = (module: string, method = "POST") => {
  const seen = answered(module, { result: "ACCEPTED", timeout: 30 })
  const request = { ...seen.exchange.request, method, body: "{}" }
  return { ...seen, exchange: { ...seen.exchange, request } }
}
/** As `answered`, with a connection that is refused. */
const refused = (module: string): Observation => {
  const { exchange } = answered(module, null, {
    response: null,
    outcome: "connect_failed" as never,
    fault: { kind: "refused", message: "ECONNREFUSED" }
  })
  return { exchange, json: undefined, about: "" }
}
const nothing: Gathered = { withheld: "unobservable", reason: "no result came" }
const over: Gathered = {
  withheld: "not_tested",
  reason: "GET chargingprofile before it was not answered",
  attribution: "network"
}

describe("a charging profile whose CPO is away for a while", () => {
  const start = { "chargingprofiles.set#start": [accepted("commands")], "chargingprofiles.calls": [] }
  const asked = accepted("chargingprofiles", "GET")

  it("is not judged by steps that were not taken any more, and nobody is accused", () => {
    const set = "chargingprofiles.set#set"
    for (const [id, step] of [
      ["CP-002", "set"],
      ["CP-004", "read"],
      ["CP-006", "clear"],
      ["CP-009", "set late"]
    ] as const) {
      const at = `chargingprofiles.set#${step}`
      const { attribution, outcome, reason } = graded(id, {
        ...start,
        [set]: over,
        [`${set} result`]: over,
        [at]: over,
        [`${at} result`]: over
      })
      assert.deepStrictEqual([id, outcome, attribution], [id, "not_tested", "network"])
      assert.include(reason, "before it was not answered")
    }
  })

  it.each([
    ["CP-002", "set"],
    ["CP-004", "read"]
  ])("may have lost what it accepted: %s", (id, step) => {
    const at = `chargingprofiles.set#${step}`
    const seen = { ...start, [at]: [asked], [`${at} result`]: nothing }
    assert.strictEqual(graded(id, { ...seen, "chargingprofiles.set": [asked] }).outcome, "failed")
    const away = graded(id, { ...seen, "chargingprofiles.set": [asked, refused("chargingprofiles")] })
    assert.deepStrictEqual([away.outcome, away.attribution], ["not_tested", "network"])
    assert.include(away.reason, "refused the connection")
  })
})

describe("a command whose CPO is away for a while", () => {
  it("may have lost what it accepted", () => {
    const start = allChecks
      .find(({ id }) => id === "CMD-004")!
      .needs({ profile: profileOf("2.2.1"), role: "CPO" })[0]!
    const command = accepted("commands")
    const seen = { [start]: [command], [`${start} result`]: nothing }
    const probe = start.split("#")[0]!
    assert.strictEqual(graded("CMD-004", { ...seen, [probe]: [command] }).outcome, "failed")
    const away = graded("CMD-004", { ...seen, [probe]: [command, refused("commands")] })
    assert.deepStrictEqual([away.outcome, away.attribution], ["not_tested", "network"])
  })
})
