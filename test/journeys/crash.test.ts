import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock, TestContext } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { isEventOf } from "../../schema/LedgerEvent.ts"
import type { Decision } from "../../schema/Recovery.ts"
import { type Hit, party } from "../support/parties/ScriptedPartner.ts"
import { isPlayed, isSampled } from "../support/sampled.ts"
import {
  type Bench,
  type Death,
  isTerminal,
  leaseSeconds,
  makeBench,
  order,
  settle,
  until
} from "./support/JourneyBench.ts"

/** Runs until the process dies; then another one takes the run up. Undefined: it was over before. */
const crash = (bench: Bench, death: Death) =>
  Effect.gen(function* () {
    const doomed = yield* bench.boot(death)
    const { facts } = yield* doomed.journeys.start(order("remote-start", { waitSeconds: 20 }))
    yield* settle
    yield* TestClock.adjust(`${leaseSeconds + 1} seconds`)
    const heir = yield* bench.boot()
    yield* settle
    const { view } = (yield* bench.row(heir, facts.runId)).snapshot
    return { heir, runId: facts.runId, view }
  })

const writesOf = (hits: ReadonlyArray<Hit>) => {
  const counts: Record<string, number> = {}
  for (const { method, operation } of hits)
    if (method !== "GET") counts[operation] = (counts[operation] ?? 0) + 1
  return counts
}

/** Gap-free, and each intent at most once completed. */
const isSound = (bench: Bench, runId: RunId) => {
  const events = bench.eventsOf(runId)
  assert.deepStrictEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1)
  )
  const completed = events.filter(isEventOf("exchange.completed")).map(({ exchange }) => exchange.id)
  assert.strictEqual(new Set(completed).size, completed.length)
}

/** More appends than an undisturbed run needs. */
const mostAppends = 100

/** One life, one death, one decision: the one with that index among those offered. Answers how many are offered. */
const scenario = (death: Death, choice: number, seen: Set<Decision>) =>
  Effect.gen(function* () {
    const bench = yield* makeBench({ pages: { locations: 3 } })
    const { heir, runId, view } = yield* crash(bench, death)
    if (isTerminal(view.status)) return { over: true, options: 0 }
    const where = `append ${death.append} ${death.phase}`
    assert.strictEqual(view.status, "interrupted", where)
    const option = view.recoveryOptions[choice]
    assert.isDefined(option, where)
    const { decision, repeats } = option!
    seen.add(decision)
    const before = writesOf(bench.partner.hits)
    yield* heir.journeys.recover(party.ownerId, runId, { decision, recoveryVersion: view.recoveryVersion })
    const status = yield* until(bench, runId, isTerminal)
    assert.include(["completed", "cancelled"], status, `${where}, ${decision}`)
    isSound(bench, runId)
    const after = writesOf(bench.partner.hits)
    for (const [operation, count] of Object.entries(before)) {
      if (repeats.some((request) => matches(request, operation))) continue
      assert.strictEqual(after[operation], count, `${where}, ${decision}: ${operation} was sent again`)
    }
    return { over: false, options: view.recoveryOptions.length }
    // A clock of its own: the sleepers of a dead process must not be woken by the next scenario.
  }).pipe(Effect.provide(TestContext.TestContext))

describe("a process that dies", () => {
  for (const [phase, buffered] of [
    ["before", false],
    ["after", false],
    ["before", true],
    ["after", true]
  ] as const) {
    it.effect(
      `${phase} an append ${buffered ? "of all that belongs together " : ""}is committed has an heir, and what it then offers leads to an end`,
      () =>
        Effect.gen(function* () {
          const seen = new Set<Decision>()
          for (let append = 1; append < mostAppends; append++) {
            // `npm test` plays every tenth append.
            if (!isPlayed(append, 10)) continue
            const { options, over } = yield* scenario({ append, phase, buffered }, 0, seen)
            if (over) break
            for (let choice = 1; choice < options; choice++) {
              // Both phases leave much the same behind: every decision after one of them, one in turn after the other.
              const inTurn = 1 + (append % (options - 1))
              if (phase === "after" || choice === inTurn)
                yield* scenario({ append, phase, buffered }, choice, seen)
            }
          }
          if (phase === "after" && !buffered && !isSampled) assert.includeMembers([...seen], everyDecision)
        }),
      300_000
    )
  }
})

/** What must have been offered somewhere along the way. */
const everyDecision: Array<Decision> = [
  "resume",
  "verify_and_resume",
  "retry_stage",
  "skip_stage",
  "restart_as_new",
  "finish",
  "abandon"
]

const matches = (request: string, operation: string) =>
  request.endsWith(`/${operation}`) || (request === "PUT tokens" && operation === "PUT token")
