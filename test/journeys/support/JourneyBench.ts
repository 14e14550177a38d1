/** Processes of the service over one ledger and one partner, on the test clock. A process can be made to die. */
import { Context, Effect, Exit, Layer, Option, Queue, Scope, TestClock } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { JourneyRuns } from "../../../src/journeys/JourneyRuns.ts"
import { Feed } from "../../../src/ledger/feed/feed.ts"
import { Ledger } from "../../../src/ledger/Ledger.ts"
import { LedgerMemory, memoryStore } from "../../../src/ledger/LedgerMemory.ts"
import type { RequestedAction } from "../../../src/ledger/run/RunKind.ts"
import { type RunLog, RunLogs } from "../../../src/ledger/run/RunLog.ts"
import { RunLogsLive } from "../../../src/ledger/run/RunLogsLive.ts"
import { Handshake } from "../../../src/party/registration/Handshake.ts"
import { Placement } from "../../../src/placement/Placement.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { party, type Script, scriptedPartner } from "../../support/parties/ScriptedPartner.ts"
import { layerOf, type Process as Ports, processOf } from "../../support/runs/processes.ts"

export const leaseSeconds = 15

/**
 * Dies at the append with that number: before it is written, or when it is written and not yet known to be. Unless `buffered`,
 * each event is written at once, as it is when a moment passes after each: so a number stands for one step of the run.
 */
export interface Death {
  readonly append: number
  readonly phase: "before" | "after"
  readonly buffered?: boolean
}

/** Logs that write what they are to buffer at once. */
const unbuffered = (logs: RunLogs["Type"]): RunLogs["Type"] => {
  const atOnce = <Action extends RequestedAction>(log: RunLog<Action>): RunLog<Action> => ({
    ...log,
    buffer: log.record
  })
  return {
    ...logs,
    create: (kind, facts, drafts) =>
      Effect.map(logs.create(kind, facts, drafts), ({ actions, log }) => ({ actions, log: atOnce(log) })),
    open: (kind, row) => Effect.map(logs.open(kind, row), atOnce)
  }
}

/** What is otherwise in a process than in all others. */
export interface Oddity {
  /** Between claiming a run and anything that is done with it. */
  readonly afterClaim?: Effect.Effect<void>
  /** Between reading the row of a run and anything that is done with it. */
  readonly afterRow?: Effect.Effect<void>
  readonly store?: PartyStore["Type"]
  /** Messages of the other processes to this one are lost. */
  readonly isDeaf?: boolean
}

const dying = (process: Ports, death: Death | undefined, life: { dead: boolean }): Ports => {
  let count = 0
  const unless = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => (life.dead ? Effect.never : work))
  return {
    ...process,
    append: (request) =>
      Effect.suspend(() => {
        if (life.dead) return Effect.never
        if (death === undefined) return process.append(request)
        count += 1
        if (count < death.append) return process.append(request)
        life.dead = true
        return death.phase === "after" ? Effect.zipRight(process.append(request), Effect.never) : Effect.never
      }),
    keep: (held) => unless(process.keep(held)),
    release: (runId, epoch) => unless(process.release(runId, epoch)),
    claimable: (...of) => unless(process.claimable(...of))
  }
}

/** `handshake`: what it is that registers; nothing does when unsaid. */
export const makeBench = (script: Script = {}, handshake: Partial<Handshake["Type"]> = {}) =>
  Effect.gen(function* () {
    // Never closed: a process that dies tidies nothing.
    const scope = yield* Scope.make()
    const shared = yield* Layer.buildWithScope(PartyStoreMemory, scope)
    const store = Context.get(shared, PartyStore)
    yield* store.insert(party, [])
    const partner = scriptedPartner(store, script)
    const history = memoryStore()
    let processes = 0

    const boot = (
      death?: Death,
      { afterClaim = Effect.void, afterRow = Effect.void, isDeaf = false, ...odd }: Oddity = {}
    ) =>
      Effect.gen(function* () {
        const own = yield* Scope.make()
        const life = { dead: false }
        const memory = LedgerMemory.layer({ leaseSeconds, owner: `process-${++processes}`, store: history })
        const ports = Layer.flatMap(memory, (context) => {
          const living = dying(processOf(context), death, life)
          const claim: typeof living.claim = (...of) => Effect.zipLeft(living.claim(...of), afterClaim)
          const run: typeof living.run = (...of) => Effect.zipLeft(living.run(...of), afterRow)
          const stop = isDeaf ? { ...living.stop, subscribe: Queue.unbounded<null>() } : living.stop
          return layerOf({ ...living, claim, run, stop })
        })
        const context = yield* JourneyRuns.layer({ leaseSeconds, publicUrl: "https://us.example" }).pipe(
          Layer.provide(Feed.layer()),
          Layer.provide(
            Layer.map(RunLogsLive.layer({ leaseSeconds }), (logs) =>
              death === undefined || death.buffered === true
                ? logs
                : Context.make(RunLogs, unbuffered(Context.get(logs, RunLogs)))
            )
          ),
          Layer.provideMerge(ports),
          Layer.provide(
            Layer.mergeAll(
              Layer.succeed(PartyStore, odd.store ?? store),
              partner.layer,
              Layer.mock(Handshake, handshake)
            )
          ),
          Layer.buildWithScope(own)
        )
        return {
          journeys: Context.get(context, JourneyRuns),
          ledger: Context.get(context, Ledger),
          placement: Context.get(context, Placement),
          shutDown: Scope.close(own, Exit.void),
          /** From now on it writes nothing, renews nothing and gives nothing back. */
          die: Effect.sync(() => {
            life.dead = true
          })
        }
      })
    const eventsOf = (runId: RunId) => (history.get(runId)?.lines ?? []).map(({ event }) => event)
    const statusOf = (runId: RunId): string => history.get(runId)?.snapshot.view.status ?? "unknown"
    const row = (process: { readonly ledger: Ledger["Type"] }, runId: RunId) =>
      Effect.map(Effect.orDie(process.ledger.run(party.ownerId, runId)), Option.getOrThrow)
    return { boot, eventsOf, statusOf, row, store, partner, runIds: () => [...history.keys()] }
  })
export type Bench = Effect.Effect.Success<ReturnType<typeof makeBench>>
export type Process = Effect.Effect.Success<ReturnType<Bench["boot"]>>

export const order = (templateId: string, inputs: Readonly<Record<string, unknown>> = {}) => ({
  ownerId: party.ownerId,
  partyId: party.id,
  connectionLabel: "CPO",
  templateId,
  inputs
})

/** Lets everything run that can run now. */
export const settle = Effect.repeatN(Effect.yieldNow(), 200)

/** Lets time pass, a second at a time, until the run is so; at most ten minutes. */
export const until = (bench: Bench, runId: RunId, is: (status: string) => boolean) =>
  Effect.gen(function* () {
    for (let second = 0; second < 600; second++) {
      yield* settle
      if (is(bench.statusOf(runId))) break
      yield* TestClock.adjust("1 second")
    }
    return bench.statusOf(runId)
  })

export const isTerminal = (status: string) => ["completed", "cancelled", "failed"].includes(status)

/** Whose act the outcome of each rule is. */
export const attributionsOf = (events: ReadonlyArray<LedgerEvent>) =>
  Object.fromEntries(
    events.flatMap(({ assertions }) => assertions).map(({ attribution, id }) => [id, attribution])
  )

export const outcomesOf = (events: ReadonlyArray<LedgerEvent>) =>
  Object.fromEntries(events.flatMap(({ assertions }) => assertions.map(({ id, outcome }) => [id, outcome])))
