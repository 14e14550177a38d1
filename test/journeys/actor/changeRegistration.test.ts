import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, TestClock } from "effect"
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import type { Decision } from "../../../schema/Recovery.ts"
import { unregistrationRequest } from "../../../src/journeys/model/Act.ts"
import { performCall } from "../../../src/party/outbound/performCall.ts"
import type { Handshake } from "../../../src/party/registration/Handshake.ts"
import { forgetAfterDelete } from "../../../src/party/wire/tokenSlots.ts"
import { aboutModule, refused } from "../../../src/sandbox/faults/replies.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { party } from "../../support/parties/ScriptedPartner.ts"
import {
  type Bench,
  type Death,
  isTerminal,
  makeBench,
  order,
  outcomesOf,
  settle,
  until
} from "../support/JourneyBench.ts"
import { playedQuickly } from "../support/sandboxJourney.ts"

/** A handshake that is one PUT. */
const put: Partial<Handshake["Type"]> = {
  run: () =>
    Effect.gen(function* () {
      yield* performCall(party, {
        module: "credentials",
        interfaceRole: "SENDER",
        operation: "PUT credentials",
        method: "PUT",
        url: "https://cpo.example/credentials"
      })
      return { ok: true, party } as const
      // Whoever runs it has these.
    }).pipe(Effect.orDie) as unknown as ReturnType<Handshake["Type"]["run"]>
}

const decisionsOf = (events: ReadonlyArray<{ readonly type: string; readonly data?: unknown }>) =>
  JSON.stringify(events.findLast(({ type }) => type === "recovery.offered")?.data)

describe("a stage that changes the registration", () => {
  it.effect("has its request in the ledger before it leaves, and no request without", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({}, put)
      // Started, begun; the intent of the PUT is not written any more.
      const process = yield* bench.boot({ append: 3, phase: "before" })
      const { facts } = yield* process.journeys.start(order("rotate-tokens-with-cpo"))
      yield* settle
      assert.deepStrictEqual(
        bench.eventsOf(facts.runId).map(({ type }) => type),
        ["run.created", "run.started", "stage.started"]
      )
      assert.isEmpty(bench.partner.hits)
    })
  )

  it.effect("is never made again when its answer was lost", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({}, put)
      const first = yield* bench.boot({ append: 4, phase: "before" })
      const { facts } = yield* first.journeys.start(order("rotate-tokens-with-cpo"))
      yield* settle
      yield* bench.boot()
      const status = yield* until(bench, facts.runId, (now) => now === "interrupted")
      assert.strictEqual(status, "interrupted")
      const offered = decisionsOf(bench.eventsOf(facts.runId))
      assert.notMatch(offered, /"(resume|retry_stage|verify_and_resume|skip_stage)"/)
      assert.match(offered, /"abandon"/)
      assert.lengthOf(
        bench.partner.hits.filter(({ method }) => method === "PUT"),
        1
      )
    })
  )
})

describe("a registration during which our service stopped", () => {
  it.effect("is held against nobody when the new token may be lost", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({}, put)
      // The PUT is answered and in the ledger; whether we have kept its token is not known.
      const first = yield* bench.boot({ append: 4, phase: "after" })
      const { facts } = yield* first.journeys.start(order("rotate-tokens-with-cpo"))
      yield* settle
      const second = yield* bench.boot()
      yield* until(bench, facts.runId, (now) => now === "interrupted")
      yield* second.journeys.recover(party.ownerId, facts.runId, { decision: "resume" })
      yield* until(bench, facts.runId, isTerminal)
      const outcomes = outcomesOf(bench.eventsOf(facts.runId))
      assert.strictEqual(outcomes["rotate.taken"], "unobservable")
      assert.notInclude(Object.values(outcomes), "failed")
    })
  )
})

/** A handshake that ends the registration as the true one does. */
const parting = (bench: () => Bench): Partial<Handshake["Type"]> => ({
  unregister: () =>
    Effect.gen(function* () {
      yield* performCall(party, {
        module: "credentials",
        interfaceRole: "SENDER",
        operation: unregistrationRequest,
        method: "DELETE",
        url: "https://cpo.example/credentials"
      })
      yield* Effect.provideService(forgetAfterDelete(party.id), PartyStore, bench().store)
      return { told: true, message: "told" }
      // Whoever runs it has these.
    }).pipe(Effect.orDie) as unknown as ReturnType<Handshake["Type"]["unregister"]>
})

