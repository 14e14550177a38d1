/** Reads the lines of archived runs for all of this process, and remembers those that were read last. */
import { Deferred, Effect, Either, Option } from "effect"
import { ArchiveDamaged, type ArchiveError, type ArchiveStore } from "../../archive/ArchiveStore.ts"
import { traced } from "../../telemetry/traced.ts"
import type { ArchiveNote, ReadArchive, WholeLine } from "../Ledger.ts"
import { linesOf } from "./archiveObject.ts"

/** Bounds of what is in memory. */
interface ReadArchiveOptions {
  /** Bytes of the lines of all runs that are remembered; the run that was read last is, whatever its size. Default 64 MiB. */
  readonly mostBytes?: number
  /** Objects that are read at a time. Default 2. */
  readonly concurrency?: number
}

type Lines = ReadonlyArray<WholeLine>

/** An object that is being read, and how many wait for it. */
type Reading = Deferred.Deferred<Lines, ArchiveError>

/** The lines of a run, read and checked; damage is logged. */
export const readObject = traced("archive.readObject")(function* (
  store: ArchiveStore["Type"],
  note: ArchiveNote
) {
  const object = yield* store.get(note.name, note.bytes)
  const lines = Option.isNone(object)
    ? Either.left("it is not there")
    : yield* Effect.promise(() => linesOf(note, object.value))
  if (Either.isRight(lines)) return lines.right
  const damaged = new ArchiveDamaged({
    runId: note.runId,
    message: `The archive of run ${note.runId} is damaged: ${lines.left} (object ${note.name} in ${store.place})`
  })
  yield* Effect.logError(damaged.message)
  return yield* damaged
})

/**
 * Makes the function that reads archived runs in this process. Requests for the same run share one read of its object. That read
 * runs in the scope given here, not in the first request, so it continues when that request is interrupted.
 */
export const makeReadArchive = Effect.fnUntraced(function* (
  store: ArchiveStore["Type"],
  { concurrency = 2, mostBytes = 64 * 1024 * 1024 }: ReadArchiveOptions = {}
) {
  const scope = yield* Effect.scope
  const turns = yield* Effect.makeSemaphore(concurrency)
  /** By name of the object, those that were asked for last at the end. */
  const known = new Map<string, { readonly lines: Lines; readonly bytes: number }>()
  const reading = new Map<string, Reading>()
  let bytes = 0

  const remember = (name: string, lines: Lines, size: number) => {
    known.set(name, { lines, bytes: size })
    bytes += size
    for (const [oldest, { bytes: freed }] of known) {
      if (bytes <= mostBytes || oldest === name) return
      known.delete(oldest)
      bytes -= freed
    }
  }

  const start = Effect.fnUntraced(function* (note: ArchiveNote): Effect.fn.Return<Reading> {
    const begun = yield* Deferred.make<Lines, ArchiveError>()
    reading.set(note.name, begun)
    const work = turns
      .withPermits(1)(readObject(store, note))
      .pipe(
        Effect.tap((lines) => Effect.sync(() => remember(note.name, lines, note.textBytes))),
        Effect.onExit((exit) => {
          reading.delete(note.name)
          return Deferred.done(begun, exit)
        })
      )
    yield* Effect.forkIn(Effect.interruptible(Effect.exit(work)), scope)
    return begun
  })

  const read: ReadArchive = (note) =>
    Effect.suspend(() => {
      const remembered = known.get(note.name)
      if (remembered !== undefined) {
        known.delete(note.name)
        known.set(note.name, remembered)
        return Effect.succeed(remembered.lines)
      }
      const begun = reading.get(note.name)
      const waited = begun === undefined ? Effect.uninterruptible(start(note)) : Effect.succeed(begun)
      return Effect.flatMap(waited, Deferred.await)
    })
  return read
})
