/** What archiving promises, whatever the ledger is on: lines are read as they were written, wherever they are. */
import { gunzipSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Either, Exit, Option, type Scope } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { ArchiveAway, isObjectName } from "../../src/archive/ArchiveStore.ts"
import { memoryArchive } from "../../src/archive/memoryArchive.ts"
import type { Ledger } from "../../src/ledger/Ledger.ts"
import { verifyExport } from "../../src/services/runs/verifyExport.ts"
import {
  type ArchiveGround,
  endedRun,
  type Grounds,
  type OnStep,
  signingKey
} from "../support/runs/archives.ts"
import { publicKeyOf } from "../support/runs/publicKeyOf.ts"
import { draft, newRun, started } from "../support/runs/sampleRun.ts"

/** All that `page` answers of a run, in each way in which it is asked. */
const everyReading = (ledger: Ledger["Type"], runId: RunId) =>
  Effect.all({
    all: ledger.page(runId, 0, 1000),
    middle: ledger.page(runId, 3, 4),
    beyond: ledger.page(runId, 1000, 10),
    byType: ledger.page(runId, 0, 2, { type: "inbound.received" }),
    byStage: ledger.page(runId, 0, 10, { stageId: "a" }),
    bySize: ledger.page(runId, 2, 100, { maxBytes: 600 })
  })

