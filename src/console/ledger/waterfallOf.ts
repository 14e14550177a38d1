/** Where the time of a run went: a pure fold of its events into spans. All times are milliseconds since 1970. */
import type { LedgerEvent } from "../../client/plugfest.ts"
import { inWords, nameOfId } from "../format/words.ts"

/**
 * `stage`: a stage from its start to its end. `request`: a request of ours until its answer, on the network and at the partner.
 * `call`: a request of the partner until our answer. `wait`: until somebody acts, or time has passed. `interrupted`: until a
 * decision was applied.
 */
export type SpanKind = "stage" | "request" | "call" | "wait" | "interrupted"

/**
 * A part of a request of ours. `network`: until the connection is there, and while the body of the answer comes. `partner`: from
 * the connection until the answer begins, with one way there and back, which cannot be told from it.
 */
export interface RequestPart {
  readonly kind: "network" | "partner"
  readonly from: number
  readonly to: number
}

/** A part of a run's time. */
export interface WaterfallSpan {
  readonly kind: SpanKind
  readonly label: string
  /** Of the event that the span is opened by: the page shows it. */
  readonly sequence: number
  readonly from: number
  /** Undefined: it is not over. */
  readonly to: number | undefined
  readonly isBad: boolean
  /** How much of a request, at its end, our own process was late: the partner may have answered before. */
  readonly lateMillis: number
  /** Of a request that is over, in their order; empty where they were not measured apart. */
  readonly parts: ReadonlyArray<RequestPart>
}

/** The spans in the order of their begin, each stage before what is in it; and the time that they are drawn in. */
export interface Waterfall {
  readonly spans: ReadonlyArray<WaterfallSpan>
  readonly from: number
  /** Of the last event, or the end of the last span. */
  readonly to: number
}

/** The events are those of one run, from its first. */
export function waterfallOf(events: ReadonlyArray<LedgerEvent>): Waterfall {
  const spans: Array<WaterfallSpan> = []
  // Where in `spans` the open stage, wait and interruption are, and each request by the id of its exchange.
  const open = new Map<string, number>()
  const begin = (key: string, span: Omit<WaterfallSpan, "to" | "isBad" | "lateMillis" | "parts">) => {
    open.set(key, spans.length)
    spans.push({ ...span, to: undefined, isBad: false, lateMillis: 0, parts: [] })
  }
  const end = (key: string, to: number, { isBad = false }: { readonly isBad?: boolean } = {}) => {
    const index = open.get(key)
    if (index === undefined) return
    open.delete(key)
    spans[index] = { ...spans[index]!, to, isBad }
  }
  for (const event of events) {
    const { sequence } = event
    const at = Date.parse(event.occurredAt)
    switch (event.type) {
      case "stage.started": {
        const attempt = event.data?.attempt ?? 1
        const label = nameOfId(event.stageId) + (attempt > 1 ? `, attempt ${attempt}` : "")
        end("stage", at)
        begin("stage", { kind: "stage", label, sequence, from: at })
        break
      }
      case "stage.completed":
      case "stage.failed":
      case "stage.skipped":
        end("wait", at)
        end("stage", at, { isBad: event.type === "stage.failed" })
        break
      case "exchange.intended":
        begin(event.exchange.id, { kind: "request", label: labelOf(event), sequence, from: at })
        break
      case "exchange.completed":
      case "inbound.received": {
        const { direction, durationMs, id, ourLateMs = 0, response, startedAt } = event.exchange
        const millis = Math.max(0, durationMs)
        const from = Date.parse(startedAt)
        const span = {
          kind: direction === "outbound" ? ("request" as const) : ("call" as const),
          label: labelOf(event),
          sequence,
          from,
          // The service's shared clock may have been set back meanwhile.
          to: from + millis,
          isBad: response === null || response.httpStatus >= 400,
          lateMillis: Math.max(0, Math.min(ourLateMs, millis)),
          parts: direction === "outbound" ? partsOf(event, from, from + millis) : []
        }
        const index = open.get(id)
        open.delete(id)
        if (index === undefined) spans.push(span)
        else spans[index] = span
        break
      }
      case "wait.started":
      case "checkpoint.requested": {
        const party = event.type === "wait.started" ? event.data.party : "operator"
        const since = event.type === "wait.started" ? event.data.since : undefined
        end("wait", at)
        begin("wait", {
          kind: "wait",
          label: `Waiting for ${waitedFor[party] ?? party}`,
          sequence,
          from: since === undefined ? at : Date.parse(since)
        })
        break
      }
      case "wait.satisfied":
      case "checkpoint.answered":
        end("wait", at)
        break
      case "wait.expired":
        end("wait", at, { isBad: true })
        break
      case "run.interrupted":
        // A request that was under way has no answer that we know of.
        for (const key of [...open.keys()]) if (key !== "stage") end(key, at, { isBad: key !== "wait" })
        begin("interrupted", { kind: "interrupted", label: "Interrupted", sequence, from: at })
        break
      case "run.resumed":
        end("interrupted", at)
        break
      case "run.completed":
      case "run.cancelled":
      case "run.failed":
        for (const key of [...open.keys()]) end(key, at)
        break
    }
  }
  const first = Math.min(...spans.map(({ from }) => from))
  const last = events.at(-1)
  const whole = spans.reduce(
    (latest, { from, to }) => Math.max(latest, to ?? from),
    last === undefined ? 0 : Date.parse(last.occurredAt)
  )
  return spans.length === 0 ? { spans, from: 0, to: 0 } : { spans: inOrder(spans), from: first, to: whole }
}

