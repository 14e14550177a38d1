/** Archiving processes for tests, in memory and on a real Postgres, which can be stopped at each step. */
import { generateKeyPairSync } from "node:crypto"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import { ArchiveStore } from "../../../src/archive/ArchiveStore.ts"
import { memoryArchive } from "../../../src/archive/memoryArchive.ts"
import { Database } from "../../../src/database/Database.ts"
import { SharedTime } from "../../../src/database/SharedTime.ts"
import { makeReadArchive } from "../../../src/ledger/archive/readArchive.ts"
import { Ledger, type RunFacts } from "../../../src/ledger/Ledger.ts"
import { LedgerMemory, memoryStore } from "../../../src/ledger/LedgerMemory.ts"
import { LedgerPostgres } from "../../../src/ledger/postgres/LedgerPostgres.ts"
import { RunArchivesPostgres } from "../../../src/ledger/postgres/RunArchivesPostgres.ts"
import { RunArchives } from "../../../src/ledger/RunArchives.ts"
import { Archiving } from "../../../src/services/runs/Archiving.ts"
import { SigningKeys } from "../../../src/store/secrets/SigningKeys.ts"
import { TestDatabase } from "../TestDatabase.ts"
import { draft, newRun, started } from "./sampleRun.ts"

/** A key as SIGNING_KEYS has it. */
export const signingKey = Redacted.make(
  generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" }).toString("base64")
)

/** For what purges where nothing is archived: each method but `place` dies. */
export const noArchiving = Layer.mock(Archiving, { place: undefined })

/** Called before and after each step towards database and store, e.g. `put before`; may die, as a process does. */
export type OnStep = (step: string) => Effect.Effect<void>

/** A process that archives. */
export interface ArchivingProcess {
  readonly ledger: Ledger["Type"]
  readonly archives: RunArchives["Type"]
  readonly archiving: Archiving["Type"]
}

/** The store and the database that the processes of a test share. */
export interface ArchiveGround {
  readonly objects: Map<string, Buffer>
  readonly boot: (
    onStep?: OnStep,
    store?: ArchiveStore["Type"]
  ) => Effect.Effect<ArchivingProcess, never, Scope.Scope>
  /** Makes all that was begun two hours older. */
  readonly age: Effect.Effect<void>
  /** How many lines the tables have of the run. */
  readonly linesInTables: (runId: RunId) => Effect.Effect<number>
}

/** Makes a ground. */
export type Grounds = Effect.Effect<ArchiveGround, never, Scope.Scope>

type Methods = Readonly<Record<string, unknown>>

/** The port with `onStep` before and after each of these methods. */
const stepped = <Port extends object>(
  port: Port,
  names: ReadonlyArray<keyof Port & string>,
  onStep: OnStep
) => {
  const methods = port as Methods
  const wrapped = Object.fromEntries(
    names.map((name) => [
      name,
      (...args: ReadonlyArray<unknown>) =>
        Effect.zipRight(
          onStep(`${name} before`),
          Effect.tap(
            (methods[name] as (...given: ReadonlyArray<unknown>) => Effect.Effect<unknown>)(...args),
            () => onStep(`${name} after`)
          )
        )
    ])
  )
  return { ...port, ...wrapped }
}

const processOn = (
  base: Layer.Layer<Ledger | RunArchives>,
  store: ArchiveStore["Type"],
  onStep: OnStep
): Effect.Effect<ArchivingProcess, never, Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Layer.build(base)
    const ledger = Context.get(context, Ledger)
    const archives = Context.get(context, RunArchives)
    const built = yield* Archiving.layer.pipe(
      Layer.provide(Layer.succeed(Ledger, ledger)),
      Layer.provide(
        Layer.succeed(RunArchives, stepped(archives, ["begin", "archive", "restore", "forget"], onStep))
      ),
      Layer.provide(Layer.succeed(ArchiveStore, stepped(store, ["put", "get", "remove"], onStep))),
      Layer.provide(SigningKeys.layer({ keys: signingKey, dataDir: "" })),
      Layer.build,
      Effect.orDie
    )
    return { ledger, archives, archiving: Context.get(built, Archiving) }
  })

const quiet: OnStep = () => Effect.void

/** A ledger and an archive in memory. */
export const groundInMemory: Grounds = Effect.sync(() => {
  const objects = new Map<string, Buffer>()
  const shared = memoryStore()
  return {
    objects,
    boot: (onStep = quiet, store = memoryArchive(objects)) =>
      Effect.flatMap(makeReadArchive(store), (readArchive) =>
        processOn(LedgerMemory.layer({ store: shared, readArchive }), store, onStep)
      ),
    age: Effect.sync(() => {
      for (const [name, one] of shared.leftovers)
        shared.leftovers.set(name, { ...one, begunAt: one.begunAt - 7_200_000 })
    }),
    linesInTables: (runId) => Effect.sync(() => shared.get(runId)?.lines.length ?? 0)
  }
})

/** A ledger on a Postgres database of its own, and an archive in memory. */
export const groundOn = (database: Database["Type"]): ArchiveGround => {
  const objects = new Map<string, Buffer>()
  const pool = Effect.succeed(database.pool)
  return {
    objects,
    boot: (onStep = quiet, store = memoryArchive(objects)) =>
      processOn(
        Layer.merge(
          LedgerPostgres.layer({ pool, leaseSeconds: 60, owner: "a", readArchive: makeReadArchive(store) }),
          RunArchivesPostgres.layer(pool)
        ).pipe(Layer.provide(SharedTime.layer)),
        store,
        onStep
      ),
    age: Effect.asVoid(
      database.query({ text: "update archive_leftover set begun_at = begun_at - interval '2 hours'" })
    ),
    linesInTables: (runId) =>
      Effect.map(
        database.query<{ readonly n: number }>({
          text: "select count(*)::int as n from ledger_event where run_id = $1",
          values: [runId]
        }),
        ([row]) => row?.n ?? 0
      )
  }
}

/** As `groundOn`, on a new database. */
export const groundInPostgres: Grounds = Effect.map(Layer.build(TestDatabase), (context) =>
  groundOn(Context.get(context, Database))
)

/** A run that is over, with some lines of different kinds. */
export const endedRun = (ledger: Ledger["Type"], lines = 12, change: Partial<RunFacts> = {}) =>
  Effect.gen(function* () {
    const run = yield* newRun(ledger, change)
    yield* ledger.append(
      run.next(1, [
        started,
        draft("stage.started", { stageId: "a" }),
        ...Array.from({ length: lines - 5 }, (_, index) =>
          draft("inbound.received", { key: `in/${index}`, data: { text: `ä\u0000\ud800 漢字 🚗 ${index}` } })
        ),
        draft("stage.completed", { stageId: "a" }),
        draft("run.completed")
      ])
    )
    return run
  })