describe("a parting during which our service stopped", () => {
  /** Dies at that append, and the heir decides so. */
  const killedAt = (death: Death, decision: Decision) =>
    Effect.gen(function* () {
      // After the registration of the party at hand.
      yield* TestClock.setTime(Date.parse("2026-02-01T00:00:00Z"))
      const bench: Bench = yield* makeBench(
        {},
        parting(() => bench)
      )
      const first = yield* bench.boot(death)
      const { facts } = yield* first.journeys.start(order("unregister-from-cpo"))
      yield* settle
      const second = yield* bench.boot()
      yield* until(bench, facts.runId, (now) => now === "interrupted")
      yield* second.journeys.recover(party.ownerId, facts.runId, { decision })
      const status = yield* until(bench, facts.runId, isTerminal)
      const now = Option.getOrThrow(yield* bench.store.find(party.id))
      return {
        status,
        registration: now.registration,
        outcomes: outcomesOf(bench.eventsOf(facts.runId)),
        partings: bench.partner.hits.filter(({ method }) => method === "DELETE").length,
        view: (yield* bench.row(second, facts.runId)).snapshot.view,
        runs: bench.runIds().length
      }
    })
  const intended = { append: 4, phase: "before" } as const
  const answered = { append: 4, phase: "after" } as const

  it.effect("is ended on our side, too, when the partner has answered", () =>
    Effect.gen(function* () {
      const { outcomes, partings, registration, status } = yield* killedAt(answered, "resume")
      assert.strictEqual(status, "completed")
      assert.strictEqual(registration, "none")
      assert.deepStrictEqual(outcomes, { "unregister.taken": "passed", "unregister.over": "passed" })
      assert.strictEqual(partings, 1)
    })
  )
  it.effect("is read back when its answer was lost: a token that is dead says that it took effect", () =>
    Effect.gen(function* () {
      const { outcomes, partings, registration } = yield* killedAt(intended, "verify_and_resume")
      assert.strictEqual(registration, "none")
      assert.deepStrictEqual([...new Set(Object.values(outcomes))], ["unobservable"])
      assert.strictEqual(partings, 1)
    })
  )
  it.effect("leaves us registered when the request never reached the partner", () =>
    Effect.gen(function* () {
      const { outcomes, partings, registration } = yield* killedAt(
        { append: 3, phase: "after" },
        "verify_and_resume"
      )
      assert.strictEqual(partings, 0)
      assert.strictEqual(registration, "registered")
      assert.deepStrictEqual([...new Set(Object.values(outcomes))], ["unobservable"])
    })
  )
  for (const death of [intended, answered])
    it.effect(`is ended on our side whatever is decided, ${death.phase} the answer is in the ledger`, () =>
      Effect.gen(function* () {
        const { partings, registration, status } = yield* killedAt(death, "abandon")
        assert.strictEqual(status, "cancelled")
        assert.strictEqual(registration, "none")
        assert.strictEqual(partings, 1)
      })
    )
  it.effect("has no successor when there is nothing left to part from", () =>
    Effect.gen(function* () {
      const { runs, status, view } = yield* killedAt(intended, "restart_as_new")
      assert.strictEqual(status, "cancelled")
      assert.strictEqual(runs, 1)
      assert.isNull(view.successorRunId)
      assert.strictEqual(view.summary.failed, 0)
    })
  )
})

describe("a rehearsal of an upgrade", () => {
  it.effect("brings the connection back at its end when the way back was barred", () =>
    Effect.gen(function* () {
      let barred = 1
      const { events } = yield* playedQuickly({
        templateId: "upgrade-with-cpo",
        version: "2.2.1",
        deviation: {
          reply: (request, reply) =>
            request.method === "PUT" &&
            request.path[0] === "2.2.1" &&
            aboutModule("credentials")(request) &&
            barred-- > 0
              ? refused(reply, 500)
              : reply
        }
      })
      const tidied = events
        .filter(isEventOf("exchange.completed"))
        .filter(
          ({ data, exchange }) => data?.purpose === "clean-up" && exchange.operation === "PUT credentials"
        )
      assert.deepStrictEqual(
        tidied.map(({ exchange }) => [exchange.response?.httpStatus, exchange.response?.ocpiStatusCode]),
        [[200, 1000]]
      )
    })
  )
})
