/** Objects that refer to those of another list, which was read at another moment. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../../src/conformance/grading/grade.ts"
import { evidenceOf, honest, location, now, type Partner } from "../../support/honestPartner.ts"

const scope = { profile: profileOf("2.2.1"), role: "CPO" } as const
const check = (id: string) => allChecks.find((one) => one.id === id)!

const session = (id: string, place: string, change: Record<string, unknown> = {}) => ({
  country_code: "NL",
  party_id: "TST",
  id,
  start_date_time: "2026-06-01T11:00:00Z",
  kwh: 1,
  cdr_token: { country_code: "NL", party_id: "PLG", uid: "U1", type: "RFID", contract_id: "NL-PLG-C1" },
  auth_method: "WHITELIST",
  location_id: place,
  evse_uid: `${place}-1`,
  connector_id: "1",
  currency: "EUR",
  status: "ACTIVE",
  last_updated: "2026-06-01T11:30:00Z",
  ...change
})

/** Serves these lists whole; `nth` counts the readings of locations, from 1. */
const serving = (
  lists: Readonly<Record<string, (nth: number) => ReadonlyArray<object>>>
): { readonly partner: Partner; readonly readings: () => number } => {
  let nth = 0
  const partner: Partner = (req) => {
    const res = honest(req)
    const module = req.url.pathname.split("/").at(-1) ?? ""
    if (typeof res === "string" || lists[module] === undefined) return res
    if (module === "locations") nth += 1
    const { link: _, ...headers } = res.headers
    const data = lists[module](nth)
    return {
      ...res,
      headers: { ...headers, "x-total-count": String(data.length) },
      body: { ...res.body, data }
    }
  }
  return { partner, readings: () => nth }
}

const outcome = (id: string, partner: Partner) =>
  Effect.map(evidenceOf(partner, check(id).needs(scope)), (evidence) =>
    grade(check(id), evidence, { scope, profile: "strict" })
  )

const used = (place: string, status: string, last_updated = "2026-05-01T00:00:00Z") => {
  const whole = location(place, 1)
  return { ...whole, evses: whole.evses.map((evse) => ({ ...evse, status, last_updated })) }
}

describe("a session at a location that was not in the list", () => {
  it.effect("is no fault when the location has come meanwhile", () =>
    Effect.gen(function* () {
      const { partner, readings } = serving({
        sessions: () => [session("S1", "NEW")],
        locations: (nth) => (nth === 1 ? [location("A", 1)] : [location("A", 1), location("NEW", 2)])
      })
      assert.strictEqual((yield* outcome("SESS-010", partner)).outcome, "passed")
      assert.strictEqual(readings(), 2)
    })
  )

  it.effect("is one when the location does not come, and nothing is read again where all is listed", () =>
    Effect.gen(function* () {
      const missing = serving({ sessions: () => [session("S1", "NEW")], locations: () => [location("A", 1)] })
      assert.strictEqual((yield* outcome("SESS-010", missing.partner)).outcome, "warned")
      const fine = serving({ sessions: () => [session("S1", "A")], locations: () => [location("A", 1)] })
      assert.strictEqual((yield* outcome("SESS-010", fine.partner)).outcome, "passed")
      assert.strictEqual(fine.readings(), 1)
    })
  )
})

describe("an EVSE with an ACTIVE session", () => {
  const at = (sessions: ReadonlyArray<object>, places: (nth: number) => ReadonlyArray<object>) =>
    Effect.map(
      outcome("SESS-016", serving({ sessions: () => sessions, locations: places }).partner),
      ({ outcome }) => outcome
    )

  it.effect("may have been free when the locations were read, before the session began", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* at([session("S1", "A")], (nth) => [used("A", nth === 1 ? "AVAILABLE" : "CHARGING")]),
        "passed"
      )
      // Free again since the session was read.
      assert.strictEqual(
        yield* at([session("S1", "A")], () => [used("A", "AVAILABLE", "2026-06-01T12:00:05Z")]),
        "passed"
      )
      // The status follows its session.
      assert.strictEqual(
        yield* at([session("S1", "A", { start_date_time: now })], () => [used("A", "AVAILABLE")]),
        "passed"
      )
    })
  )

  it.effect("must not be free all the time", () =>
    Effect.map(
      at([session("S1", "A")], () => [used("A", "AVAILABLE")]),
      (is) => assert.strictEqual(is, "warned")
    )
  )
})
