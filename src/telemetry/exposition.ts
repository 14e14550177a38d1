/** Metrics in the text format of Prometheus, version 0.0.4. Pure. */
import { Metric, MetricKeyType, MetricState } from "effect"

export interface Sample {
  /** After the family's name: `_bucket`, `_sum`, `_count`; empty for the others. */
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

export const contentType = "text/plain; version=0.0.4; charset=utf-8"

/** The text of these families, each once, in the order given. */
export const exposition = (families: ReadonlyArray<Family>): string =>
  families
    .flatMap(({ help, name, samples, type }) => [
      `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ labels = {}, suffix = "", value }) => `${name}${suffix}${labelsOf(labels)} ${value}`)
    ])
    .map((line) => `${line}\n`)
    .join("")

/** What was counted by metrics of ours (their names begin so), as families. */
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
