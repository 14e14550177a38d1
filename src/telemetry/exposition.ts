/** Metrics in the Prometheus text format, version 0.0.4. */
import { Metric, MetricKeyType, MetricState } from "effect"

/** One value of a metric, with its labels. */
export interface Sample {
  /** Appended to the family's name: `_bucket`, `_sum` or `_count` of a histogram; default empty. */
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** One metric with all its series. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly samples: ReadonlyArray<Sample>
}

/** Content-Type of `GET /metrics`. */
export const contentType = "text/plain; version=0.0.4; charset=utf-8"

/** The families as text, in the order given; each name may occur once. */
export const exposition = (families: ReadonlyArray<Family>): string =>
  families
    .flatMap(({ help, name, samples, type }) => [
      `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ labels = {}, suffix = "", value }) => `${name}${suffix}${labelsOf(labels)} ${value}`)
    ])
    .map((line) => `${line}\n`)
    .join("")

/** The current values of this process's Effect metrics whose names begin with the prefix, sorted by name. */
export const counted = (prefix = "plugfest_"): ReadonlyArray<Family> => {
  const families = new Map<
    string,
    { -readonly [K in keyof Family]: Family[K] } & { samples: Array<Sample> }
  >()
  for (const { metricKey, metricState } of Metric.unsafeSnapshot()) {
    const { description, keyType, name, tags } = metricKey
    if (!name.startsWith(prefix)) continue
    const labels = Object.fromEntries(tags.map(({ key, value }) => [key, value]))
    const type = MetricKeyType.isCounterKey(keyType)
      ? "counter"
      : MetricKeyType.isHistogramKey(keyType)
        ? "histogram"
        : "gauge"
    const help = description._tag === "Some" ? description.value : name
    const family = families.get(name) ?? { name, help, type, samples: [] as Array<Sample> }
    families.set(name, family)
    family.samples.push(...samplesOf(metricState, labels))
  }
  return [...families.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function samplesOf(
  state: MetricState.MetricState.Untyped,
  labels: Readonly<Record<string, string>>
): ReadonlyArray<Sample> {
  if (MetricState.isCounterState(state)) return [{ labels, value: Number(state.count) }]
  if (MetricState.isGaugeState(state)) return [{ labels, value: Number(state.value) }]
  if (!MetricState.isHistogramState(state)) return []
  return [
    ...state.buckets.map(([bound, count]) => ({
      suffix: "_bucket",
      labels: { ...labels, le: Number.isFinite(bound) ? String(bound) : "+Inf" },
      value: count
    })),
    { suffix: "_sum", labels, value: state.sum },
    { suffix: "_count", labels, value: state.count }
  ]
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`
  )
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}
