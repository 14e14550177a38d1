/** What a journey says of a partner whose list has more pages than were read. */
import { assert, describe, it } from "@effect/vitest"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { JourneyStage } from "../../../src/journeys/model/JourneyTemplate.ts"
import type { RunHistory } from "../../../src/journeys/model/RunHistory.ts"
import { readLocations } from "../../../src/journeys/stages/asEmsp/preparation.ts"
import { readCdrs, readSessions } from "../../../src/journeys/stages/asEmsp/reconciliation.ts"
import { tokenUidOf } from "../../../src/journeys/stages/charge/driver.ts"
import { chosenPlace } from "../../../src/journeys/stages/charge/place.ts"
import { authorizeToken } from "../../../src/journeys/templates/asCpo/authorizeToken.ts"
import { tokenPush } from "../../../src/journeys/templates/asCpo/tokenPush.ts"
import { tokenSync } from "../../../src/journeys/templates/asCpo/tokenSync.ts"
import { syncAfterAbsence } from "../../../src/journeys/templates/asEmsp/syncAfterAbsence.ts"
import { historyOf, partner } from "../support/history.ts"

const event = (type: string, stageId: string, page: number, response: unknown, body: unknown = null) =>
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
      request: {
        method: body === null ? "GET" : "PUT",
        url: `https://partner.example/${stageId}?page=${page}`,
        body: body === null ? null : JSON.stringify(body),
        truncated: false
      },
      response
    }
  }) as unknown as LedgerEvent // as much of an event as is looked at

/** A page of the list that the stage has read. */
const page = (stageId: string, number: number, data: ReadonlyArray<object>, goesOn: boolean) => [
  event("exchange.intended", stageId, number, null),
  event("exchange.completed", stageId, number, {
    httpStatus: 200,
    ocpiStatusCode: 1000,
    headers: goesOn ? { link: `<https://partner.example/${stageId}?page=${number + 1}>; rel="next"` } : {},
    body: JSON.stringify({ data, status_code: 1000 }),
    truncated: false
  })
]

const given = (events: ReadonlyArray<LedgerEvent>) => historyOf(events, { them: partner })

const ofDriver = { cdr_token: { uid: tokenUidOf(given([])) } }

const stageIn = (stages: ReadonlyArray<JourneyStage>, id: string) => stages.find((stage) => stage.id === id)!
const readsOn = ({ act }: JourneyStage, history: RunHistory) =>
  act.act === "exchange" && act.readsOn?.(history)

const token = (uid: string) => ({ uid, type: "RFID", last_updated: "2026-01-01T11:00:00Z" })
const push = event("inbound.received", "token-pushed", 1, { ocpiStatusCode: 1000 }, token("T1"))

/** The CDR of the run's driver. */
const bill = (() => {
  const posted = event("inbound.received", "cdr", 1, { ocpiStatusCode: 1000 }, { id: "B1", ...ofDriver })
  const { exchange } = posted as unknown as { exchange: { request: object } }
  return {
    ...posted,
    exchange: { ...exchange, module: "cdrs", request: { ...exchange.request, method: "POST" } }
  }
})() as unknown as LedgerEvent // as much of an event as is looked at

describe("an object that has to be in a list", () => {
  it("is no CDR that the partner has not sent", () => {
    const listed = readCdrs.expect.find(({ id }) => id === "read-cdrs.listed")!
    assert.deepStrictEqual(listed.judge(given(page("read-cdrs", 1, [], false))), {
      notTested: "The partner sent no CDR of the session"
    })
  })

  it.each<[string, JourneyStage, ReadonlyArray<LedgerEvent>]>([
    ["read-changed.same", stageIn(tokenPush.stages, "read-changed"), [push]],
    [
      "delta.complete",
      stageIn(tokenSync.stages, "delta"),
      page("read-tokens", 1, [token("T1"), token("T2")], false)
    ],
    ["read-sessions.listed", readSessions, []],
    ["read-cdrs.listed", readCdrs, [bill]]
  ])(
    "is missed by %s where the list ends, and looked for on later pages where it does not",
    (id, stage, before) => {
      const judged = (goesOn: boolean) => {
        const history = given([
          ...before,
          ...page(stage.id, 1, [{ id: "O1", uid: "T9", type: "RFID" }], goesOn)
        ])
        assert.isTrue(readsOn(stage, history))
        return stage.expect.find((rule) => rule.id === id)!.judge(history)
      }
      assert.hasAnyKeys(judged(false), ["message"])
      assert.hasAllKeys(judged(true), ["unobservable"])
    }
  )

  it("is found on a later page", () => {
    const pages = [
      ...page("read-changed", 1, [token("T9")], true),
      ...page("read-changed", 2, [token("T1")], true)
    ]
    const stage = stageIn(tokenPush.stages, "read-changed")
    assert.isFalse(readsOn(stage, given([push, ...pages])))
    assert.isUndefined(
      stage.expect.find(({ id }) => id === "read-changed.same")!.judge(given([push, ...pages]))
    )
  })

  it("is not said to be missing where the list goes on", () => {
    const same = readSessions.expect.find(({ id }) => id === "read-sessions.same")!
    assert.hasAllKeys(same.judge(given(page("read-sessions", 1, [], true))), ["unobservable"])
    assert.hasAllKeys(same.judge(given(page("read-sessions", 1, [], false))), ["notTested"])
    const { stopsIf } = stageIn(syncAfterAbsence.stages, "read-running")
    assert.match(
      String(stopsIf?.(given(page("read-running", 1, [], true)))),
      /pages of the list that were read/
    )
  })
})

