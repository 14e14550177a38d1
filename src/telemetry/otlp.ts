/** Encodes spans as OTLP JSON. Pure. */
import { Cause, Exit, Option, type Tracer } from "effect"

/** An ended span; times in nanoseconds since the epoch. */
export interface EndedSpan {
  readonly span: Tracer.Span
  readonly startTime: bigint
  readonly endTime: bigint
  readonly exit: Exit.Exit<unknown, unknown>
  readonly events: ReadonlyArray<
    readonly [name: string, time: bigint, attributes: Readonly<Record<string, unknown>>]
  >
}

const kinds: Readonly<Record<Tracer.SpanKind, number>> = {
  internal: 1,
  server: 2,
  client: 3,
  producer: 4,
  consumer: 5
}
const ok = 1
const error = 2

/** The body of `POST /v1/traces`. `resource`: attributes of the sending process. */
export const tracesBody = (
  spans: ReadonlyArray<EndedSpan>,
  resource: Readonly<Record<string, string>>
): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(Object.entries(resource)) },
        scopeSpans: [{ scope: { name: "plugfest" }, spans: spans.map(spanOf) }]
      }
    ]
  })

function spanOf({ endTime, events, exit, span, startTime }: EndedSpan) {
  const interrupted = Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)
  const failed = Exit.isFailure(exit) && !interrupted
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...Option.match(span.parent, { onNone: () => ({}), onSome: ({ spanId }) => ({ parentSpanId: spanId }) }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: String(startTime),
    endTimeUnixNano: String(endTime),
    attributes: attributesOf([
      ...span.attributes,
      ...(interrupted ? ([["interrupted", true]] as const) : []),
      ...(failed ? ([["error.type", typeOf(exit.cause)]] as const) : [])
    ]),
    events: events.map(([name, time, attributes]) => ({
      name,
      timeUnixNano: String(time),
      attributes: attributesOf(Object.entries(attributes))
    })),
    links: span.links.map((link) => ({
      traceId: link.span.traceId,
      spanId: link.span.spanId,
      attributes: attributesOf(Object.entries(link.attributes))
    })),
    // No message: that of an error may quote what was sent to us.
    status: { code: failed ? error : ok }
  }
}

/** The name of the error, without its message. */
function typeOf(cause: Cause.Cause<unknown>): string {
  const failure = Cause.squash(cause)
  if (typeof failure === "object" && failure !== null && "_tag" in failure) return String(failure._tag)
  return failure instanceof Error ? failure.name : typeof failure
}

function attributesOf(entries: Iterable<readonly [string, unknown]>) {
  return Array.from(entries, ([key, value]) => ({ key, value: valueOf(value) }))
}

function valueOf(value: unknown): Readonly<Record<string, unknown>> {
  switch (typeof value) {
    case "boolean":
      return { boolValue: value }
    case "bigint":
      return { intValue: String(value) }
    case "number":
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
    default:
      return { stringValue: typeof value === "string" ? value : (JSON.stringify(value) ?? String(value)) }
  }
}
