/** The calls of a partner as a run records them, however many there are and whichever process reads them. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { RunId } from "../../../schema/Ids.ts"
import { isEventOf, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { makeInbox, sparingInbox } from "../../../src/journeys/actor/inbox.ts"
import type { RunContext } from "../../../src/journeys/actor/RunContext.ts"
import { planOf } from "../../../src/journeys/catalogue/plan.ts"
import type { JourneyTemplate } from "../../../src/journeys/model/JourneyTemplate.ts"
import { inboundOf } from "../../../src/journeys/model/RunHistory.ts"
import { firstReads } from "../../../src/journeys/templates/asEmsp/firstReads.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { exchange, party } from "../../support/parties/heldParties.ts"
import { stage } from "../support/ActBench.ts"

const us = party("p_inbox")

const isCdr = ({ module }: Exchange) => module === "cdrs"
const template: JourneyTemplate = {
  ...firstReads,
  stages: [
    stage({
      id: "bill",
      act: {
        act: "await",
        instruction: () => "The partner must post a CDR.",
        look: (history) => ({ found: inboundOf(history).some(isCdr), nearMisses: [] })
      }
    })
  ]
}
const plan = planOf(template, us, {
  runId: RunId.make("run_1"),
  createdAt: "2026-01-01T00:00:00.000Z",
  inputs: {},
  inboundFrom: 0
})

const sent = (id: string, method: string, url: string, body: object, module = "sessions"): Exchange => {
  const { request, ...rest } = exchange(id)
  return {
    ...rest,
    module,
    request: { ...request, method, url: `https://us.example/ocpi/2.2.1/${url}`, body: JSON.stringify(body) }
  }
}

/** A session with the token that the run has named. */
const pushed = (id: string, more: object = {}) =>
  sent(`exc_${id}`, "PUT", `sessions/DE/CPO/${id}`, { id, cdr_token: { uid: "CARD" }, ...more })

/** The first lines of a run: a token and a response_url that we named. */
const named: ReadonlyArray<object> = [
  { type: "exchange.intended", exchange: sent("exc_out_1", "PUT", "tokens/CARD", { uid: "CARD" }, "tokens") },
  {
    type: "exchange.intended",
    exchange: sent(
      "exc_out_2",
      "POST",
      "commands/START",
      { response_url: "https://us.example/ocpi/2.2.1/r/1" },
      "commands"
    )
  }
]
const expired: ReadonlyArray<object> = [
  { type: "wait.started", stageId: "bill", data: {} },
  { type: "wait.expired", stageId: "bill", data: {} }
]

/** A run of which every reading of a line's type is counted. `remake`: each time with other objects for its lines. */
const makeRun = (
  store: PartyStore["Type"],
  options: { readonly lines?: ReadonlyArray<object>; readonly remake?: boolean } = {}
) => {
  const { lines = [...named, ...expired], remake = false } = options
  let readings = 0
  const counted = (line: object): LedgerEvent => {
    const { type, ...rest } = line as LedgerEvent
    const made = { ...rest, assertions: [], occurredAt: "2026-01-01T00:00:00.000Z" }
    const get = () => {
      readings += 1
      return type
    }
    return Object.defineProperty(made, "type", { enumerable: true, get }) as unknown as LedgerEvent
  }
  let events: ReadonlyArray<LedgerEvent> = lines.map(counted)
  const run = {
    services: { store },
    log: { events: () => events },
    party: us,
    plan,
    template,
    buffer: (drafts: ReadonlyArray<object>) =>
      Effect.sync(() => {
        events = [...(remake ? events.map(counted) : events), ...drafts.map(counted)]
      })
  } as unknown as RunContext
  return {
    run,
    readings: () => readings,
    relations: () =>
      events.filter(isEventOf("inbound.received")).map(({ data, exchange }) => [exchange.id, data])
  }
}

const storeOfCalls = (calls: ReadonlyArray<Exchange>) =>
  Effect.gen(function* () {
    const store = Context.get(yield* Layer.build(PartyStoreMemory), PartyStore)
    yield* store.insert(us, [])
    yield* Effect.forEach(calls, (call) => store.record(us.id, call), { discard: true })
    return store
  })

