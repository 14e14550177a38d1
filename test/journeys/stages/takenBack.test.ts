/** A partner that takes back its EVSE between its list and our command, and tells nobody: it may refuse. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { isEventOf, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { party, type Script } from "../../support/parties/ScriptedPartner.ts"
import {
  isTerminal,
  leaseSeconds,
  makeBench,
  order,
  outcomesOf,
  settle,
  until
} from "../support/JourneyBench.ts"

const whole = (script: Script) =>
  Effect.gen(function* () {
    const bench = yield* makeBench(script)
    const process = yield* bench.boot()
    const { facts } = yield* process.journeys.start(order("remote-start", { waitSeconds: 20 }))
    yield* until(bench, facts.runId, isTerminal)
    const { view } = (yield* bench.row(process, facts.runId)).snapshot
    return { events: bench.eventsOf(facts.runId), hits: bench.partner.hits, verdict: view.verdict }
  })

const told = (events: ReadonlyArray<LedgerEvent>, id: string) =>
  events.flatMap(({ assertions }) => assertions).find((assertion) => assertion.id === id)
const readingsIn = (hits: ReadonlyArray<{ readonly operation: string }>) =>
  hits.filter(({ operation }) => operation === "GET location again").length

describe("a refused start", () => {
  for (const [evseAfterwards, words] of [
    [
      "OUTOFORDER",
      /^The result is REJECTED, and the partner's location, read again, has the EVSE as OUTOFORDER/
    ],
    [null, /has no EVSE .* any more/]
  ] as const)
    it.effect(`is nobody's fault where the EVSE is ${evseAfterwards ?? "gone"} when it is read again`, () =>
      Effect.gen(function* () {
        const { events, hits, verdict } = yield* whole({ startAnswer: "REJECTED", evseAfterwards })
        const accepted = told(events, "start-session.accepted")
        assert.deepStrictEqual([accepted?.outcome, accepted?.attribution], ["unobservable", "operator"])
        assert.match(accepted?.reason ?? "", words)
        assert.notInclude(Object.values(outcomesOf(events)), "failed")
        const later = told(events, "session-active.received")
        assert.deepStrictEqual([later?.outcome, later?.attribution], ["not_tested", "operator"])
        assert.match(later?.reason ?? "", /did not accept the command: REJECTED, and the partner's location/)
        assert.strictEqual(verdict, "inconclusive")
        assert.strictEqual(readingsIn(hits), 1)
      })
    )

  it.effect("is the partner's where the EVSE is free as before, or cannot be read", () =>
    Effect.gen(function* () {
      for (const more of [{ evseAfterwards: "AVAILABLE" }, { failing: ["GET location again"] }]) {
        const { events, verdict } = yield* whole({ startAnswer: "REJECTED", ...more })
        assert.strictEqual(told(events, "start-session.accepted")?.outcome, "failed")
        assert.strictEqual(verdict, "fail")
      }
    })
  )

  it.effect("reads nothing where the start was accepted and carried out", () =>
    Effect.gen(function* () {
      const { hits, verdict } = yield* whole({ evseAfterwards: "OUTOFORDER" })
      assert.strictEqual(verdict, "pass")
      assert.strictEqual(readingsIn(hits), 0)
    })
  )
})

describe("a start that was accepted and not carried out", () => {
  const resultOf = (startResult: string, evseAfterwards: string) =>
    Effect.map(
      whole({ startResult, evseAfterwards, silent: ["active", "updates", "completed", "cdr"] }),
      ({ events }) => told(events, "start-result.accepted")?.outcome
    )

  it.effect("is nobody's fault where the EVSE was taken out of service, or somebody else was first", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* resultOf("EVSE_INOPERATIVE", "INOPERATIVE"), "unobservable")
      assert.strictEqual(yield* resultOf("EVSE_OCCUPIED", "CHARGING"), "unobservable")
    })
  )

  it.effect(
    "is the partner's where the EVSE charges, and its result does not say that somebody else does",
    () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* resultOf("FAILED", "CHARGING"), "failed")
        assert.strictEqual(yield* resultOf("FAILED", "AVAILABLE"), "failed")
      })
  )
})

describe("a process that dies while it reads the location again", () => {
  it.effect("leaves a run that reads it once more, and needs no decision for a lost read", () =>
    Effect.gen(function* () {
      const script = { startAnswer: "REJECTED", evseAfterwards: "OUTOFORDER" }
      const intended = (yield* whole(script)).events.findIndex(
        (event) => event.type === "exchange.intended" && event.exchange.operation === "GET location again"
      )
      for (const phase of ["before", "after"] as const) {
        const bench = yield* makeBench(script)
        // The number of the append that completes the read.
        const doomed = yield* bench.boot({ append: intended + 1, phase })
        const { facts } = yield* doomed.journeys.start(order("remote-start", { waitSeconds: 20 }))
        yield* settle
        yield* TestClock.adjust(`${leaseSeconds + 1} seconds`)
        const heir = yield* bench.boot()
        yield* settle
        const { view } = (yield* bench.row(heir, facts.runId)).snapshot
        assert.include(
          view.recoveryOptions.map(({ decision }) => decision),
          "resume"
        )
        yield* heir.journeys.recover(party.ownerId, facts.runId, {
          decision: "resume",
          recoveryVersion: view.recoveryVersion
        })
        yield* until(bench, facts.runId, isTerminal)
        const events = bench.eventsOf(facts.runId)
        assert.strictEqual(told(events, "start-session.accepted")?.outcome, "unobservable")
        assert.isAtLeast(events.filter(isEventOf("exchange.completed")).length, 4)
      }
    })
  )
})
