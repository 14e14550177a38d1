/**
 * Where archived runs are kept: objects by name in a folder or a bucket of the operator. An object is written whole and never
 * changed. The database has the size and the SHA-256 of each object, and every reader compares the object with them.
 */
import { Context, Data, Effect, type Option } from "effect"

/** The store cannot be reached, refuses, or is not set. The message says which store and why, and holds no credentials. */
export class ArchiveAway extends Data.TaggedError("ArchiveAway")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** The object of a run is missing, or is not the one that was written. Reading it again does not help. */
export class ArchiveDamaged extends Data.TaggedError("ArchiveDamaged")<{
  readonly runId: string
  readonly message: string
}> {}

/** Why the lines of an archived run cannot be read. */
export type ArchiveError = ArchiveAway | ArchiveDamaged

/** Is this why the lines of an archived run cannot be read? */
export const isArchiveError = (error: unknown): error is ArchiveError =>
  error instanceof ArchiveAway || error instanceof ArchiveDamaged

/** The port. Names are those of `isObjectName`; with any other one a method dies. */
export class ArchiveStore extends Context.Tag("archive/ArchiveStore")<
  ArchiveStore,
  {
    /** Where it is, for messages, e.g. `s3://bucket/prefix`; undefined: no archive is set. */
    readonly place: string | undefined
    /** Succeeds when the object is stored whole; after a failure there may be an object or none. Replaces one of this name. */
    readonly put: (name: string, object: Buffer) => Effect.Effect<void, ArchiveAway>
    /** The object; of a larger one than `mostBytes`, no more than one byte beyond. None: there is no such object. */
    readonly get: (name: string, mostBytes: number) => Effect.Effect<Option.Option<Buffer>, ArchiveAway>
    /** Succeeds also when there is no such object. */
    readonly remove: (name: string) => Effect.Effect<void, ArchiveAway>
  }
>() {}

/** Is this the name of a run's object: `<run id>/<hash of its last line>-<begin of the object's SHA-256>.json.gz`? */
export const isObjectName = (name: string): boolean =>
  /^run_[A-Za-z0-9_-]{1,100}\/[0-9a-f]{64}-[0-9a-f]{16}\.json\.gz$/.test(name)

/** Dies of a name that leads elsewhere. Adapters run it before they use a name. */
export const named = (name: string): Effect.Effect<void> =>
  isObjectName(name)
    ? Effect.void
    : Effect.die(new Error(`${JSON.stringify(name)} is no name of an archived run`))

/** The store of a service that has none: what was archived before cannot be read. */
export const noArchive: ArchiveStore["Type"] = {
  place: undefined,
  put: () => notSet,
  get: () => notSet,
  remove: () => notSet
}

const notSet = Effect.fail(
  new ArchiveAway({ message: "No archive is set: give ARCHIVE_URL, where archived runs are" })
)