describe("the inbox of a run", () => {
  const calls = [
    pushed("s1"),
    pushed("s1"),
    { ...pushed("s1"), id: "exc_again" },
    pushed("s2", { cdr_token: { uid: "ANOTHER" } }),
    sent("exc_get", "GET", "locations", {}, "locations"),
    sent("exc_get_again", "GET", "locations", {}, "locations"),
    pushed("s3", { cdr_token: { uid: "card" }, authorization_reference: "REF" }),
    pushed("s4", { cdr_token: { uid: "ANOTHER" }, authorization_reference: "ref" }),
    sent("exc_result", "POST", "r/1", { result: "ACCEPTED" }, "commands"),
    sent("exc_no_result", "POST", "r/2", { result: "ACCEPTED" }, "commands"),
    sent("exc_cdr", "POST", "cdrs", { id: "c1", cdr_token: { uid: "CARD" } }, "cdrs"),
    sent("exc_cdr_2", "POST", "cdrs", { id: "c2", cdr_token: { uid: "CARD" } }, "cdrs"),
    { ...pushed("s2", { cdr_token: { uid: "ANOTHER" } }), id: "exc_foreign_again" }
  ].map((call, index) => ({ ...call, id: `${call.id}#${index}` }))

  it.effect("says of each call how it relates to the run", () =>
    Effect.gen(function* () {
      const { relations, run } = makeRun(yield* storeOfCalls(calls))
      yield* makeInbox(run)(undefined)
      assert.deepStrictEqual(
        relations().map(([id, data]) => [id, { ...(data as object), position: undefined }]),
        [
          ["exc_s1#0", {}],
          ["exc_s1#1", { relation: "duplicate" }],
          ["exc_again#2", { relation: "duplicate" }],
          ["exc_s2#3", { relation: "foreign" }],
          ["exc_get#4", {}],
          ["exc_get_again#5", {}],
          ["exc_s3#6", {}],
          ["exc_s4#7", {}],
          ["exc_result#8", {}],
          ["exc_no_result#9", { relation: "foreign" }],
          ["exc_cdr#10", { relation: "late", lateFor: "bill" }],
          ["exc_cdr_2#11", {}],
          ["exc_foreign_again#12", { relation: "duplicate" }]
        ].map(([id, data]) => [id, { ...(data as object), position: undefined }])
      )
    }).pipe(Effect.scoped)
  )

  for (const remake of [false, true])
    it.effect(
      `says the same when another process has the run at each call${remake ? ", and lines are made again" : ""}`,
      () =>
        Effect.gen(function* () {
          const once = makeRun(yield* storeOfCalls(calls))
          yield* makeInbox(once.run)(undefined)
          const store = yield* storeOfCalls([])
          const [taken, kept] = [makeRun(store, { remake }), makeRun(store, { remake })]
          const inbox = makeInbox(kept.run)
          for (const call of calls) {
            yield* store.record(us.id, call)
            yield* makeInbox(taken.run)(undefined)
            yield* inbox(undefined)
          }
          assert.deepStrictEqual(taken.relations(), once.relations())
          assert.deepStrictEqual(kept.relations(), once.relations())
        }).pipe(Effect.scoped)
    )

  it.effect("reads each line once, however many calls come after it", () =>
    Effect.gen(function* () {
      const count = 3000
      const many = Array.from({ length: count }, (_, n) => pushed(`s${n}`))
      const { readings, relations, run } = makeRun(yield* storeOfCalls(many.slice(0, count / 2)), {
        lines: named
      })
      const inbox = makeInbox(run)
      yield* inbox(undefined)
      for (const call of many.slice(count / 2)) {
        yield* run.services.store.record(us.id, call)
        yield* inbox(undefined)
      }
      assert.isBelow(readings(), 20 * count)
      assert.lengthOf(relations(), count)
    }).pipe(Effect.scoped)
  )

  it.effect("is read again only after a call was told, something was sent, or a moment has passed", () =>
    Effect.gen(function* () {
      let [reads, arrivals] = [0, 0]
      const inbox = sparingInbox(
        () => Effect.sync(() => void reads++),
        () => arrivals
      )
      const readsOf = (after: () => void) =>
        Effect.gen(function* () {
          yield* inbox.pull(undefined)
          const before = reads
          after()
          yield* inbox.pull(undefined)
          return reads - before
        })
      const passMoment = () => {
        const until = performance.now() + 25
        while (performance.now() < until);
      }
      // A slow machine may let a moment pass.
      let idle = 1
      for (let tries = 0; idle > 0 && tries < 20; tries++) idle = yield* readsOf(() => {})
      assert.strictEqual(idle, 0)
      assert.strictEqual(yield* readsOf(() => arrivals++), 1)
      assert.strictEqual(yield* readsOf(inbox.outdate), 1)
      assert.strictEqual(yield* readsOf(passMoment), 1)
    })
  )
})