/** Without a connection all of it was the network's; without an answer, the rest was spent waiting for one. */
function partsOf({ exchange }: WithExchange, from: number, to: number): ReadonlyArray<RequestPart> {
  const { outcome, timings } = exchange
  if (timings === undefined) return outcome === "refused" ? [{ kind: "network", from, to }] : []
  const connected = Math.min(to, from + timings.connectMs)
  const answered = timings.answerMs === undefined ? to : Math.min(to, connected + timings.answerMs)
  const parts: ReadonlyArray<RequestPart> = [
    { kind: "network", from, to: connected },
    { kind: "partner", from: connected, to: answered },
    { kind: "network", from: answered, to }
  ]
  return parts.filter((part) => part.to > part.from)
}

const waitedFor: Readonly<Record<string, string>> = {
  partner: "the partner",
  operator: "an answer of yours",
  clock: "time to pass"
}

type WithExchange = Extract<LedgerEvent, { readonly exchange: unknown }>

function labelOf({ exchange: { module, operation, outcome, request, response } }: WithExchange): string {
  const answer =
    response === null ? (outcome === "completed" ? "" : inWords(outcome)) : `${response.httpStatus}`
  const name = operation.startsWith(request.method) ? operation : `${request.method} ${operation}`
  // `PUT session` says what it is about; `list` does not.
  const about = name.toLowerCase().includes(module.toLowerCase().replace(/s$/, "")) ? "" : ` · ${module}`
  return `${name}${about}${answer === "" ? "" : ` · ${answer}`}`
}

/** By begin; a stage before what begins with it. */
const inOrder = (spans: ReadonlyArray<WaterfallSpan>): ReadonlyArray<WaterfallSpan> =>
  spans.toSorted((a, b) => a.from - b.from || rank(a) - rank(b) || a.sequence - b.sequence)
const rank = ({ kind }: WaterfallSpan) => (kind === "stage" ? 0 : 1)

/** Milliseconds by what they were spent on; see `totalsOf`. */
export type Totals = Readonly<
  Record<"network" | "partner" | "request" | "wait" | "interrupted" | "plugfest", number>
>

/**
 * How much of the time each kind took, without counting an instant twice. `request`: of requests whose parts were not measured
 * apart; `plugfest`: what no request, wait or interruption has.
 */
export function totalsOf({ from, spans, to }: Waterfall): Totals {
  const lengthOf = (times: ReadonlyArray<{ readonly from: number; readonly to?: number | undefined }>) => {
    let [sum, until] = [0, from]
    for (const time of times.toSorted((a, b) => a.from - b.from)) {
      const end = Math.min(time.to ?? to, to)
      sum += Math.max(0, end - Math.max(time.from, until))
      until = Math.max(until, end)
    }
    return sum
  }
  const of = (...kinds: ReadonlyArray<SpanKind>) => spans.filter(({ kind }) => kinds.includes(kind))
  const parts = spans.flatMap((span) => span.parts)
  return {
    network: lengthOf(parts.filter(({ kind }) => kind === "network")),
    partner: lengthOf(parts.filter(({ kind }) => kind === "partner")),
    request: lengthOf(of("request").filter((span) => span.parts.length === 0)),
    wait: lengthOf(of("wait")),
    interrupted: lengthOf(of("interrupted")),
    plugfest: Math.max(0, to - from - lengthOf(of("request", "wait", "interrupted")))
  }
}
