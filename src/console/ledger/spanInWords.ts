/** What a span of the waterfall says in words. Pure. */
import { clockTime, duration } from "../format/time.ts"
import type { RequestPart, SpanKind, WaterfallSpan } from "./waterfallOf.ts"

const kinds: Readonly<Record<SpanKind, string>> = {
  stage: "Stage",
  request: "Request",
  call: "Request of the partner",
  wait: "",
  interrupted: ""
}

/** `Request: PUT session · 200, at 12:01:07.204 UTC, took 312 ms: 12 ms network, 300 ms partner; plugfest was late for 90 ms of it`. */
export function spanInWords(span: WaterfallSpan): string {
  const { from, kind, label, lateMillis, to } = span
  const late = lateMillis === 0 ? "" : `; plugfest was late for ${duration(lateMillis)} of it`
  const parts = partsInWords(span)
  return [
    `${kinds[kind] === "" ? "" : `${kinds[kind]}: `}${label}`,
    `at ${clockTime(new Date(from).toISOString())} UTC`,
    to === undefined ? "not over" : `took ${duration(to - from)}${parts === "" ? "" : `: ${parts}`}${late}`
  ].join(", ")
}

/** `12 ms network, 300 ms partner`; empty where the parts were not measured. */
export function partsInWords({ parts }: WaterfallSpan): string {
  const of = (kind: RequestPart["kind"]) =>
    parts.filter((part) => part.kind === kind).reduce((sum, { from, to }) => sum + to - from, 0)
  return parts.length === 0 ? "" : `${duration(of("network"))} network, ${duration(of("partner"))} partner`
}