describe("a second page of tokens", () => {
  it("is not asked for where the first one is short, and then the partner is not said to list none", () => {
    const { act } = stageIn(tokenSync.stages, "second-page")
    const call =
      act.act === "exchange" && act.call(given(page("read-tokens", 1, [token("T1")], true)), "", "")
    assert.deepInclude(call, { unmet: "The list has no more than 3 tokens on the pages that were read" })
  })

  it("is asked for where the pages of the partner have two tokens each", () => {
    const tokens = ["T1", "T2", "T3", "T4", "T5"].map(token)
    const [whole, first, second] = ["read-tokens", "first-page", "second-page"].map((id) =>
      stageIn(tokenSync.stages, id)
    )
    const read = (...pages: ReadonlyArray<ReadonlyArray<LedgerEvent>>) => given(pages.flat())
    const one = page("read-tokens", 1, tokens.slice(0, 2), true)
    assert.isTrue(readsOn(whole!, read(one)))
    const both = [one, page("read-tokens", 2, tokens.slice(2, 4), true)]
    assert.isFalse(readsOn(whole!, read(...both)))
    const part = (stage: JourneyStage, data: ReadonlyArray<object>, goesOn: boolean) =>
      stage.expect
        .find(({ id }) => id === `${stage.id}.part`)!
        .judge(read(...both, page(stage.id, 1, data, goesOn)))
    assert.isUndefined(part(first!, tokens.slice(0, 2), true))
    assert.isUndefined(part(second!, tokens.slice(3, 5), false))
    for (const [data, goesOn] of [
      [tokens.slice(0, 2), false],
      [tokens.slice(1, 3), true],
      [[], true]
    ] as const)
      assert.hasAnyKeys(part(first!, data, goesOn), ["message"])
  })
})

describe("a token that is invalid", () => {
  const stage = stageIn(authorizeToken.stages, "read-tokens")
  const [valid, invalid] = [true, false].map((isValid) => ({
    ...token(`T${Number(isValid)}`),
    country_code: partner.countryCode,
    party_id: partner.partyId,
    contract_id: "C1",
    issuer: "Us",
    whitelist: "ALLOWED",
    valid: isValid
  }))
  const pages = (count: number) =>
    Array.from({ length: count }, (_, index) => page("read-tokens", index + 1, [valid!], true)).flat()
  it("is looked for on later pages, too", () => {
    assert.isTrue(readsOn(stage, given(pages(1))))
    assert.isFalse(readsOn(stage, given([...pages(1), ...page("read-tokens", 2, [invalid!], true)])))
  })
  it("is not looked for on every page of a long list", () => {
    assert.isFalse(readsOn(stage, given(pages(10))))
  })
})

describe("an EVSE to charge at", () => {
  const location = (id: string, status: string) => ({
    id,
    evses: [{ uid: `${id}-E`, status, capabilities: [], connectors: [{ id: "1" }] }]
  })
  const stage = readLocations([])

  it("is looked for on later pages, until one is free", () => {
    const first = page("read-locations", 1, [location("L1", "CHARGING")], true)
    assert.isTrue(readsOn(stage, given(first)))
    const both = [...first, ...page("read-locations", 2, [location("L2", "AVAILABLE")], true)]
    assert.isFalse(readsOn(stage, given(both)))
    assert.deepStrictEqual(chosenPlace(given(both), []), {
      locationId: "L2",
      evseUid: "L2-E",
      connectorId: "1"
    })
    assert.isUndefined(stage.stopsIf?.(given(both)))
  })

  it("is the partner's to have where its list ends, and ours to look for where it goes on", () => {
    const first = page("read-locations", 1, [location("L1", "CHARGING")], true)
    const stops = (goesOn: boolean) =>
      stage.stopsIf?.(given([...first, ...page("read-locations", 2, [location("L2", "CHARGING")], goesOn)]))
    assert.match(String(stops(false)), /^No EVSE of the locations that were read is AVAILABLE; free one/)
    assert.deepStrictEqual(stops(true), {
      ours: "No EVSE on the 2 pages of the partner's locations that were read is AVAILABLE; name a location and an EVSE in the inputs"
    })
  })

  describe("at a location that the inputs name", () => {
    const answered = (httpStatus: number, ocpiStatusCode: number) => {
      const exchange = {
        id: "exc_1",
        direction: "outbound",
        module: "locations",
        operation: "GET location",
        request: { method: "GET", url: "https://partner.example/locations/L9", body: null },
        response: { httpStatus, ocpiStatusCode, headers: {}, body: "{}", truncated: false }
      }
      const read = { stageId: "read-locations", exchange }
      const events = [
        { type: "exchange.intended", ...read },
        { type: "exchange.completed", ...read }
      ]
      const history = historyOf(events, { inputs: { locationId: "L9" } })
      return { stops: stage.stopsIf?.(history), ruling: stage.expect[0]?.judge(history) }
    }

    it("says nothing of a partner that does not have it", () => {
      const why = "The partner has no location L9, which the inputs name"
      for (const [http, ocpi] of [
        [404, 2003],
        [200, 2003],
        [404, 2000],
        [200, 2000]
      ] as const)
        assert.deepStrictEqual(answered(http, ocpi), { stops: { ours: why }, ruling: { notTested: why } })
    })

    it("is counted against one that refuses to tell", () => {
      for (const [http, ocpi] of [
        [500, 3000],
        [401, 2000],
        [200, 2001]
      ] as const)
        assert.property(answered(http, ocpi).ruling, "message")
    })
  })
})
