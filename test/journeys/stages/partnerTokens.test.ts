import { assert, describe, it } from "@effect/vitest"
import { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { partnersToken } from "../../../src/journeys/stages/asCpo/partnerTokens.ts"

const token = {
  country_code: "NL",
  party_id: "EMS",
  uid: "T1",
  type: "RFID",
  contract_id: "NL-EMS-C1",
  valid: true
}

const event = (type: string, response: unknown) =>
  ({
    sequence: 1,
    type,
    occurredAt: "2026-01-01T12:00:00.000Z",
    stageId: "read-tokens",
    assertions: [],
    exchange: { id: "exc_1", request: { method: "GET", url: "https://emsp.example/tokens" }, response }
  }) as unknown as LedgerEvent // as much of an event as is looked at

const chosen = (tokens: ReadonlyArray<object>, inputs = {}) =>
  partnersToken({
    runId: RunId.make("run_01890a5dac96774bbcceb302099a8057"),
    createdAt: "2026-01-01T12:00:00.000Z",
    inputs,
    profile: profileOf("2.2.1"),
    us: { countryCode: "DE", partyId: "PFT", name: "plugfest" },
    events: [
      event("exchange.intended", null),
      event("exchange.completed", {
        httpStatus: 200,
        body: JSON.stringify({ data: tokens, status_code: 1000 }),
        truncated: false
      })
    ]
  })?.["uid"]

describe("the token that a journey charges with", () => {
  const { contract_id: _, ...unnamed } = token
  it("is one that a session can name", () => {
    assert.strictEqual(chosen([unnamed, { ...token, uid: "T2" }]), "T2")
    assert.isUndefined(chosen([unnamed]))
  })

  it("is the one of the order, whatever it is", () =>
    assert.strictEqual(chosen([{ ...token, uid: "T2" }, unnamed], { tokenUid: "T1" }), "T1"))
})
