import { assert, describe, it } from "@effect/vitest"
import { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { RunHistory } from "../../../src/journeys/model/RunHistory.ts"
import { beginSession } from "../../../src/journeys/stages/asCpo/ourChargeStages.ts"
import { listedDriver, partnersToken } from "../../../src/journeys/stages/asCpo/partnerTokens.ts"

const token = {
  country_code: "NL",
  party_id: "EMS",
  uid: "T1",
  type: "RFID",
  contract_id: "NL-EMS-C1",
  valid: true
}

const event = (type: string, response: unknown, stageId = "read-tokens") =>
  ({
    sequence: 1,
    type,
    occurredAt: "2026-01-01T12:00:00.000Z",
    stageId,
    assertions: [],
    exchange: {
      id: `exc_${stageId}`,
      module: "tokens",
      operation: "list",
      request: { method: "GET", url: "https://emsp.example/tokens" },
      response
    }
  }) as unknown as LedgerEvent // as much of an event as is looked at

const listed = (tokens: ReadonlyArray<object>) => [
  event("exchange.intended", null),
  event("exchange.completed", {
    httpStatus: 200,
    body: JSON.stringify({ data: tokens, status_code: 1000 }),
    truncated: false
  })
]

const chosen = (tokens: ReadonlyArray<object>, inputs = {}) =>
  partnersToken({
    runId: RunId.make("run_01890a5dac96774bbcceb302099a8057"),
    createdAt: "2026-01-01T12:00:00.000Z",
    inputs,
    profile: profileOf("2.2.1"),
    us: { countryCode: "DE", partyId: "PFT", name: "plugfest" },
    events: listed(tokens)
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

describe("a session with a card of another party", () => {
  const sent = (httpStatus: number, code: number, card: object): RunHistory => ({
    runId: RunId.make("run_01890a5dac96774bbcceb302099a8057"),
    createdAt: "2026-01-01T12:00:00.000Z",
    inputs: {},
    profile: profileOf("2.2.1"),
    us: { countryCode: "DE", partyId: "PFT", name: "plugfest" },
    them: { countryCode: "NL", partyId: "EMS" },
    events: [
      ...listed([card]),
      event("exchange.intended", null, "begin-session"),
      event(
        "exchange.completed",
        {
          httpStatus,
          ocpiStatusCode: code,
          body: JSON.stringify({ status_code: code }),
          truncated: false
        },
        "begin-session"
      )
    ]
  })
  const { expect, stopsIf } = beginSession({
    place: () => assert.fail("no place is looked at"),
    authorized: listedDriver,
    instants: () => [0, 1],
    kwh: 1
  })
  const judged = (history: RunHistory) => expect[0]!.judge(history)
  const roaming = { ...token, party_id: "ROA" }

  it("may be refused where the partner lists none of its own, and ends the run", () => {
    const refused = sent(200, 2004, roaming)
    assert.deepInclude(judged(refused), {
      notTested:
        "The request names a listed token of NL-ROA, and the partner is NL-EMS: add a valid RFID token of the partner's own to its list"
    })
    assert.match(stopsIf?.(refused) ?? "", /NL-ROA/)
  })

  it("is the partner's finding with a card of its own, or where it falls over", () => {
    assert.hasAnyKeys(judged(sent(200, 2004, token)), ["message"])
    assert.hasAnyKeys(judged(sent(500, 3000, roaming)), ["message"])
    assert.isString(stopsIf?.(sent(200, 2004, token)))
  })

  it("passes where it is taken", () => {
    assert.isUndefined(judged(sent(200, 1000, roaming)))
    assert.isUndefined(stopsIf?.(sent(200, 1000, roaming)))
  })
})
