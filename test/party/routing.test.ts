/** Whom the requests to a partner name in OCPI-to: a hub speaks for parties that its credentials need not name. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { callRouting, type RoutedCall } from "../../src/party/wire/routing.ts"
import { partyWith } from "../support/parties/parties.ts"

const named = (role: string, partyId: string) => ({ role, countryCode: "NL", partyId, name: partyId })
const behind = (...parties: ReadonlyArray<ReturnType<typeof named>>) => {
  const one = partyWith({ id: "conn_1", role: "EMSP" })
  return { ...one, counterpart: { ...one.counterpart, role: "CPO" as const, parties } }
}
const hub = behind(named("HUB", "HUB"))

const call = (
  method: RoutedCall["method"],
  module: string,
  interfaceRole: RoutedCall["interfaceRole"],
  more: Partial<RoutedCall> = {}
): RoutedCall => ({ method, module, interfaceRole, ...more })

const to = (party: typeof hub, asked: RoutedCall) =>
  callRouting(profileOf("2.2.1"), party, asked)["OCPI-to-party-id"]

describe("a hub", () => {
  it.each([
    ["a list of all parties", call("GET", "locations", "SENDER")],
    ["the next page of it", call("GET", "locations", "SENDER", { url: "https://hub.example/l?offset=9" })],
    ["a token for all CPOs", call("PUT", "tokens", "RECEIVER", { path: ["NL", "PLG", "T1"] })],
    ["a changed token", call("PATCH", "tokens", "RECEIVER", { path: ["NL", "PLG", "T1"] })]
  ])("is addressed itself: %s", (_, asked) => {
    assert.strictEqual(to(hub, asked), "HUB")
  })

  it.each([
    [
      "a command",
      call("POST", "commands", "RECEIVER", { path: ["START_SESSION"], body: { location_id: "L1" } })
    ],
    ["a charging profile", call("PUT", "chargingprofiles", "RECEIVER", { path: ["S1"] })],
    ["charging preferences", call("PUT", "sessions", "SENDER", { path: ["S1", "charging_preferences"] })],
    ["one object", call("GET", "locations", "SENDER", { path: ["L1"] })],
    ["an object that it has received", call("GET", "tokens", "RECEIVER", { path: ["NL", "PLG", "T1"] })],
    ["a token that is shown", call("POST", "tokens", "SENDER", { path: ["T1", "authorize"] })],
    ["a changed session", call("PATCH", "sessions", "RECEIVER", { path: ["NL", "PLG", "S1"] })]
  ])("finds the party itself, of %s", (_, asked) => {
    const headers = callRouting(profileOf("2.2.1"), hub, asked)
    assert.deepStrictEqual(Object.keys(headers).sort(), ["OCPI-from-country-code", "OCPI-from-party-id"])
  })

  it.each([
    call("PUT", "sessions", "RECEIVER", {
      path: ["NL", "PLG", "S1"],
      body: { cdr_token: { country_code: "BE", party_id: "EMB", uid: "T1" } }
    }),
    call("POST", "cdrs", "RECEIVER", {
      body: { cdr_token: { country_code: "BE", party_id: "EMB", uid: "T1" } }
    })
  ])("passes what is for one EMSP to that EMSP", (asked) => {
    assert.strictEqual(to(hub, asked), "EMB")
  })

  it("is passed over where the party that a request is for is known", () => {
    const recipient = { countryCode: "DE", partyId: "TWO" }
    assert.strictEqual(
      to(hub, call("POST", "commands", "RECEIVER", { path: ["STOP_SESSION"], recipient })),
      "TWO"
    )
    assert.strictEqual(to(hub, call("GET", "locations", "SENDER", { recipient })), "HUB")
  })

  it("is not addressed where it names a party of the expected role", () => {
    const parties = behind(named("EMSP", "EMA"), named("CPO", "ONE"), named("HUB", "HUB"))
    assert.strictEqual(to(parties, call("POST", "commands", "RECEIVER", { path: ["START_SESSION"] })), "ONE")
  })

  it("is addressed before a party of another role", () => {
    const parties = behind(named("EMSP", "EMA"), named("HUB", "HUB"))
    assert.strictEqual(to(parties, call("GET", "locations", "SENDER")), "HUB")
  })
})

describe("a platform that is no hub", () => {
  const two = behind(named("EMSP", "EMA"), named("CPO", "ONE"), named("CPO", "TWO"))

  it("is addressed by its party of the expected role where no other one is meant", () => {
    assert.strictEqual(to(two, call("POST", "commands", "RECEIVER", { path: ["START_SESSION"] })), "ONE")
    const recipient = { countryCode: "NL", partyId: "XXX" }
    assert.strictEqual(to(two, call("POST", "commands", "RECEIVER", { recipient })), "ONE")
    assert.strictEqual(to(two, call("GET", "locations", "SENDER", { recipient })), "ONE")
  })

  it("is addressed by the party that is meant, of those that it names", () => {
    const body = { cdr_token: { country_code: "NL", party_id: "TWO" } }
    assert.strictEqual(
      to(two, call("PUT", "sessions", "RECEIVER", { path: ["NL", "PLG", "S1"], body })),
      "TWO"
    )
    const recipient = { countryCode: "NL", partyId: "TWO" }
    assert.strictEqual(to(two, call("POST", "commands", "RECEIVER", { recipient })), "TWO")
    assert.strictEqual(to(two, call("GET", "locations", "SENDER", { recipient })), "TWO")
  })
})
