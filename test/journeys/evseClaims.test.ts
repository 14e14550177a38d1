/** Runs that are open at once on one connection, of a partner with one EVSE that can be started. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, TestClock } from "effect"
import { isEventOf } from "../../schema/LedgerEvent.ts"
import { party } from "../support/parties/ScriptedPartner.ts"
import {
  attributionsOf,
  type Bench,
  isTerminal,
  leaseSeconds,
  makeBench,
  order,
  outcomesOf,
  settle,
  until
} from "./support/JourneyBench.ts"

const starts = ({ partner }: Bench) =>
  partner.hits.filter(({ operation }) => operation === "START_SESSION").length

describe("runs that are open at once", () => {
  it.effect("do not start at the same EVSE, and say that it is another run of ours that has it", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({})
      const { journeys } = yield* bench.boot()
      const runs = yield* Effect.all(
        Array.from({ length: 3 }, () => journeys.start(order("remote-start"))),
        { concurrency: "unbounded" }
      )
      for (const { facts } of runs) yield* until(bench, facts.runId, isTerminal)
      assert.strictEqual(starts(bench), 1)
      const ids = runs.map(({ facts }) => facts.runId)
      const placed = ids.filter((id) =>
        bench
          .eventsOf(id)
          .filter(isEventOf("stage.started"))
          .some(({ data }) => data?.place?.evseUid === "EVSE1")
      )
      assert.lengthOf(placed, 1)
      for (const id of ids.filter((one) => !placed.includes(one))) {
        const events = bench.eventsOf(id)
        const reason = events.filter(isEventOf("stage.failed"))[0]?.data?.reason ?? ""
        assert.include(reason, `EVSE1 (${placed[0]})`)
        assert.notInclude(Object.values(outcomesOf(events)), "failed")
        assert.strictEqual(attributionsOf(events)["start-session.accepted"], "ours")
      }
    })
  )

  it.effect("do not start at the same EVSE where both name it", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({})
      const { journeys } = yield* bench.boot()
      const named = order("remote-start", { locationId: "LOC1", evseUid: "EVSE1" })
      const runs = yield* Effect.all([journeys.start(named), journeys.start(named)], {
        concurrency: "unbounded"
      })
      for (const { facts } of runs) yield* until(bench, facts.runId, isTerminal)
      assert.strictEqual(starts(bench), 1)
      for (const { facts } of runs)
        assert.strictEqual(outcomesOf(bench.eventsOf(facts.runId))["read-locations.answered"], "passed")
    })
  )

  it.effect("take it one after the other", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({})
      const { journeys } = yield* bench.boot()
      for (let run = 0; run < 2; run++) {
        const { facts } = yield* journeys.start(order("remote-start"))
        yield* until(bench, facts.runId, isTerminal)
        assert.notInclude(Object.values(outcomesOf(bench.eventsOf(facts.runId))), "not_tested")
      }
      assert.strictEqual(starts(bench), 2)
      const { claims } = Option.getOrThrow(yield* bench.store.find(party.id))
      assert.isUndefined(claims)
    })
  )

  it.effect("leave it to others once a run whose process died was given up, or its time is over", () =>
    Effect.gen(function* () {
      for (const isGivenUp of [true, false]) {
        const bench = yield* makeBench({ hanging: ["START_SESSION"] })
        const first = yield* bench.boot()
        const { facts } = yield* first.journeys.start(order("remote-start"))
        yield* until(bench, facts.runId, () => starts(bench) === 1)
        yield* first.die
        const second = yield* bench.boot()
        yield* TestClock.adjust(`${3 * leaseSeconds} seconds`)
        yield* settle
        const waiting = yield* second.journeys.start(order("remote-start"))
        yield* until(bench, waiting.facts.runId, isTerminal)
        assert.strictEqual(starts(bench), 1)
        if (isGivenUp) {
          yield* second.journeys.cancel(party.ownerId, facts.runId)
          yield* until(bench, facts.runId, isTerminal)
        } else
          yield* bench.store.update(party.id, (now) => ({
            ...now,
            claims: (now.claims ?? []).map((one) => ({ ...one, until: "1970-01-01T00:00:00.000Z" }))
          }))
        const third = yield* second.journeys.start(order("remote-start"))
        yield* until(bench, third.facts.runId, () => starts(bench) === 2)
        assert.strictEqual(starts(bench), 2)
      }
    })
  )

  it.effect(
    "have lost it where they stood still until another run had taken it, and start nothing there",
    () =>
      Effect.gen(function* () {
        const bench = yield* makeBench({ hanging: ["START_SESSION"] })
        const doomed = yield* bench.boot({ append: 10, phase: "after" })
        const { facts } = yield* doomed.journeys.start(order("remote-start"))
        yield* until(bench, facts.runId, () =>
          bench.eventsOf(facts.runId).some((event) => event.type === "stage.started" && event.data?.place)
        )
        assert.strictEqual(starts(bench), 0)
        const { journeys } = yield* bench.boot()
        yield* TestClock.adjust(`${3 * leaseSeconds} seconds`)
        assert.strictEqual(
          yield* until(bench, facts.runId, (status) => status === "interrupted"),
          "interrupted"
        )
        yield* bench.store.update(party.id, (now) => ({
          ...now,
          claims: (now.claims ?? []).map((one) => ({ ...one, until: "1970-01-01T00:00:00.000Z" }))
        }))
        const second = yield* journeys.start(order("remote-start"))
        yield* until(bench, second.facts.runId, () => starts(bench) === 1)
        yield* journeys.recover(party.ownerId, facts.runId, { decision: "resume", recoveryVersion: 1 })
        yield* until(bench, facts.runId, isTerminal)
        assert.strictEqual(starts(bench), 1)
        const events = bench.eventsOf(facts.runId)
        assert.strictEqual(attributionsOf(events)["start-session.accepted"], "ours")
        const failed = events.filter(isEventOf("stage.failed"))
        assert.include(failed[0]?.data?.reason, `Run ${second.facts.runId} has taken EVSE EVSE1`)
        assert.notInclude(Object.values(outcomesOf(events)), "failed")
      })
  )
})
