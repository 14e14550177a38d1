/** Gathers evidence: runs each probe once, after the probes that it depends on; independent probes run concurrently. */
import { Effect } from "effect"
import { count, itemsOf } from "../../findings/answers.ts"
import {
  asAnswered,
  type Evidence,
  type Gathered,
  hasAnswer,
  isWithheld,
  type NotGathered,
  type Observation,
  probeOf
} from "../model/Evidence.ts"
import { isBlockedLink } from "../model/isBlockedLink.ts"
import {
  announcedPageCap,
  cutShort,
  longCrawlBytes,
  mostCrawlBytes,
  mostRunBytes,
  type Probe,
  type ProbeRequest,
  pageCap,
  type ReadingProbe,
  type Source,
  type WritingProbe,
  withheld
} from "../model/Probe.ts"
import { nextAfterSilence } from "./afterSilence.ts"

/** Sends one request; returns the observation, or why nothing was sent. */
export type SendRequest<E> = (asking: ProbeRequest) => Effect.Effect<Observation | NotGathered, E>

/** The probes of a run, what they have gathered, and how to run them. */
export interface Gathering<E> {
  readonly probes: ReadonlyMap<string, Probe>
  /** Results of finished probes, by id; `evidence` reads them. */
  readonly results: Map<string, Gathered>
  readonly evidence: Evidence
  readonly send: SendRequest<E>
  /** Runs the steps of a script; stores the evidence of each under `probe#step` as soon as it exists. */
  readonly script: (probe: WritingProbe) => Effect.Effect<Gathered, E>
  /** Reads what the partner sent to us. */
  readonly inbound: (source: Source) => Effect.Effect<Gathered, E>
}

/** Runs the wanted probes that have not run yet, after the probes that they depend on. */
export const gather = Effect.fnUntraced(function* <E>(
  state: Gathering<E>,
  wanted: ReadonlyArray<string>
): Effect.fn.Return<void, E> {
  const open = missing(state, wanted)
  const isOpen = new Set(open.map(({ id }) => id))
  const ready = open.filter(
    (probe) =>
      (probe.after ?? []).every((id) => state.results.has(id)) &&
      !(probe.behind ?? []).some((id) => isOpen.has(id))
  )
  if (ready.length === 0) return
  const each = (probe: Probe) =>
    Effect.map(run(state, probe), (gathered) => {
      state.results.set(probe.id, gathered)
    })
  const all = (probes: ReadonlyArray<Probe>) =>
    Effect.forEach(probes, each, { concurrency: "unbounded", discard: true })
  const beside = ready.filter((probe) => isBeside(state, probe))
  const others = ready.filter((probe) => !beside.includes(probe))
  const inTurn = Effect.zipRight(
    all(others.filter((probe) => !isAlone(probe))),
    Effect.forEach(others.filter(isAlone), each, { discard: true })
  )
  yield* Effect.all([all(beside), inTurn], { concurrency: "unbounded", discard: true })
  yield* gather(state, wanted)
})

/**
 * Reads the partner's calls for those wanted probes for which everything else has been done. Sends nothing, and begins
 * nothing: for a run that is to stop.
 */
export const gatherObserved = <E>(
  state: Gathering<E>,
  wanted: ReadonlyArray<string>
): Effect.Effect<void, E> =>
  Effect.forEach(
    missing(state, wanted).filter(
      (probe) => "source" in probe && (probe.after ?? []).every((id) => state.results.has(id))
    ),
    (probe) => Effect.map(run(state, probe), (gathered) => state.results.set(probe.id, gathered)),
    { discard: true }
  )

/** The wanted probes and their dependencies, without those that have run. */
function missing<E>(state: Gathering<E>, wanted: ReadonlyArray<string>): ReadonlyArray<Probe> {
  const found = new Map<string, Probe>()
  const visit = (wantedId: string) => {
    const id = probeOf(wantedId)
    const probe = state.probes.get(id)
    if (probe === undefined || found.has(id) || state.results.has(id)) return
    for (const earlier of probe.after ?? []) visit(earlier)
    found.set(id, probe)
  }
  for (const id of wanted) visit(id)
  return [...found.values()]
}

const isAlone = (probe: Probe) => "steps" in probe && (probe.alone === true || probe.risk === true)

const isBeside = <E>({ evidence }: Gathering<E>, probe: Probe) =>
  "steps" in probe && probe.beside?.(evidence) === true

