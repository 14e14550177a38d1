/** A strict reader of the Prometheus text format, version 0.0.4: throws at whatever a scraper would not take. */

export interface ReadSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface ReadFamily {
  readonly type: string
  readonly help: string
  readonly samples: Array<ReadSample>
}

export function readMetrics(text: string): ReadonlyMap<string, ReadFamily> {
  if (text === "") return new Map()
  if (!text.endsWith("\n")) throw new Error("the last line has no end")
  const families = new Map<string, ReadFamily>()
  const seen = new Set<string>()
  let help: readonly [name: string, text: string] | undefined
  let current: string | undefined
  for (const line of text.slice(0, -1).split("\n")) {
    const helped = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line)
    const typed = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/.exec(line)
    if (helped !== null) help = [helped[1]!, helped[2]!]
    else if (typed !== null) {
      current = typed[1]!
      if (help?.[0] !== current || families.has(current)) throw new Error(`family out of place: ${line}`)
      families.set(current, { type: typed[2]!, help: help[1], samples: [] })
    } else {
      const sample = readSample(line)
      const family = families.get(current ?? "")
      const suffix = sample.name.slice(current?.length ?? 0)
      const fits = family?.type === "histogram" ? /^(_bucket|_sum|_count)$/ : /^$/
      if (family === undefined || !sample.name.startsWith(current!) || !fits.test(suffix))
        throw new Error(`a sample of no family: ${line}`)
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
      if (seen.has(key)) throw new Error(`the same series twice: ${line}`)
      seen.add(key)
      family.samples.push(sample)
    }
  }
  for (const [name, family] of families) if (family.type === "histogram") checkBuckets(name, family)
  return families
}

function readSample(line: string): ReadSample {
  const [, name, inside = "", number] =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]?Inf|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line) ??
    []
  if (name === undefined || number === undefined) throw new Error(`no sample: ${line}`)
  const labels: Record<string, string> = {}
  let rest = inside
  while (rest !== "") {
    const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,(?=.)|$)/.exec(rest)
    if (label === null || label[1]! in labels) throw new Error(`labels of ${line}`)
    labels[label[1]!] = label[2]!.replace(/\\(.)/g, (_, after: string) => (after === "n" ? "\n" : after))
    rest = rest.slice(label[0].length)
  }
  return { name, labels, value: Number(number.replace("Inf", "Infinity")) }
}

function checkBuckets(name: string, { samples }: ReadFamily): void {
  for (const { labels, value: count } of samples.filter((sample) => sample.name === `${name}_count`)) {
    const own = samples.filter(({ labels: { le, ...others }, name: of }) => {
      return of === `${name}_bucket` && le !== undefined && JSON.stringify(others) === JSON.stringify(labels)
    })
    const bounds = own.map(({ labels: { le } }) => Number(le!.replace("Inf", "Infinity")))
    const grows = own.every(({ value }, index) => index === 0 || value >= own[index - 1]!.value)
    const ordered = bounds.every((bound, index) => index === 0 || bound > bounds[index - 1]!)
    if (!grows || !ordered || bounds.at(-1) !== Number.POSITIVE_INFINITY || own.at(-1)?.value !== count)
      throw new Error(`the buckets of ${name}${JSON.stringify(labels)}`)
  }
}
