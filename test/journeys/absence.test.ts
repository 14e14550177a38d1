import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { isEventOf, type LedgerEvent } from "../../schema/LedgerEvent.ts"
import type { Decision } from "../../schema/Recovery.ts"
import { lastAbsence } from "../../src/journeys/model/absence.ts"
import { party, type Script } from "../support/parties/ScriptedPartner.ts"
import {
  attributionsOf,
  isTerminal,
  leaseSeconds,
  makeBench,
  order,
  outcomesOf,
  settle,
  until
} from "./support/JourneyBench.ts"

/** Appends: started, four for each of the first two stages; then START_SESSION: started (10), intended, completed (12). */
const startAnswered = 12
/** …and the stages up to "Energy flows": everything before the stop. */
const beforeTheStop = 23

/**
 * A run whose process dies when START_SESSION was answered, while everything that the partner pushes is lost; the heir
 * carries out the decision. `meanwhile`: what else happens at the partner before somebody is at home again.
 */
const away = (
  decision: Decision,
  script: Script = {},
  meanwhile: "nothing" | "the session ends" = "nothing",
  append = startAnswered
) =>
  Effect.gen(function* () {
    const bench = yield* makeBench(script)
    bench.partner.weAre.atHome = append > startAnswered
    const doomed = yield* bench.boot({ append, phase: "after" })
    const { facts } = yield* doomed.journeys.start(order("remote-start", { waitSeconds: 20 }))
    yield* settle
    bench.partner.weAre.atHome = false
    if (meanwhile === "the session ends") yield* bench.partner.ended
    yield* TestClock.adjust(`${leaseSeconds + 1} seconds`)
    bench.partner.weAre.atHome = true
    const heir = yield* bench.boot()
    yield* settle
    const { view: offer } = (yield* bench.row(heir, facts.runId)).snapshot
    yield* heir.journeys.recover(party.ownerId, facts.runId, {
      decision,
      recoveryVersion: offer.recoveryVersion
    })
    const status = yield* until(bench, facts.runId, isTerminal)
    const { view } = (yield* bench.row(heir, facts.runId)).snapshot
    const events = bench.eventsOf(facts.runId)
    return { status, view, events, outcomes: outcomesOf(events), hits: bench.partner.hits }
  })

const commands = (hits: ReadonlyArray<{ readonly operation: string }>) =>
  hits.map(({ operation }) => operation).filter((operation) => operation.endsWith("_SESSION"))
const readings = (events: ReadonlyArray<LedgerEvent>) =>
  events
    .filter(isEventOf("exchange.completed"))
    .filter(({ data }) => data?.purpose === "catch-up")
    .map(({ exchange, stageId }) => `${stageId ?? "clean-up"}: ${exchange.module}`)

