/** The ledger in memory: the same contract, for one process or for several layers over one store. */
import { Clock, Context, Effect, Layer, Option, PubSub } from "effect"
import { dayMillis } from "../../schema/fields/durations.ts"
import type { RunId } from "../../schema/Ids.ts"
import { isTerminal } from "../../schema/RunReport.ts"
import { Placement } from "../placement/Placement.ts"
import { makePlacementMemory, PlacementStore } from "../placement/PlacementMemory.ts"
import { makeCommits } from "./commits.ts"
import {
  type Append,
  type ArchiveNote,
  Ledger,
  type Line,
  type ReadArchive,
  type RunFacts,
  type RunRow,
  type RunSnapshot,
  StaleRun,
  type Tombstone
} from "./Ledger.ts"
import { archivedPage, pageOfLines, unread } from "./pageOfLines.ts"
import { commitOf } from "./postgres/groupCommit.ts"
import { RunArchives } from "./RunArchives.ts"
import { LeftoverStore, makeRunArchivesMemory } from "./RunArchivesMemory.ts"

interface MemoryRun {
  readonly facts: RunFacts
  readonly lines: Array<Line>
  readonly eventIds: Set<string>
  snapshot: RunSnapshot
  headHash: string
  /** Where the lines are when they are not here. */
  archived?: ArchiveNote | undefined
}

/** The data that several layers share, each of which stands for a process. */
export class MemoryStore extends Map<RunId, MemoryRun> {
  readonly tombstones: Array<{ readonly facts: RunFacts; readonly tombstone: Tombstone }> = []
  /** Which process owns each run. */
  readonly placement = new PlacementStore()
  /** Objects of the archive that no run needs. */
  readonly leftovers = new LeftoverStore()
}
/** An empty store. */
export const memoryStore = (): MemoryStore => new MemoryStore()

/** Defaults: a lease of 15 s, the owner `memory`, an empty store. */
interface LedgerMemoryOptions {
  readonly leaseSeconds?: number
  readonly owner?: string
  readonly store?: MemoryStore
  /** Reads the lines of archived runs. Default: there is no archive. */
  readonly readArchive?: ReadArchive
}

