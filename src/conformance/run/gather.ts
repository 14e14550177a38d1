/** Gathering: each probe once, in the order of what it needs to know, independent ones side by side. */
import { Effect } from "effect"
import {
  type Evidence,
  type Gathered,
  isWithheld,
  type NotGathered,
  type Observation,
  probeOf
} from "../model/Evidence.ts"
import {
  type Probe,
  type ProbeRequest,
  pageCap,
  type ReadingProbe,
  type Source,
  type WritingProbe,
  withheld
} from "../model/Probe.ts"

/** Sends one request; a refusal to send says why. */
export type SendRequest<E> = (asking: ProbeRequest) => Effect.Effect<Observation | NotGathered, E>

export interface Gathering<E> {
  readonly probes: ReadonlyMap<string, Probe>
  /** Grows as probes are over; `evidence` looks at it. */
  readonly results: Map<string, Gathered>
  readonly evidence: Evidence
  readonly ask: SendRequest<E>
  /** Takes the steps of a script; puts the evidence of each under `probe#step` as soon as it is there. */
  readonly script: (probe: WritingProbe) => Effect.Effect<Gathered, E>
  /** What the partner sent to us. */
  readonly inbound: (source: Source) => Effect.Effect<Gathered, E>
}

/** Runs the wanted probes that are not over yet, and before them the ones they come after. */
export const gather = <E>(state: Gathering<E>, wanted: ReadonlyArray<string>): Effect.Effect<void, E> =>
  Effect.gen(function* () {
    const open = missing(state, wanted)
    const ready = open.filter((probe) => (probe.after ?? []).every((id) => state.results.has(id)))
    if (ready.length === 0) return
    const each = (probe: Probe) =>
      Effect.map(run(state, probe), (gathered) => {
        state.results.set(probe.id, gathered)
      })
    yield* Effect.forEach(
      ready.filter((probe) => !isAlone(probe)),
      each,
      { concurrency: "unbounded", discard: true }
    )
    yield* Effect.forEach(ready.filter(isAlone), each, { discard: true })
    yield* gather(state, wanted)
  })

/** The wanted probes and all that they come after, without those that are over. */
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

function run<E>(state: Gathering<E>, probe: Probe): Effect.Effect<Gathered, E> {
  return Effect.gen(function* () {
    if ("source" in probe) return yield* state.inbound(probe.source)
    const silent = (probe.after ?? []).find((id) => unanswered(state.results.get(id)))
    if (silent !== undefined) return withheld("not_tested", `${silent} was not answered`)
    if ("steps" in probe) return yield* state.script(probe)
    const asks = probe.asks(state.evidence)
    if ("withheld" in asks) return asks
    const answers = yield* Effect.forEach(asks, state.ask, { concurrency: "unbounded" })
    const refusal = answers.find(isRefusal)
    if (refusal !== undefined) return refusal
    const seen = answers.filter((answer): answer is Observation => !isRefusal(answer))
    return probe.next === undefined ? { seen } : yield* follow(state, probe, seen)
  })
}

/** Goes on as the probe says, at most to the page cap, and never to an address that it has been to. */
function follow<E>(
  state: Gathering<E>,
  probe: ReadingProbe,
  first: ReadonlyArray<Observation>
): Effect.Effect<Gathered, E> {
  return Effect.gen(function* () {
    const seen = [...first]
    const been = new Set(seen.map(({ exchange }) => exchange.request.url))
    while (seen.length > 0) {
      const asking = probe.next?.(seen, state.evidence)
      if (asking === undefined) break
      // The list page itself is the evidence of another probe: a link back to it repeats its objects, and is a cycle
      // as soon as the same address comes up twice.
      if (asking.url !== undefined && been.has(asking.url)) return { seen, stopped: "cycle" as const }
      if (seen.length >= pageCap - 1) return { seen, stopped: "cap" as const }
      if (asking.url !== undefined) been.add(asking.url)
      const answer = yield* state.ask(asking)
      if (isRefusal(answer)) return answer
      seen.push(answer)
    }
    return { seen }
  })
}

const isRefusal = (answer: Observation | Gathered): answer is NotGathered => "withheld" in answer

/** Asked, and not one HTTP answer came. */
const unanswered = (gathered: Gathered | undefined): boolean =>
  gathered !== undefined &&
  !isWithheld(gathered) &&
  gathered.seen.length > 0 &&
  gathered.seen.every(({ exchange }) => exchange.response === null)
