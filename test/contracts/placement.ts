/** What every placement promises of the processes on one store: who works on what, and who is alive. */
import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Option, Queue, Ref, type Scope } from "effect"
import { OwnerId, type RunId } from "../../schema/Ids.ts"
import { claimedBy, type MortalProcess, type Processes } from "../support/runs/processes.ts"
import { abandon, draft, interrupted, newRun, started } from "../support/runs/sampleRun.ts"

/** Leases that nobody is to lose, however slow the machine, and leases that run out soon. */
const long = 60
const short = 5

/**
 * Until these runs, and no others, are offered by one of these processes or the other. A run is offered by none for a moment, while
 * what it falls to moves between processes that have just come.
 */
const offered = (
  expected: ReadonlyArray<RunId>,
  processes: ReadonlyArray<MortalProcess>,
  ...query: Parameters<MortalProcess["claimable"]>
) =>
  Effect.gen(function* () {
    for (let looks = 0; ; looks++) {
      const lists = yield* Effect.all(processes.map(({ claimable }) => claimable(...query)))
      const found = [...new Set(lists.flat())]
      if (looks === 200 || found.toSorted().join() === expected.toSorted().join())
        return assert.sameMembers(found, [...expected])
      yield* Effect.sleep("100 millis")
    }
  })

/** `lost`: when the runs of a process with a short lease are lost. */
export const placementContract = (
  name: string,
  processes: Processes,
  lost: Duration.DurationInput = "5500 millis"
) =>
  // Each promise has a store of its own, and mostly waits.
  describe(name, { concurrent: true }, () => {
    const promise = (
      title: string,
      body: (a: MortalProcess, b: MortalProcess) => Effect.Effect<void, unknown, Scope.Scope>,
      leaseSeconds = long
    ) =>
      it.scopedLive(
        title,
        () =>
          Effect.gen(function* () {
            const boot = yield* processes(leaseSeconds)
            yield* body(yield* boot("a"), yield* boot("b"))
          }),
        // All at once, on a machine that may be busy: how long a promise takes is not what is asked.
        60_000
      )

    promise("tells who works on the open runs of an owner, and at which epoch", (a, b) =>
      Effect.gen(function* () {
        const ownerId = OwnerId.make("own_leases")
        const leases = (query: Partial<Parameters<MortalProcess["leases"]>[0]> = {}) =>
          Effect.map(a.leases({ ownerId, limit: 10, ...query }), (found) =>
            found.map(({ epoch, processId, runId, valid }) => [runId, epoch, processId, valid])
          )
        assert.deepStrictEqual(yield* leases(), [])
        const journey = yield* newRun(a, { ownerId })
        const suite = yield* newRun(a, { ownerId, kind: "conformance" })
        const over = yield* newRun(a, { ownerId })
        yield* newRun(a)
        yield* a.append(over.next(1, [started, draft("run.completed")]))
        yield* a.release(journey.runId, 1)
        assert.deepStrictEqual(yield* leases(), [
          [suite.runId, 1, "a", true],
          [journey.runId, 1, null, false]
        ])
        yield* b.claim(journey.runId)
        assert.deepStrictEqual(yield* leases({ kind: "journey" }), [[journey.runId, 2, "b", true]])
        assert.deepStrictEqual(yield* leases({ cursor: suite.runId }), [[journey.runId, 2, "b", true]])
        assert.lengthOf(yield* leases({ limit: 1 }), 1)
        assert.deepStrictEqual(yield* leases({ cursor: "run\0" }), [])
        const [found] = yield* a.leases({ ownerId, limit: 10 })
        assert.isAbove(Date.parse(found!.until), Date.parse(yield* a.now))
      })
    )

    promise("gives a run to exactly one of two that claim it", (a, b) =>
      Effect.gen(function* () {
        const { runId } = yield* newRun(a)
        yield* a.release(runId, 1)
        const claims = yield* Effect.all(
          Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? a : b).claim(runId)),
          { concurrency: "unbounded" }
        )
        const won = claims.filter(Option.isSome).map(({ value }) => value)
        assert.deepStrictEqual(won, [{ runId, epoch: 2, released: true }])
      })
    )

    promise("gives a run back for its owner alone", (a, b) =>
      Effect.gen(function* () {
        const { runId } = yield* newRun(a)
        yield* b.release(runId, 1)
        yield* a.release(runId, 2)
        assert.isTrue(Option.isNone(yield* b.claim(runId)))
        yield* a.release(runId, 1)
        assert.isTrue(Option.isSome(yield* b.claim(runId)))
        yield* a.release(runId, 1)
        assert.isTrue(Option.isNone(yield* a.claim(runId)))
      })
    )

    promise("gives a run up, as lost, for its owner alone", (a, b) =>
      Effect.gen(function* () {
        const { runId } = yield* newRun(a)
        yield* b.giveUp(runId, 1)
        yield* a.giveUp(runId, 2)
        assert.isTrue(Option.isNone(yield* b.claim(runId)))
        yield* a.giveUp(runId, 1)
        yield* offered([runId], [a, b], 10)
        const claim = Option.getOrThrow(yield* b.claim(runId))
        assert.deepStrictEqual(claim, { runId, epoch: 2, released: false })
        yield* a.giveUp(runId, 1)
        assert.isTrue(Option.isNone(yield* a.claim(runId)))
      })
    )

    promise(
      "frees all runs of a process that has died, as lost, and not before",
      (a, b) =>
        Effect.gen(function* () {
          const made = yield* Effect.all([newRun(a), newRun(a), newRun(a)])
          const ids = made.map(({ runId }) => runId)
          for (const id of ids) assert.isTrue(Option.isNone(yield* b.claim(id)))
          assert.deepStrictEqual(yield* b.claimable(10), [])
          yield* a.die
          yield* Effect.sleep(lost)
          yield* offered(ids, [b], 10)
          for (const { facts, next, runId } of made) {
            const found = Option.getOrThrow(yield* b.run(facts.ownerId, runId))
            assert.deepInclude(found, { leaseAlive: false, released: false })
            const claim = Option.getOrThrow(yield* b.claim(runId))
            assert.deepStrictEqual(claim, { runId, epoch: 2, released: false })
            assert.strictEqual((yield* Effect.flip(a.append(next(1, [started]))))._tag, "StaleRun")
          }
          assert.deepStrictEqual(yield* b.claimable(10), [])
        }),
      short
    )

    promise("offers for taking up what nobody holds and what still wants a worker", (a, b) =>
      Effect.gen(function* () {
        const [held, given, over, halted] = yield* Effect.all([newRun(a), newRun(a), newRun(a), newRun(a)])
        yield* a.append(over.next(1, [started, draft("run.completed")]))
        yield* a.append(halted.next(1, [started, interrupted, draft("recovery.offered")]))
        for (const { runId } of [given, over, halted]) yield* a.release(runId, 1)
        yield* offered([given.runId], [a, b], 100)
        yield* offered([given.runId], [a, b], 100, "journey")
        yield* offered([], [a, b], 100, "journey", [given.runId])
        yield* offered([], [a, b], 10, "conformance")
        assert.isTrue(Option.isNone(yield* b.claim(given.runId, { kind: "conformance" })))
        assert.isTrue(Option.isNone(yield* b.claim(over.runId, { fromInterrupted: true })))
        assert.isTrue(Option.isNone(yield* b.claim(halted.runId)))
        const row = Option.getOrThrow(yield* claimedBy(b, halted.runId, { fromInterrupted: true }))
        assert.deepStrictEqual(row.snapshot.view.recoveryOptions, [abandon])
        assert.deepInclude(row, { leaseEpoch: 2, leaseAlive: true, released: true })
        assert.isTrue(Option.isNone(yield* b.claim(held.runId)))
      })
    )

    promise(
      "names the runs that are lost when it keeps them",
      (a, b) =>
        Effect.gen(function* () {
          const [kept, stolen] = yield* Effect.all([newRun(a), newRun(a)])
          const held = [kept, stolen].map(({ runId }) => ({ runId, epoch: 1 }))
          assert.deepStrictEqual(yield* a.keep(held), [])
          yield* a.die
          yield* Effect.sleep(lost)
          yield* b.claim(stolen.runId)
          assert.deepStrictEqual(yield* a.keep(held), [stolen.runId])
          yield* a.release(stolen.runId, 1)
          assert.isTrue(Option.isNone(yield* a.claim(stolen.runId)))
        }),
      short
    )

    promise(
      "gives up, as lost, what it owns and has not worked on for a lease's term",
      (a, b) =>
        Effect.gen(function* () {
          const [worked, forgotten] = yield* Effect.all([newRun(a), newRun(a)])
          const held = [{ runId: worked.runId, epoch: 1 }]
          yield* a.keep(held)
          assert.deepStrictEqual(yield* b.claimable(10), [])
          yield* Effect.sleep(lost)
          assert.deepStrictEqual(yield* a.keep(held), [])
          yield* offered([forgotten.runId], [a, b], 10)
          const claim = Option.getOrThrow(yield* b.claim(forgotten.runId))
          assert.deepStrictEqual(claim, { runId: forgotten.runId, epoch: 2, released: false })
        }),
      short
    )

    promise(
      "counts who creates or claims a run as alive, although its heartbeat is late",
      (a, b) =>
        Effect.gen(function* () {
          const given = yield* newRun(b)
          yield* b.release(given.runId, 1)
          yield* a.die
          yield* Effect.sleep(lost)
          const made = yield* newRun(a)
          assert.isTrue(Option.isSome(yield* a.claim(given.runId)))
          assert.deepStrictEqual(yield* b.claimable(10), [])
          for (const { runId } of [made, given]) assert.isTrue(Option.isNone(yield* b.claim(runId)))
        }),
      short
    )

    promise("hears requests to stop a run from the other processes, and not its own", (a, b) =>
      Effect.gen(function* () {
        const [atA, atB] = yield* Effect.all([a.stop.subscribe, b.stop.subscribe])
        // A process that works on a run tells nobody, so there are many.
        const runIds = (yield* Effect.all(Array.from({ length: 16 }, () => newRun(b)))).map(
          ({ runId }) => runId
        )
        /** What a new listener may have missed is told to it as null. */
        const next = (requests: Queue.Dequeue<RunId | null>) =>
          Effect.repeat(Queue.take(requests), { until: (id) => id !== null })
        // A listener that has just come may miss one, so it is repeated, as `stopRun` does.
        const heard = yield* Effect.fork(next(atB))
        yield* Effect.race(
          Effect.forever(
            Effect.delay(Effect.forEach(runIds, a.stop.publish, { discard: true }), "50 millis")
          ),
          Effect.timeout(heard.await, "30 seconds")
        )
        assert.include(runIds, yield* heard)
        yield* Effect.sleep("200 millis")
        for (const runId of yield* Queue.takeAll(atA)) assert.notInclude(runIds, runId)
      })
    )

    promise("has a singleton work in one process at a time, and in another one when that ends", (a, b) =>
      Effect.gen(function* () {
        const working: Array<string> = []
        const atWork = ({ processId, singleton }: MortalProcess) =>
          singleton(
            "test",
            Effect.zipRight(
              Effect.sync(() => void working.push(processId)),
              Effect.ensuring(
                Effect.never,
                Effect.sync(() => void working.splice(working.indexOf(processId), 1))
              )
            )
          )
        /** Until somebody works. */
        const worker: Effect.Effect<string | undefined> = Effect.suspend(() =>
          working.length > 0 ? Effect.succeed(working[0]) : Effect.delay(worker, "50 millis")
        )
        yield* atWork(a)
        yield* atWork(b)
        yield* Effect.timeout(worker, "30 seconds")
        yield* Effect.sleep("1500 millis")
        assert.lengthOf(working, 1)
        const [one, other] = working[0] === "a" ? [a, b] : [b, a]
        yield* one.end
        assert.strictEqual(yield* Effect.timeout(worker, "30 seconds"), other.processId)
      })
    )

    promise(
      "knows which processes are alive",
      (a, b) =>
        Effect.gen(function* () {
          const alive = Effect.map(b.living, (ids) => [...ids].sort())
          assert.strictEqual(a.processId, "a")
          assert.deepStrictEqual(yield* alive, ["a", "b"])
          yield* a.die
          yield* Effect.sleep(lost)
          assert.deepStrictEqual(yield* alive, ["b"])
          const known = yield* b.known
          assert.deepStrictEqual(
            known.map((one) => [one.id, one.alive]),
            [
              ["b", true],
              ["a", false]
            ]
          )
          assert.isTrue(known.every(({ aliveUntil, startedAt }) => startedAt < aliveUntil))
        }),
      short
    )

    promise("forgets a process that ends in order, at once", (a, b) =>
      Effect.gen(function* () {
        yield* a.end
        assert.deepStrictEqual([...(yield* b.living)], ["b"])
        assert.lengthOf(yield* b.known, 1)
      })
    )

    describe("lets one process at a time carry on a work", () => {
      /** A record that names its process, and is changed by compare and set, as stored objects are. */
      const work = Effect.map(Ref.make<string | undefined>(undefined), (record) => ({
        record,
        takenBy: ({ carryOn, processId }: MortalProcess) =>
          carryOn(
            "work",
            Effect.map(Ref.get(record), (by) => ({
              by,
              take: Ref.modify(record, (now) => (now === by ? [true, processId] : [false, now]))
            }))
          )
      }))

      promise("of many that try", (a, b) =>
        Effect.gen(function* () {
          const { record, takenBy } = yield* work
          const tries = yield* Effect.all(
            Array.from({ length: 10 }, (_, index) => takenBy(index % 2 === 0 ? a : b)),
            { concurrency: "unbounded" }
          )
          const by = yield* Ref.get(record)
          assert.deepStrictEqual(
            tries,
            tries.map((_, index) => by === (index % 2 === 0 ? "a" : "b"))
          )
        })
      )

      promise(
        "until it has died",
        (a, b) =>
          Effect.gen(function* () {
            const { takenBy } = yield* work
            assert.isTrue(yield* takenBy(a))
            assert.isFalse(yield* takenBy(b))
            yield* a.die
            yield* Effect.sleep(lost)
            assert.isTrue(yield* takenBy(b))
          }),
        short
      )

      promise("and none where there is no such work", (a) =>
        Effect.map(a.carryOn("none", Effect.succeed(undefined)), (ours) => assert.isFalse(ours))
      )
    })
  })
