/**
 * Sends traces to an OpenTelemetry collector in batches; spans are dropped rather than block work. Without a collector no
 * span is made at all.
 */
import { randomBytes } from "node:crypto"
import { type Context, Effect, type Exit, Layer, type Option, Redacted, Schedule, Tracer } from "effect"
import { countSpans } from "./measures.ts"
import { type EndedSpan, tracesBody } from "./otlp.ts"

/** Where traces go, and which process sends them. */
interface TracingOptions {
  /** Root of the collector (OTLP over HTTP), e.g. `http://127.0.0.1:4318`; undefined: no traces. */
  readonly url: string | undefined
  /** Headers that the collector requires: `name=value` pairs, separated by commas. */
  readonly headers?: Redacted.Redacted<string> | undefined
  /** `service.instance.id` of this process, e.g. a random id made at boot. */
  readonly instance: string
  /** Seconds between batches; default 2. */
  readonly everySeconds?: number
}

/** Spans in one request. */
const together = 512
/** Spans kept while the collector cannot be reached; further ones are dropped. */
const waitingMost = 4096
const answerMillis = 10_000
const farewell = "3 seconds"

const layer = ({ everySeconds = 2, headers, instance, url }: TracingOptions): Layer.Layer<never> =>
  url === undefined
    ? Layer.setTracerEnabled(false)
    : Layer.unwrapScoped(
        Effect.gen(function* () {
          let waiting: Array<EndedSpan> = []
          let reached = true
          // The final flush waits for a running one; otherwise the spans of that one would be lost.
          const turn = yield* Effect.makeSemaphore(1)
          const endpoint = /\/v1\/traces$/.test(url) ? url : `${url.replace(/\/+$/, "")}/v1/traces`
          const resource = { "service.name": "plugfest", "service.instance.id": instance }
          const sentWith = { ...pairsOf(headers), "content-type": "application/json" }

          const send = (batch: ReadonlyArray<EndedSpan>) =>
            Effect.tryPromise(async () => {
              const response = await fetch(endpoint, {
                method: "POST",
                headers: sentWith,
                body: tracesBody(batch, resource),
                redirect: "error",
                signal: AbortSignal.timeout(answerMillis)
              })
              await response.arrayBuffer()
              return response.status
            })

          const flush = Effect.gen(function* () {
            while (waiting.length > 0) {
              const batch = waiting.slice(0, together)
              waiting = waiting.slice(together)
              const status = yield* Effect.orElseSucceed(send(batch), () => undefined)
              const taken = status !== undefined && status < 300
              if (taken !== reached) {
                reached = taken
                yield* taken
                  ? Effect.logInfo("Traces reach the collector again")
                  : Effect.logWarning(`Traces do not reach the collector: ${status ?? "no answer"}`)
              }
              if (taken) countSpans("exported", batch.length)
              // Unreachable or busy: try again later. Any other status is final for this batch.
              else if (status === undefined || status === 429 || status >= 500) {
                const kept = [...batch, ...waiting].slice(0, waitingMost)
                countSpans("dropped", batch.length + waiting.length - kept.length)
                waiting = kept
                return
              } else countSpans("dropped", batch.length)
            }
          }).pipe(Effect.withTracerEnabled(false), turn.withPermits(1))

          const ended = (span: EndedSpan) => {
            if (waiting.length < waitingMost) waiting.push(span)
            else countSpans("dropped", 1)
          }
          yield* Effect.forkScoped(Effect.repeat(flush, Schedule.spaced(`${everySeconds} seconds`)))
          yield* Effect.addFinalizer(() => Effect.interruptible(flush).pipe(Effect.timeoutOption(farewell)))
          return Layer.setTracer(
            Tracer.make({
              span: (...of) => new CollectedSpan(of, ended),
              context: (run) => run()
            })
          )
        })
      )

/** The tracer of the process, as a layer. */
export const Tracing = { layer }

class CollectedSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly spanId = randomBytes(8).toString("hex")
  readonly traceId: string
  readonly sampled: boolean
  readonly attributes = new Map<string, unknown>()
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly links: Array<Tracer.SpanLink>
  readonly kind: Tracer.SpanKind
  status: Tracer.SpanStatus
  readonly #events: Array<[name: string, time: bigint, attributes: Record<string, unknown>]> = []
  readonly #ended: (span: EndedSpan) => void

  constructor(
    [name, parent, context, links, startTime, kind]: Parameters<Tracer.Tracer["span"]>,
    ended: (span: EndedSpan) => void
  ) {
    this.name = name
    this.parent = parent
    this.context = context
    this.links = [...links]
    this.kind = kind
    this.traceId = parent._tag === "Some" ? parent.value.traceId : randomBytes(16).toString("hex")
    this.sampled = parent._tag === "None" || parent.value.sampled
    this.status = { _tag: "Started", startTime }
    this.#ended = ended
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    const { startTime } = this.status
    this.status = { _tag: "Ended", startTime, endTime, exit }
    if (this.sampled) this.#ended({ span: this, startTime, endTime, exit, events: this.#events })
  }

  attribute(key: string, value: unknown): void {
    this.attributes.set(key, value)
  }

  event(name: string, time: bigint, attributes: Record<string, unknown> = {}): void {
    this.#events.push([name, time, attributes])
  }

  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.links.push(...links)
  }
}

function pairsOf(headers: Redacted.Redacted<string> | undefined): Record<string, string> {
  if (headers === undefined) return {}
  return Object.fromEntries(
    Redacted.value(headers)
      .split(",")
      .map((pair) => {
        const [name = "", ...value] = pair.split("=")
        return [name.trim(), value.join("=").trim()]
      })
  )
}