export const archivingContract = (name: string, grounds: Grounds) =>
  describe(name, () => {
    const promise = (
      title: string,
      body: (ground: ArchiveGround) => Effect.Effect<void, unknown, Scope.Scope>
    ) => it.scopedLive(title, () => Effect.flatMap(grounds, body), 60_000)

    promise("reads an archived run as before, and a restored one again", (ground) =>
      Effect.gen(function* () {
        const { archiving, ledger } = yield* ground.boot()
        const { facts, runId } = yield* endedRun(ledger)
        const before = yield* everyReading(ledger, runId)
        assert.lengthOf(before.all, 12)
        const row = Option.getOrThrow(yield* ledger.run(facts.ownerId, runId))
        assert.strictEqual(yield* archiving.archive(runId), "done")
        assert.strictEqual(yield* archiving.archive(runId), "before")
        assert.strictEqual(yield* ground.linesInTables(runId), 0)
        assert.deepStrictEqual(yield* everyReading(ledger, runId), before)
        const archived = Option.getOrThrow(yield* ledger.run(facts.ownerId, runId))
        assert.deepStrictEqual(
          JSON.parse(JSON.stringify(archived)),
          JSON.parse(JSON.stringify({ ...row, archived: true }))
        )
        assert.strictEqual(yield* archiving.restore(runId), "done")
        assert.strictEqual(yield* archiving.restore(runId), "before")
        assert.strictEqual(yield* ground.linesInTables(runId), 12)
        assert.deepStrictEqual(yield* everyReading(ledger, runId), before)
        assert.strictEqual(yield* archiving.removeLeftovers, 1)
        assert.lengthOf([...ground.objects], 0)
        assert.strictEqual(yield* archiving.archive(runId), "done")
        assert.deepStrictEqual(yield* everyReading(ledger, runId), before)
      })
    )

    promise("is read by another process, too", (ground) =>
      Effect.gen(function* () {
        const [a, b] = [yield* ground.boot(), yield* ground.boot()]
        const { runId } = yield* endedRun(a.ledger)
        const before = yield* everyReading(b.ledger, runId)
        yield* a.archiving.archive(runId)
        assert.deepStrictEqual(yield* everyReading(b.ledger, runId), before)
      })
    )

    promise("stores a signed export, which verifies without plugfest's database", (ground) =>
      Effect.gen(function* () {
        const { archiving, ledger } = yield* ground.boot()
        const { runId } = yield* endedRun(ledger)
        yield* archiving.archive(runId)
        const [[objectName, object]] = [...ground.objects] as [[string, Buffer]]
        assert.isTrue(isObjectName(objectName) && objectName.startsWith(`${runId}/`))
        const found = Either.getOrThrow(verifyExport(gunzipSync(object).toString(), publicKeyOf(signingKey)))
        assert.deepInclude(found, { runId, lines: 12, signature: "valid" })
        assert.include(objectName, found.headHash)
      })
    )

    promise("archives by age the oldest first, and only what is over", (ground) =>
      Effect.gen(function* () {
        const { archiving, ledger } = yield* ground.boot()
        const first = yield* endedRun(ledger)
        yield* Effect.sleep("5 millis")
        const second = yield* endedRun(ledger)
        const open = yield* newRun(ledger)
        yield* ledger.append(open.next(1, [started]))
        yield* Effect.sleep("5 millis")
        assert.deepStrictEqual(yield* archiving.due(1), [])
        assert.deepStrictEqual(yield* archiving.due(0), [first.runId, second.runId])
        assert.deepStrictEqual(yield* archiving.archiveOlder(0), [first.runId, second.runId])
        assert.deepStrictEqual(yield* archiving.due(0), [])
        assert.deepStrictEqual(yield* archiving.archive(open.runId), { kept: "the run has not ended" })
        assert.strictEqual(yield* ground.linesInTables(open.runId), 2)
        const unknown = "run_nosuch" as RunId
        assert.deepStrictEqual(yield* archiving.archive(unknown), { kept: "the run is unknown" })
        assert.deepStrictEqual(yield* archiving.restore(unknown), { kept: "the run is unknown" })
      })
    )

    promise("forgets an archived run with its object, and keeps the tombstone", (ground) =>
      Effect.gen(function* () {
        const { archiving, ledger } = yield* ground.boot()
        const { facts, runId } = yield* endedRun(ledger)
        const { headHash } = Option.getOrThrow(yield* ledger.run(facts.ownerId, runId))
        yield* archiving.archive(runId)
        assert.isTrue(yield* ledger.purge(runId, "on request"))
        assert.deepInclude(Option.getOrThrow(yield* ledger.tombstone(facts.ownerId, runId)), {
          lines: 12,
          headHash
        })
        assert.lengthOf(yield* ledger.page(runId, 0, 10), 0)
        assert.lengthOf(yield* archiving.leftovers, 1)
        assert.strictEqual(yield* archiving.removeLeftovers, 1)
        assert.lengthOf([...ground.objects], 0)
        assert.lengthOf(yield* archiving.leftovers, 0)
      })
    )

    promise("lets one of several processes archive a run, and the others leave nothing behind", (ground) =>
      Effect.gen(function* () {
        const processes = [yield* ground.boot(), yield* ground.boot(), yield* ground.boot()]
        const { runId } = yield* endedRun(processes[0]!.ledger)
        const before = yield* everyReading(processes[0]!.ledger, runId)
        const moved = yield* Effect.all(
          processes.map(({ archiving }) => archiving.archive(runId, { evenIfBegun: true })),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          moved.filter((one) => one === "done"),
          1,
          JSON.stringify(moved)
        )
        yield* processes[1]!.archiving.removeLeftovers
        assert.lengthOf([...ground.objects], 1)
        assert.deepStrictEqual(yield* everyReading(processes[2]!.ledger, runId), before)
      })
    )

    promise("leaves a run to the process that has begun to archive it", (ground) =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const stays = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
        const a = yield* ground.boot((step) => (step === "put before" ? stays : Effect.void))
        const b = yield* ground.boot()
        const { runId } = yield* endedRun(a.ledger)
        yield* Effect.race(a.archiving.archive(runId), Deferred.await(begun))
        assert.deepStrictEqual(yield* b.archiving.archive(runId), {
          kept: "another process has begun to archive it"
        })
        assert.strictEqual(yield* b.archiving.archive(runId, { evenIfBegun: true }), "done")
      })
    )

    /** Archives or restores until the step, at which the process is no more. */
    const killedAt = (ground: ArchiveGround, at: string, runId: RunId, what: "archive" | "restore") =>
      Effect.gen(function* () {
        const reached: Array<string> = []
        const onStep: OnStep = (step) =>
          Effect.suspend(() => {
            reached.push(step)
            return step === at ? Effect.die("killed") : Effect.void
          })
        const { archiving } = yield* ground.boot(onStep)
        const work =
          what === "archive"
            ? Effect.asVoid(archiving.archive(runId))
            : Effect.zipRight(archiving.restore(runId), Effect.asVoid(archiving.removeLeftovers))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(work)), `not killed; ${reached}`)
        assert.strictEqual(reached.at(-1), at)
      })

    for (const at of [
      ...["begin before", "begin after", "put before", "put after"],
      ...["get before", "get after", "archive before", "archive after"]
    ])
      promise(`loses nothing and keeps nothing twice when it is killed while it archives: ${at}`, (ground) =>
        Effect.gen(function* () {
          const { archiving, ledger } = yield* ground.boot()
          const { runId } = yield* endedRun(ledger)
          const before = yield* everyReading(ledger, runId)
          yield* killedAt(ground, at, runId, "archive")
          assert.deepStrictEqual(yield* everyReading(ledger, runId), before)
          // What was begun just now is left alone.
          yield* archiving.removeLeftovers
          assert.deepStrictEqual(yield* everyReading(ledger, runId), before)
          const again = yield* archiving.archive(runId, { evenIfBegun: true })
          assert.strictEqual(again, at === "archive after" ? "before" : "done")
          assert.deepStrictEqual(yield* everyReading(ledger, runId), before)
          yield* ground.age
          yield* archiving.removeLeftovers
          assert.lengthOf([...ground.objects], 1)
          assert.lengthOf(yield* archiving.leftovers, 0)
          assert.deepStrictEqual(yield* everyReading((yield* ground.boot()).ledger, runId), before)
        })
      )

    for (const at of [
      ...["get before", "get after", "restore before", "restore after"],
      ...["remove before", "remove after", "forget before", "forget after"]
    ])
      promise(`loses nothing and keeps nothing twice when it is killed while it restores: ${at}`, (ground) =>
        Effect.gen(function* () {
          const { archiving, ledger } = yield* ground.boot()
          const { runId } = yield* endedRun(ledger)
          const before = yield* everyReading(ledger, runId)
          yield* archiving.archive(runId)
          yield* killedAt(ground, at, runId, "restore")
          const fresh = yield* ground.boot()
          assert.deepStrictEqual(yield* everyReading(fresh.ledger, runId), before)
          yield* fresh.archiving.restore(runId)
          yield* fresh.archiving.removeLeftovers
          assert.deepStrictEqual(yield* everyReading(fresh.ledger, runId), before)
          assert.strictEqual(yield* ground.linesInTables(runId), 12)
          assert.lengthOf([...ground.objects], 0)
        })
      )

    promise("does not note an object that its process took too long to write", (ground) =>
      Effect.gen(function* () {
        const other = yield* ground.boot()
        // An hour passes while the object is read back, and another process removes what is unfinished.
        const { archiving, ledger } = yield* ground.boot((step) =>
          step === "archive before"
            ? Effect.orDie(Effect.zipRight(ground.age, Effect.asVoid(other.archiving.removeLeftovers)))
            : Effect.void
        )
        const { runId } = yield* endedRun(ledger)
        assert.deepStrictEqual(yield* archiving.archive(runId), {
          kept: "another process has archived or purged it meanwhile"
        })
        assert.strictEqual(yield* ground.linesInTables(runId), 12)
        assert.lengthOf([...ground.objects], 0)
      })
    )

    promise("does not archive what cannot be read back as it was written", (ground) =>
      Effect.gen(function* () {
        for (const spoil of [
          (object: Buffer) => object.subarray(0, -1),
          (object: Buffer) => Buffer.concat([object, Buffer.from("x")]),
          (object: Buffer) =>
            gzipSync(
              gunzipSync(object)
                .toString()
                .replace(/"sig":"./, '"sig":"_')
            ),
          () => undefined
        ]) {
          const store = memoryArchive(ground.objects)
          const { archiving, ledger } = yield* ground.boot(undefined, {
            ...store,
            put: (objectName, object) => {
              const spoilt = spoil(object)
              return spoilt === undefined ? Effect.void : store.put(objectName, spoilt)
            }
          })
          const { runId } = yield* endedRun(ledger)
          const moved = yield* archiving.archive(runId)
          assert.match(JSON.stringify(moved), /the object that was just stored cannot be used/)
          assert.strictEqual(yield* ground.linesInTables(runId), 12)
          yield* archiving.removeLeftovers
          assert.lengthOf([...ground.objects], 0)
        }
      })
    )

    const damages: Readonly<Record<string, readonly [(all: Map<string, Buffer>) => void, RegExp]>> = {
      "is not there": [(all) => all.clear(), /it is not there/],
      "was cut off": [
        (all) => change(all, (object) => object.subarray(0, 100)),
        /it has 100 bytes, and had \d+/
      ],
      "is of another run": [(all) => swap(all), /its SHA-256 is another one|bytes, and had/],
      "has one other bit": [
        (all) =>
          change(all, (object) => {
            const other = Buffer.from(object)
            other[40]! ^= 1
            return other
          }),
        /its SHA-256 is another one/
      ],
      "was edited and compressed again": [
        (all) =>
          change(all, (object) => {
            const envelope = JSON.parse(gunzipSync(object).toString())
            const payload = Buffer.from(envelope.payload, "base64")
              .toString()
              .replace("run.started", "run.Started")
            return gzipSync(JSON.stringify({ ...envelope, payload: Buffer.from(payload).toString("base64") }))
          }),
        /its SHA-256 is another one|bytes, and had/
      ],
      "is a bomb": [
        (all) => change(all, () => gzipSync(Buffer.alloc(20_000_000))),
        /it has more bytes, and had \d+/
      ]
    }
    for (const [title, [damage, says]] of Object.entries(damages))
      promise(`says so when an object ${title}, and gives back no line of it`, (ground) =>
        Effect.gen(function* () {
          const { archiving, ledger } = yield* ground.boot()
          const [one, other] = [yield* endedRun(ledger), yield* endedRun(ledger)]
          yield* archiving.archive(one.runId)
          yield* archiving.archive(other.runId)
          damage(ground.objects)
          const error = yield* Effect.flip(ledger.page(one.runId, 0, 10))
          assert.strictEqual(error._tag, "ArchiveDamaged")
          assert.isTrue(
            error.message.startsWith(`The archive of run ${one.runId} is damaged: `),
            error.message
          )
          assert.match(error.message, says)
          const moved = yield* archiving.restore(one.runId)
          assert.match(JSON.stringify(moved), says)
          assert.strictEqual(yield* ground.linesInTables(one.runId), 0)
        })
      )

    promise("says that the archive cannot be reached, and reads on when it can", (ground) =>
      Effect.gen(function* () {
        const away = new ArchiveAway({ message: "The archive memory cannot be used now (ECONNREFUSED)" })
        const store = memoryArchive(ground.objects)
        let isAway = false
        const when = <A, E>(work: Effect.Effect<A, E>) =>
          Effect.suspend((): Effect.Effect<A, E | ArchiveAway> => (isAway ? away : work))
        const { archiving, ledger } = yield* ground.boot(undefined, {
          ...store,
          get: (objectName, most) => when(store.get(objectName, most)),
          put: (objectName, object) => when(store.put(objectName, object)),
          remove: (objectName) => when(store.remove(objectName))
        })
        const [one, other] = [yield* endedRun(ledger), yield* endedRun(ledger)]
        const before = yield* everyReading(ledger, one.runId)
        yield* archiving.archive(one.runId)
        isAway = true
        for (const tried of [
          Effect.asVoid(ledger.page(one.runId, 0, 10)),
          Effect.asVoid(archiving.archive(other.runId)),
          Effect.asVoid(archiving.restore(one.runId))
        ]) {
          const error = yield* Effect.flip(tried)
          assert.deepStrictEqual([error._tag, error.message], ["ArchiveAway", away.message])
        }
        assert.strictEqual(yield* ground.linesInTables(other.runId), 12)
        // Beyond the last line nothing is read.
        assert.deepStrictEqual(yield* ledger.page(one.runId, 12, 10), [])
        isAway = false
        assert.deepStrictEqual(yield* everyReading(ledger, one.runId), before)
        // And from memory when it is away again.
        isAway = true
        assert.deepStrictEqual(yield* everyReading(ledger, one.runId), before)
      })
    )

    promise("puts nothing more into an archived run", (ground) =>
      Effect.gen(function* () {
        const { archiving, ledger } = yield* ground.boot()
        const run = yield* endedRun(ledger)
        yield* archiving.archive(run.runId)
        const error = yield* Effect.flip(ledger.append(run.next(1, [draft("cancel.requested")])))
        assert.strictEqual(error._tag, "StaleRun")
        assert.strictEqual(yield* ground.linesInTables(run.runId), 0)
      })
    )
  })

function change(objects: Map<string, Buffer>, of: (object: Buffer) => Buffer): void {
  for (const [objectName, object] of objects) objects.set(objectName, of(object))
}

function swap(objects: Map<string, Buffer>): void {
  const [[one, first], [other, second]] = [...objects] as [[string, Buffer], [string, Buffer]]
  objects.set(one, second).set(other, first)
}
