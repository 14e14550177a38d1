/** What a check finds is named by what is wrong, and by that check alone whose rule it is. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import { probesFor } from "../../../src/conformance/model/Check.ts"
import type { Observation } from "../../../src/conformance/model/Evidence.ts"
import { chargingCalls } from "../../../src/conformance/modules/charge/chargingCalls.ts"
import { isResultOf } from "../../../src/conformance/modules/shared/stepAnswers.ts"
import { answered, called, evidenceFrom } from "../support/handmade.ts"
import { evidenceOf, honest, location, now, type Partner } from "../support/honestPartner.ts"

type Seen = Readonly<Record<string, ReadonlyArray<Observation>>>
const scope = { profile: profileOf("2.2.1"), role: "CPO" } as const
const graded = (id: string, seen: Seen) =>
  grade(allChecks.find((check) => check.id === id)!, evidenceFrom(seen), {
    scope,
    profile: "strict",
    checks: allChecks
  })
const told = ({ blockedBy, outcome }: ReturnType<typeof graded>) =>
  blockedBy === undefined ? outcome : `${outcome} ${blockedBy.check}`

/** An answer with that HTTP status and code. */
const refused = (module: string, httpStatus: number, status_code: number): Observation => {
  const seen = answered(module, null, {
    response: { httpStatus, ocpiStatusCode: status_code, headers: {}, body: "{}", truncated: false }
  })
  return { ...seen, json: { status_code, timestamp: now } }
}

describe("a token that cannot be read back at all", () => {
  const story = (asSent: Observation, upper: Observation) => ({
    "tokens.case#put": [answered("tokens", null)],
    "tokens.case#read back": [asSent],
    "tokens.case#read upper": [upper]
  })
  const [found, lost] = [answered("tokens", { uid: "MiXed" }), refused("tokens", 404, 2004)]

  it("says nothing about the case of its uid", () => {
    assert.strictEqual(graded("TOK-109", story(lost, lost)).outcome, "not_tested")
    assert.strictEqual(graded("TOK-109", story(found, lost)).outcome, "failed")
    assert.strictEqual(graded("TOK-109", story(found, found)).outcome, "passed")
  })
})

describe("last_updated of a location that is no DateTime", () => {
  const story = (last_updated: string) => ({
    "locations.list": [answered("locations", [location("A", 1)])],
    "locations.crawl": [],
    inbound: [called("PATCH", "locations", "/NL/TST/A/A-1", { status: "CHARGING", last_updated: now })],
    "locations.after": [answered("locations", [{ ...location("A", 1), last_updated }])]
  })

  it("is before nothing", () => {
    assert.strictEqual(told(graded("LOC-045", story(`${now}.123Z`))), "not_tested LOC-002")
    assert.strictEqual(graded("LOC-045", story("2026-01-01T00:00:00Z")).outcome, "failed")
    assert.strictEqual(graded("LOC-045", story(now)).outcome, "passed")
  })
})
