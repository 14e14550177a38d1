/**
 * The metrics that this process counts itself. Labels are words from closed lists of ours: never an id, a secret, a URL or
 * a text of a partner. Durations (`took`) are in seconds.
 */
import { Metric, MetricBoundaries, MetricKey, type MetricKeyType, MetricLabel } from "effect"

type Labels = Readonly<Record<string, string>>

const seconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Updates a metric; the series of each combination of labels is looked up in the registry once. */
function series<Type extends MetricKeyType.MetricKeyType.Untyped>(whole: MetricKey.MetricKey<Type>) {
  type Value = MetricKeyType.MetricKeyType.InType<Type>
  const known = new Map<string, (value: Value) => void>()
  return (labels: Labels, value: Value): void => {
    let key = ""
    for (const name in labels) key += `${labels[name]}\n`
    const update = known.get(key) ?? updateOf(whole, labels)
    known.set(key, update)
    update(value)
  }
}

function updateOf<Type extends MetricKeyType.MetricKeyType.Untyped>(
  whole: MetricKey.MetricKey<Type>,
  labels: Labels
) {
  const tags = Object.entries(labels).map(([name, text]) => MetricLabel.make(name, text))
  const one = Metric.fromMetricKey(MetricKey.taggedWithLabels(whole, tags))
  return (value: MetricKeyType.MetricKeyType.InType<Type>) => one.unsafeUpdate(value, [])
}

const counter = (name: string, description: string) =>
  series(MetricKey.counter(name, { description, incremental: true }))

const histogram = (name: string, description: string) =>
  series(MetricKey.histogram(name, MetricBoundaries.fromIterable(seconds), description))

const requests = counter("plugfest_http_requests_total", "Requests answered, by route of the contract")
const requestSeconds = histogram(
  "plugfest_http_request_duration_seconds",
  "From a request to its answer; of a stream, to its beginning"
)

/** Counts an answered API request. `route` is the path template of the contract. */
export const countRequest = (method: string, route: string, status: number, took: number): void => {
  requests({ method: methods.has(method) ? method : "other", route, status: String(status) }, 1)
  requestSeconds({ route }, took)
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const ocpiRequests = counter(
  "plugfest_ocpi_requests_total",
  "OCPI requests of partners that were answered, by what was asked for"
)

/** Version and module of an OCPI request; one word stands for all unknown ones. */
export interface OcpiLabels {
  readonly version: string
  readonly module: string
}

/** Counts an answered OCPI request of a partner; `status` is the HTTP status. */
export const countOcpiRequest = (
  method: string,
  route: string,
  { module, version }: OcpiLabels,
  status: number
): void =>
  ocpiRequests(
    { method: methods.has(method) ? method : "other", route, version, module, status: String(status) },
    1
  )

const exchanges = counter(
  "plugfest_exchanges_total",
  "Requests that we sent to partners, by what became of them"
)
const exchangeSeconds = histogram("plugfest_exchange_duration_seconds", "A whole exchange with a partner")

/** Counts a request of ours to a partner; `status` is the HTTP status, undefined without an answer. */
export const countExchange = (outcome: string, status: number | undefined, took: number): void => {
  exchanges({ outcome, status: status === undefined ? "none" : `${Math.floor(status / 100)}xx` }, 1)
  exchangeSeconds({ outcome }, took)
}

const batches = counter("plugfest_ledger_batches_total", "Statements that wrote to the ledger")
const lines = counter("plugfest_ledger_lines_total", "Lines written to the ledger")
const appendSeconds = histogram(
  "plugfest_ledger_batch_duration_seconds",
  "A statement that writes to the ledger, with its commit"
)

/** Counts a committed append statement and its lines. */
export const countBatch = (written: number, took: number): void => {
  batches({}, 1)
  lines({}, written)
  appendSeconds({}, took)
}

const ended = counter("plugfest_runs_ended_total", "Runs that came to their end in this process")

/** Counts a run that ended in this process. */
export const countEnd = (kind: string, status: string, verdict: string | null): void =>
  ended({ kind, status, verdict: verdict ?? "none" }, 1)

const leases = Metric.gauge("plugfest_leases_held", { description: "Runs whose lease this process holds" })

/** Sets the number of runs whose lease this process holds. */
export const noteLeases = (held: number): void => leases.unsafeUpdate(held, [])

const spans = counter("plugfest_trace_spans_total", "Spans of traces, by what became of them")

/** Counts trace spans that the collector accepted or that were dropped. */
export const countSpans = (result: "exported" | "dropped", count: number): void => spans({ result }, count)