const make = Effect.fnUntraced(function* ({
  leaseSeconds,
  owner,
  readArchive,
  store
}: Required<LedgerMemoryOptions>) {
  const { onCommit, tell } = makeCommits()
  const wakes = yield* PubSub.sliding<RunId | null>(1)
  const clock = yield* Effect.clock
  const nowMillis = () => clock.unsafeCurrentTimeMillis()
  const term = leaseSeconds * 1000

  const placeOf = ({ facts }: MemoryRun) => store.placement.runs.get(facts.runId)!
  const rowOf = (run: MemoryRun): RunRow => {
    const place = placeOf(run)
    return {
      facts: run.facts,
      snapshot: copyOf(run.snapshot),
      headHash: run.headHash,
      leaseEpoch: place.epoch,
      leaseAlive: store.placement.isHeld(place, nowMillis()),
      released: place.by === null,
      archived: run.archived !== undefined
    }
  }
  const newestFirst = () => [...store.values()].sort((a, b) => (a.facts.runId < b.facts.runId ? 1 : -1))
  const first = (test: (facts: RunFacts) => boolean) =>
    Effect.sync(() =>
      Option.map(Option.fromNullable([...store.values()].find((run) => test(run.facts))), rowOf)
    )

  const append = (request: Append) =>
    Effect.suspend(() => {
      const { epoch, expectedSequence, headHash, lines, runId, snapshot } = request
      const run = store.get(runId)
      if (lines.length === 0) return Effect.void
      const standing =
        run !== undefined &&
        lines.every(({ event, eventId }) => run.lines[event.sequence - 1]?.eventId === eventId)
      if (!standing) {
        if (
          run === undefined ||
          isClosed(run) ||
          placeOf(run).epoch !== epoch ||
          run.lines.length !== expectedSequence ||
          lines.some(({ eventId }) => run.eventIds.has(eventId))
        ) {
          return Effect.fail(
            new StaleRun({ runId, message: `run ${runId} has another owner or has moved on` })
          )
        }
        run.lines.push(...lines)
        for (const { eventId } of lines) run.eventIds.add(eventId)
        run.headHash = headHash
        run.snapshot = copyOf(snapshot)
        const place = placeOf(run)
        place.status = snapshot.view.status
        // The age of a run that is over.
        if (isClosed(run)) place.until = Math.min(place.until, nowMillis())
      }
      return tell([commitOf(request)])
    })

  const archives = makeRunArchivesMemory({
    runs: store,
    leftovers: store.leftovers,
    nowMillis,
    endedAt: (run) => placeOf(run).until,
    rowOf
  })
  const ledger = Ledger.of({
    create: (facts, { headHash, lines, snapshot }) =>
      Effect.suspend(() => {
        if (store.has(facts.runId)) return Effect.void
        const { kind, ownerId, runId } = facts
        store.placement.nowAlive(owner, nowMillis() + term)
        store.placement.runs.set(runId, {
          ...{ runId, kind, ownerId },
          status: snapshot.view.status,
          epoch: 1,
          by: owner,
          until: isTerminal(snapshot.view.status) ? nowMillis() : Number.POSITIVE_INFINITY
        })
        store.set(runId, {
          facts,
          lines: [...lines],
          eventIds: new Set(lines.map(({ eventId }) => eventId)),
          snapshot: copyOf(snapshot),
          headHash
        })
        return tell([commitOf({ runId: facts.runId, lines, snapshot })])
      }),
    append,
    page: (runId, after, limit, filter = {}) =>
      Effect.suspend(() => {
        const run = store.get(runId)
        if (run?.archived !== undefined)
          return archivedPage(readArchive, run.archived, { ...filter, after, limit })
        const page = pageOfLines(run?.lines ?? [], { ...filter, after, limit }, ({ event }) => event)
        return Effect.succeed(
          page.map(({ event, eventId, hash, line }) => ({ sequence: event.sequence, line, eventId, hash }))
        )
      }),
    claimed: (runId) => first((facts) => facts.runId === runId),
    run: (ownerId, runId) => first((facts) => facts.ownerId === ownerId && facts.runId === runId),
    runByReport: (ownerId, reportId) =>
      first((facts) => facts.ownerId === ownerId && facts.reportId === reportId),
    list: (wanted) =>
      Effect.sync(() =>
        (wanted.order === "oldest" ? newestFirst().reverse() : newestFirst())
          .filter(
            ({ facts, snapshot }) =>
              facts.ownerId === wanted.ownerId &&
              (wanted.cursor === undefined ||
                (wanted.order === "oldest" ? facts.runId > wanted.cursor : facts.runId < wanted.cursor)) &&
              (wanted.kind ?? facts.kind) === facts.kind &&
              (wanted.status ?? snapshot.view.status) === snapshot.view.status &&
              (wanted.verdict ?? snapshot.view.verdict) === snapshot.view.verdict &&
              (wanted.ocpiVersion ?? facts.ocpiVersion) === facts.ocpiVersion &&
              (wanted.connectionId ?? facts.connectionId) === facts.connectionId
          )
          .slice(0, wanted.limit)
          .map(rowOf)
      ),
    expired: (days, limit) =>
      Effect.sync(() =>
        [...store.values()]
          .filter((run) => isClosed(run) && placeOf(run).until < nowMillis() - days * dayMillis)
          .sort((a, b) => placeOf(a).until - placeOf(b).until)
          .slice(0, limit)
          .map(({ facts }) => facts.runId)
      ),
    purge: (runId, reason) =>
      Effect.sync(() => {
        const run = store.get(runId)
        if (run === undefined || !isClosed(run)) return false
        const tombstone: Tombstone = {
          runId,
          lines: run.snapshot.view.lastSequence,
          headHash: run.headHash,
          reason,
          purgedAt: new Date(nowMillis()).toISOString()
        }
        store.tombstones.push({ facts: run.facts, tombstone })
        if (run.archived !== undefined)
          store.leftovers.set(run.archived.name, { runId, begunAt: nowMillis(), removing: true })
        store.placement.runs.delete(runId)
        return store.delete(runId)
      }),
    purgeMonth: () => Effect.succeed([]), // what is in memory is in no months
    tombstone: (ownerId, id) =>
      Effect.sync(() =>
        Option.map(
          Option.fromNullable(
            store.tombstones.find(
              ({ facts }) => facts.ownerId === ownerId && (facts.reportId === id || facts.runId === id)
            )
          ),
          ({ tombstone }) => tombstone
        )
      ),
    countOpen: (ownerId) =>
      Effect.sync(
        () => newestFirst().filter((run) => run.facts.ownerId === ownerId && !isClosed(run)).length
      ),
    openOn: (ownerId, connectionId) =>
      Effect.sync(() =>
        newestFirst()
          .filter(
            (run) =>
              run.facts.ownerId === ownerId && run.facts.connectionId === connectionId && !isClosed(run)
          )
          .map(({ facts }) => facts)
      ),
    onCommit,
    wakes: PubSub.subscribe(wakes),
    now: Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())
  })
  return { ledger, archives }
})

/** The in-memory adapters of the ports `Ledger`, `RunArchives` and `Placement`, on one store. */
export const LedgerMemory = {
  layer: ({
    leaseSeconds = 15,
    owner = "memory",
    readArchive = unread,
    store = memoryStore()
  }: LedgerMemoryOptions = {}): Layer.Layer<Ledger | RunArchives | Placement> =>
    Layer.scopedContext(
      Effect.gen(function* () {
        const placed = { leaseSeconds, processId: owner, store: store.placement }
        const { archives, ledger } = yield* make({ leaseSeconds, owner, readArchive, store })
        return Context.make(Ledger, ledger).pipe(
          Context.add(RunArchives, archives),
          Context.add(Placement, yield* makePlacementMemory(placed))
        )
      })
    )
}

const isClosed = (run: MemoryRun) => isTerminal(run.snapshot.view.status)

/** A deep copy, as a database would return: the caller shares no object with the ledger. */
const copyOf = (snapshot: RunSnapshot): RunSnapshot => JSON.parse(JSON.stringify(snapshot)) as RunSnapshot