const run = Effect.fnUntraced(function* <E>(
  state: Gathering<E>,
  probe: Probe
): Effect.fn.Return<Gathered, E> {
  if ("source" in probe) {
    const isCut = (probe.after ?? []).some((id) => wasCutOff(state.results.get(id)))
    return isCut ? cutShort("the run was to stop before this was over") : yield* state.inbound(probe.source)
  }
  for (const id of probe.after ?? []) {
    const silent = unanswered(state.results.get(id))
    if (silent !== undefined)
      return withheld("not_tested", `${id} was not answered; ${nextAfterSilence(silent.exchange)}`, "network")
  }
  if ("steps" in probe) return yield* state.script(probe)
  const asks = probe.asks(state.evidence)
  if ("withheld" in asks) return asks
  const answers = yield* Effect.forEach(asks, state.send, { concurrency: "unbounded" })
  const seen = answers.filter((answer): answer is Observation => !isRefusal(answer))
  const refusal = answers.filter(isRefusal).find(({ ofKind }) => ofKind !== true || seen.length === 0)
  if (refusal !== undefined) return refusal
  return probe.next === undefined ? { seen } : yield* follow(state, probe, seen, asks)
})

/** By the results of a run: the bytes that its crawls have brought so far. */
const crawled = new WeakMap<object, number>()

/**
 * Sends the probe's further requests, up to the page cap, and never to the same URL twice. What began with a list that is read
 * anew is read anew to its end: a link may be the same as that of an earlier reading.
 */
const follow = Effect.fnUntraced(function* <E>(
  state: Gathering<E>,
  probe: ReadingProbe,
  first: ReadonlyArray<Observation>,
  asks: ReadonlyArray<ProbeRequest>
): Effect.fn.Return<Gathered, E> {
  const seen = [...first]
  const been = new Set(seen.map(({ exchange }) => exchange.request.url))
  const isAnew = asks.some(({ again }) => again === true)
  while (seen.length > 0) {
    const asking = probe.next?.(seen, state.evidence)
    if (asking === undefined) break
    // The first page belongs to the list's own probe and is not in `been`: a link back to it repeats its objects, and
    // is found to be a cycle when the same URL comes a second time.
    if (asking.url !== undefined && been.has(asking.url)) return { seen, stopped: "cycle" as const }
    if (isLongEnough(seen) || (crawled.get(state.results) ?? 0) > mostRunBytes)
      return { seen, stopped: "cap" as const }
    if (asking.url !== undefined) been.add(asking.url)
    const answer = yield* state.send(isAnew ? { ...asking, again: true } : asking)
    if (isRefusal(answer)) return answer
    seen.push(answer)
    crawled.set(state.results, (crawled.get(state.results) ?? 0) + bytesOf([answer]))
  }
  return { seen }
})

/** Are these all the pages that a run reads of such a list? They come after its first one. */
function isLongEnough(seen: ReadonlyArray<Observation>): boolean {
  const pages = seen.length + 1
  const bytes = bytesOf(seen)
  if (bytes > mostCrawlBytes) return true
  if (pages < pageCap) return false
  const [page] = seen.flatMap(asAnswered)
  const total = page === undefined ? undefined : count(page, "x-total-count")
  const size = page === undefined ? undefined : itemsOf(page)?.length
  const announced = total === undefined || !size ? 0 : total / size
  return pages >= Math.min(announced, announcedPageCap) || bytes > longCrawlBytes
}

const bytesOf = (seen: ReadonlyArray<Observation>): number =>
  seen.reduce(
    (sum, { exchange: { response } }) => sum + (response?.bodyBytes ?? response?.body?.length ?? 0),
    0
  )

const isRefusal = (answer: Observation | Gathered): answer is NotGathered => "withheld" in answer

/** A script that did not come to its end, because the run was to stop. */
const wasCutOff = (gathered: Gathered | undefined): boolean =>
  gathered !== undefined && !isWithheld(gathered) && gathered.stopped === "run"

/** The last request of a probe that has sent some to the partner, none of which got an HTTP answer; undefined of any other probe. */
const unanswered = (gathered: Gathered | undefined): Observation | undefined => {
  if (gathered === undefined || isWithheld(gathered)) return undefined
  const toPartner = gathered.seen.filter((seen) => !isBlockedLink(seen))
  return toPartner.some(hasAnswer) ? undefined : toPartner.at(-1)
}
