/** The party behind a hub that a request of a run is for. */
import { assert, describe, it } from "@effect/vitest"
import type { ProbeRequest } from "../../../src/conformance/model/Probe.ts"
import { recipientOf } from "../../../src/conformance/run/recipientOf.ts"
import { answered, called } from "../support/handmade.ts"

const of = (party_id: string, object: object) => ({ country_code: "NL", party_id, ...object })
const seen = [
  answered("locations", [of("ONE", { id: "L1" }), of("TWO", { id: "L2" })]),
  answered("tokens", [of("EMA", { uid: "T1" }), of("EMB", { uid: "T2" })]),
  called("PUT", "sessions", "/NL/TWO/S2", of("TWO", { id: "S2" }))
]

const command = (body: object): ProbeRequest => ({
  module: "commands",
  interfaceRole: "RECEIVER",
  operation: "command",
  method: "POST",
  body
})
const sender = (module: string, id: string): ProbeRequest => ({
  module,
  interfaceRole: "SENDER",
  operation: "one",
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
    assert.strictEqual(recipientOf(asking, seen)?.partyId, partyId)
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
    assert.strictEqual(recipientOf(command({ reservation_id: "R1" }), [...seen, reserved])?.partyId, "TWO")
    assert.strictEqual(recipientOf(command({ reservation_id: "R2" }), [...seen, reserved])?.partyId, "ONE")
  })

  it("is for some party where no object of that id is known", () => {
    assert.strictEqual(recipientOf(command({ session_id: "NO-SUCH" }), seen)?.partyId, "ONE")
  })

  it("is for nobody who is known before any object was seen, nor at a URL that the partner gave", () => {
    assert.isUndefined(recipientOf(command({ location_id: "L2" }), []))
    assert.isUndefined(recipientOf({ ...sender("locations", "L2"), url: "https://hub.example/l" }, seen))
  })
})