describe("a partner that pushed while we were away", () => {
  it.effect("has its session read from its list, and the journey goes on", () =>
    Effect.gen(function* () {
      const { events, hits, outcomes, status, view } = yield* away("resume")
      assert.strictEqual(status, "completed")
      assert.strictEqual(outcomes["session-active.received"], "unobservable")
      assert.strictEqual(outcomes["session-active.token"], "passed")
      assert.strictEqual(outcomes["session-completed.received"], "passed")
      assert.deepStrictEqual(commands(hits), ["START_SESSION", "STOP_SESSION"])
      assert.include(readings(events), "session-active: sessions")
      assert.deepInclude(view.summary, { failed: 0, warned: 0 })
      assert.strictEqual(view.verdict, "inconclusive")
    })
  )
  it.effect("is waited for only shortly where nothing can be read, and not blamed", () =>
    Effect.gen(function* () {
      const { events, outcomes } = yield* away("resume")
      assert.strictEqual(outcomes["start-result.received"], "unobservable")
      const wait = events.filter(
        ({ stageId, type }) => stageId === "start-result" && type.startsWith("wait.")
      )
      const [from, to] = [wait[0], wait.at(-1)].map((event) => Date.parse(event?.occurredAt ?? ""))
      assert.strictEqual(wait.at(-1)?.type, "wait.expired")
      assert.isAtMost(to! - from!, 6000)
    })
  )
  it.effect("is told from when to when we were away", () =>
    Effect.gen(function* () {
      const { events } = yield* away("resume")
      const absence = lastAbsence(events)
      const received = events
        .flatMap(({ assertions }) => assertions)
        .find(({ id }) => id === "session-active.received")
      assert.include(received?.reason ?? "", absence?.from ?? "never")
      assert.include(received?.reason ?? "", absence?.to ?? "never")
    })
  )
  it.effect("gets no stop for a session that ended meanwhile, and its CDR is read", () =>
    Effect.gen(function* () {
      const { events, hits, outcomes, status, view } = yield* away("resume", {}, "the session ends")
      assert.strictEqual(status, "completed")
      assert.deepStrictEqual(commands(hits), ["START_SESSION"])
      assert.strictEqual(outcomes["stop-session.accepted"], "unobservable")
      assert.strictEqual(outcomes["session-completed.received"], "unobservable")
      assert.strictEqual(outcomes["cdr.received"], "unobservable")
      assert.strictEqual(outcomes["cdr.shape"], "passed")
      assert.strictEqual(outcomes["consistency.energy"], "passed")
      assert.include(readings(events), "cdr: cdrs")
      assert.strictEqual(view.summary.failed, 0)
    })
  )
  it.effect("gets its session stopped when the run is abandoned, although only its list names it", () =>
    Effect.gen(function* () {
      const { events, hits, status } = yield* away("abandon")
      assert.strictEqual(status, "cancelled")
      assert.deepStrictEqual(commands(hits), ["START_SESSION", "STOP_SESSION"])
      assert.deepStrictEqual(readings(events), ["clean-up: sessions", "clean-up: sessions"])
    })
  )
  it.effect("is not blamed when nothing is found; the main line ends inconclusive", () =>
    Effect.gen(function* () {
      const { events, outcomes, status, view } = yield* away("resume", {
        silent: ["start-result", "active"]
      })
      assert.strictEqual(status, "completed")
      assert.strictEqual(outcomes["session-active.received"], "unobservable")
      assert.strictEqual(outcomes["session-active.shape"], "unobservable")
      assert.strictEqual(outcomes["stop-session.accepted"], "not_tested")
      const whose = attributionsOf(events)
      assert.strictEqual(whose["session-active.received"], "ours")
      assert.strictEqual(whose["stop-session.accepted"], "ours")
      assert.strictEqual(view.verdict, "inconclusive")
    })
  )
  describe("and whose session ended meanwhile, where its list cannot be read", () => {
    const late = (lateStop: NonNullable<Script["lateStop"]>) =>
      away("resume", { lateStop, unreadable: ["sessions"] }, "the session ends", beforeTheStop)
    const held = (outcomes: Readonly<Record<string, string>>) =>
      Object.entries(outcomes).filter(([, outcome]) => outcome === "failed" || outcome === "warned")

    it.effect("may refuse the stop", () =>
      Effect.gen(function* () {
        const { hits, outcomes } = yield* late({ answer: "UNKNOWN_SESSION" })
        assert.deepStrictEqual(commands(hits), ["START_SESSION", "STOP_SESSION"])
        assert.strictEqual(outcomes["session-updates.received"], "passed")
        assert.strictEqual(outcomes["stop-session.accepted"], "unobservable")
        assert.deepStrictEqual(held(outcomes), [])
      })
    )
    it.effect("may refuse it with an OCPI status code", () =>
      Effect.gen(function* () {
        const { outcomes } = yield* late({ statusCode: 2003 })
        assert.strictEqual(outcomes["stop-session.answered"], "unobservable")
        assert.deepStrictEqual(held(outcomes), [])
      })
    )
    it.effect("may take it, and find that it cannot be carried out", () =>
      Effect.gen(function* () {
        const { outcomes } = yield* late({ result: "FAILED" })
        assert.strictEqual(outcomes["stop-result.accepted"], "unobservable")
        assert.deepStrictEqual(held(outcomes), [])
      })
    )
    it.effect("may take it, and say no more", () =>
      Effect.gen(function* () {
        const { outcomes, status } = yield* late({})
        assert.strictEqual(status, "completed")
        for (const id of ["stop-result.received", "session-completed.received", "cdr.received"])
          assert.strictEqual(outcomes[id], "unobservable", id)
        assert.deepStrictEqual(held(outcomes), [])
      })
    )
  })
  it.effect("is blamed for a session that it was read to have, and does not stop", () =>
    Effect.gen(function* () {
      const { outcomes } = yield* away(
        "resume",
        { silent: ["stop-result", "completed"] },
        "nothing",
        beforeTheStop
      )
      assert.strictEqual(outcomes["stop-result.received"], "failed")
      assert.strictEqual(outcomes["session-completed.received"], "failed")
    })
  )
})
