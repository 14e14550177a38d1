import { assert, describe, it } from "@effect/vitest"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { RunHistory } from "../../../src/journeys/model/RunHistory.ts"
import { beginSession } from "../../../src/journeys/stages/asCpo/ourChargeStages.ts"
import { listedDriver, partnersToken, readTokens } from "../../../src/journeys/stages/asCpo/partnerTokens.ts"
import { historyOf, partner } from "../support/history.ts"

const token = {
  country_code: "NL",
  party_id: "EMS",
  uid: "T1",
  type: "RFID",
  contract_id: "NL-EMS-C1",
  issuer: "An EMSP",
  whitelist: "ALWAYS",
  last_updated: "2026-01-01T00:00:00Z",
  valid: true
}

const event = (type: string, response: unknown, stageId = "read-tokens", page = 1) =>
  ({
    sequence: 1,
    type,
    occurredAt: "2026-01-01T12:00:00.000Z",
    stageId,
    assertions: [],
    exchange: {
      id: `exc_${stageId}_${page}`,
      module: "tokens",
      operation: "list",
      request: { method: "GET", url: `https://emsp.example/tokens?page=${page}` },
      response
    }
  }) as unknown as LedgerEvent // as much of an event as is looked at

const pageOf = (tokens: ReadonlyArray<object>, page: number, goesOn: boolean) => [
  event("exchange.intended", null, "read-tokens", page),
  event(
    "exchange.completed",
    {
      httpStatus: 200,
      ocpiStatusCode: 1000,
      headers: goesOn ? { link: `<https://emsp.example/tokens?page=${page + 1}>; rel="next"` } : {},
      body: JSON.stringify({ data: tokens, status_code: 1000 }),
      truncated: false
    },
    "read-tokens",
    page
  )
]

const listed = (tokens: ReadonlyArray<object>) => pageOf(tokens, 1, false)

const given = (events: ReadonlyArray<LedgerEvent>, inputs = {}) =>
  historyOf(events, { inputs, them: partner })

const chosen = (tokens: ReadonlyArray<object>, inputs = {}) =>
  partnersToken(given(listed(tokens), inputs))?.["uid"]

describe("the token that a journey charges with", () => {
  const { contract_id: _, ...unnamed } = token
  it("is one that a session can name", () => {
    assert.strictEqual(chosen([unnamed, { ...token, uid: "T2" }]), "T2")
    assert.isUndefined(chosen([unnamed]))
  })

  it("is the one of the order, whatever it is", () =>
    assert.strictEqual(chosen([{ ...token, uid: "T2" }, unnamed], { tokenUid: "T1" }), "T1"))
})

describe("a list of tokens with several pages", () => {
  const { act, expect, stopsIf } = readTokens()
  const readsOn = (history: RunHistory) => act.act === "exchange" && act.readsOn?.(history)
  const valid = (history: RunHistory) => expect.find(({ id }) => id === "read-tokens.valid")!.judge(history)
  const first = pageOf([{ ...token, party_id: "ROA" }], 1, true)
  const second = pageOf([{ ...token, uid: "T2" }], 2, true)

  it("is read until it has the token of the order, or a card of the partner's own", () => {
    assert.isTrue(readsOn(given(first)))
    assert.isFalse(readsOn(given([...first, ...second])))
    assert.strictEqual(partnersToken(given([...first, ...second]))?.["uid"], "T2")
    assert.isFalse(readsOn(given(first, { tokenUid: "T1" })))
    assert.isTrue(readsOn(given(first, { tokenUid: "T2" })))
    assert.strictEqual(partnersToken(given([...first, ...second], { tokenUid: "T2" }))?.["uid"], "T2")
  })

  it("is not said to lack a token where it goes on after the pages that were read", () => {
    const history = given([...first, ...second], { tokenUid: "T9" })
    const reason = String(stopsIf?.(history))
    assert.match(reason, /^Token T9 is not on the 2 pages of the partner's list that were read/)
    assert.deepStrictEqual(valid(history), { unobservable: reason })
    const whole = given([...first, ...pageOf([], 2, false)], { tokenUid: "T9" })
    assert.match(String(stopsIf?.(whole)), /^The partner's list has no token T9/)
  })
})

describe("the answer to GET tokens", () => {
  const answer = (httpStatus: number, data: unknown) => [
    event("exchange.intended", null),
    event("exchange.completed", {
      httpStatus,
      ocpiStatusCode: httpStatus === 200 ? 1000 : 3000,
      headers: {},
      body: JSON.stringify({ data, status_code: httpStatus === 200 ? 1000 : 3000 }),
      truncated: false
    })
  ]
  const judged = (id: string, history: RunHistory) =>
    readTokens(false)
      .expect.find((rule) => rule.id === `read-tokens.${id}`)!
      .judge(history)

  it("is a list, or the rule that asks for one is broken", () => {
    assert.deepInclude(judged("answered", given(answer(200, { items: [] }))), {
      message: "data of the answer is not a list",
      actual: "a JSON object"
    })
    assert.deepInclude(judged("answered", given(answer(200, null))), { actual: "null" })
    assert.isUndefined(judged("answered", given(answer(200, []))))
  })

  it("is said to have no tokens only where it is a list", () => {
    assert.deepStrictEqual(judged("valid", given(answer(200, []))), {
      notTested: "The partner lists no tokens"
    })
    assert.deepStrictEqual(judged("valid", given(answer(500, undefined))), {
      notTested: "The partner's list of tokens could not be read"
    })
  })
})

describe("a session with a card of another party", () => {
  const sent = (httpStatus: number, code: number, card: object): RunHistory =>
    given([
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
    ])
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
    assert.match(String(stopsIf?.(refused)), /NL-ROA/)
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
