/** The party of the partner's platform that a request is for. */
import { assert, describe, it } from "@effect/vitest"
import { recipientOf } from "../../../src/party/wire/recipientOf.ts"
import type { RoutedCall } from "../../../src/party/wire/routing.ts"
import type { Party } from "../../../src/store/parties/Party.ts"
import { partyWith } from "../../support/parties/parties.ts"
import { answered, called } from "../support/handmade.ts"

const behind = (roles: Readonly<Record<string, string>>): Party => {
  const one = partyWith({ id: "conn_1", role: "EMSP" })
  const parties = Object.entries(roles).map(([partyId, role]) => ({
    role,
    countryCode: "NL",
    partyId,
    name: partyId
  }))
  return { ...one, counterpart: { ...one.counterpart, parties } }
}
const hub = behind({ HUB: "HUB" })
const two = behind({ ONE: "CPO", TWO: "CPO", EMA: "EMSP" })

const of = (party_id: string, object: object) => ({ country_code: "NL", party_id, ...object })
const seen = [
  answered("locations", [of("ONE", { id: "L1" }), of("TWO", { id: "L2" })]),
  answered("tokens", [of("EMA", { uid: "T1" }), of("EMB", { uid: "T2" })]),
  called("PUT", "sessions", "/NL/TWO/S2", of("TWO", { id: "S2" }))
]

const command = (body: object): RoutedCall => ({
  module: "commands",
  interfaceRole: "RECEIVER",
  method: "POST",
  body
})
const sender = (module: string, id: string): RoutedCall => ({
  module,
  interfaceRole: "SENDER",
  method: "GET",
  path: [id]
})

describe("a request to a hub", () => {
  it.each([
    ["a command about a location", command({ location_id: "l2" }), "TWO"],
    ["a command about a session that was pushed", command({ session_id: "S2" }), "TWO"],
    ["one location", sender("locations", "L2"), "TWO"],
    ["a token that is shown", sender("tokens", "T2"), "EMB"],
    ["preferences of a session", sender("sessions", "S2"), "TWO"],
    ["a charging profile", { ...sender("chargingprofiles", "S2"), interfaceRole: "RECEIVER" }, "TWO"]
  ] as const)("is for the owner of the object that it is about: %s", (_, asking, partyId) => {
    assert.strictEqual(recipientOf(hub, asking, () => seen)?.partyId, partyId)
  })

  it("is for the owner of the location at which it was reserved", () => {
    const body = JSON.stringify({ reservation_id: "R1", location_id: "L2" })
    const reserved = answered(
      "commands",
      { result: "ACCEPTED" },
      {
        request: { method: "POST", url: "https://hub.example/c", headers: {}, body, truncated: false }
      }
    )
    const known = () => [...seen, reserved]
    assert.strictEqual(recipientOf(hub, command({ reservation_id: "R1" }), known)?.partyId, "TWO")
    assert.strictEqual(recipientOf(hub, command({ reservation_id: "R2" }), known)?.partyId, "ONE")
  })

  it("is for some party where no object of that id is known", () => {
    assert.strictEqual(recipientOf(hub, command({ session_id: "NO-SUCH" }), () => seen)?.partyId, "ONE")
  })

  it("is for nobody who is known before any object was seen, nor at a URL that the partner gave", () => {
    assert.isUndefined(recipientOf(hub, command({ location_id: "L2" }), () => []))
    assert.isUndefined(
      recipientOf(hub, { ...sender("locations", "L2"), url: "https://hub.example/l" }, () => seen)
    )
  })

  it("is never for us, whose objects it gives back", () => {
    const { countryCode, partyId } = hub.identity
    const ours = answered("tokens", { country_code: countryCode, party_id: partyId, uid: "T9" })
    const asked = recipientOf(hub, command({ session_id: "NO-SUCH" }), () => [ours, ...seen])
    assert.strictEqual(asked?.partyId, "ONE")
  })

  it("is for the party to which an object was sent that one party alone keeps", () => {
    const to = (party_id: string) => ({ "ocpi-to-party-id": party_id, "ocpi-to-country-code": "NL" })
    const put = answered("sessions", undefined, {
      request: {
        method: "PUT",
        url: "https://hub.example/sessions/NL/MSP/S%2F9",
        headers: to("EMB"),
        body: "{}",
        truncated: false
      }
    })
    const posted = answered("cdrs", undefined, {
      request: {
        method: "POST",
        url: "https://hub.example/cdrs",
        headers: to("EMB"),
        body: "{}",
        truncated: false
      },
      response: {
        httpStatus: 201,
        ocpiStatusCode: 1000,
        headers: { location: "/cdrs/9" },
        body: "{}",
        truncated: false
      }
    })
    const receiver = { interfaceRole: "RECEIVER", method: "GET" } as const
    const known = () => [...seen, put, posted]
    const again = { ...receiver, module: "sessions", path: ["NL", "MSP", "S/9"] }
    assert.strictEqual(recipientOf(hub, again, known)?.partyId, "EMB")
    const cdr = { ...receiver, module: "cdrs", url: "https://hub.example/cdrs/9" }
    assert.strictEqual(recipientOf(hub, cdr, known)?.partyId, "EMB")
  })

  it("is for the party whose command has named the URL", () => {
    const url = "https://hub.example/results/1"
    const came = called(
      "POST",
      "commands",
      "/STOP_SESSION",
      { response_url: url, session_id: "S2" },
      {
        request: {
          method: "POST",
          url: "https://us.example/commands",
          headers: { "ocpi-from-party-id": "EMB", "ocpi-from-country-code": "BE" },
          body: "{}",
          truncated: false
        }
      }
    )
    const result: RoutedCall = { module: "commands", interfaceRole: "SENDER", method: "POST", url }
    assert.strictEqual(recipientOf(hub, result, () => [...seen, came])?.partyId, "EMB")
  })
})

describe("a request to a platform of several parties", () => {
  it("is for the owner of the object that it names, and for none where that is not known", () => {
    assert.strictEqual(recipientOf(two, command({ location_id: "L2" }), () => seen)?.partyId, "TWO")
    assert.isUndefined(recipientOf(two, command({ location_id: "L9" }), () => seen))
  })

  it("is for no other than the usual one where it has one of the role", () => {
    const one = behind({ ONE: "CPO", EMA: "EMSP" })
    assert.isUndefined(recipientOf(one, command({ location_id: "L2" }), () => seen))
  })
})
