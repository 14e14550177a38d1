/** Findings grouped by kind: one sentence for all places at which the same is wrong. Pure. */
import type { FindingKind, FindingPlace, Strength } from "../../schema/Assertion.ts"
import type { Finding } from "./Flaw.ts"

/**
 * Most characters of the places that are kept of one check, whatever their kind: some 50,000 places, more than a list of 10,000 objects
 * that are wrong in every way has. A partner that answers with 16 MiB of empty objects has millions, and an assertion is one line of
 * the ledger. `count` has all.
 */
export const mostKept = 8 * 1024 * 1024
/** Most places of each kind that are kept beyond those, and that a sentence names. */
const examples = 3
/** Most kinds that a sentence names. */
const namedKinds = 5

/** The object in which a finding is, in words; undefined when nothing names it. */
type ObjectOf = (finding: Finding) => string | undefined

/** The findings by kind, in the order of the first of each. `strength`: that of findings that do not say their own. */
export const kindsOf = (
  findings: ReadonlyArray<Finding>,
  strength: Strength,
  objectOf: ObjectOf
): ReadonlyArray<FindingKind> => {
  const kinds = new Map<string, FindingKind & { count: number; readonly places: Array<FindingPlace> }>()
  let kept = 0
  for (const finding of findings) {
    const key = `${finding.strength ?? strength} ${sentenceOf(finding)}`
    const known = kinds.get(key)
    const kind = known ?? {
      message: finding.message,
      strength: finding.strength ?? strength,
      ...(finding.expected === undefined ? {} : { expected: finding.expected }),
      ...(finding.hint === undefined ? {} : { hint: finding.hint }),
      count: 0,
      places: []
    }
    if (known === undefined) kinds.set(key, kind)
    kind.count += 1
    if (kept >= mostKept && kind.places.length >= examples) continue
    const place = placeIn(finding, kind, objectOf(finding))
    kept += sizeOf(place)
    kind.places.push(place)
  }
  return [...kinds.values()]
}

/** The kinds in one text: each with its number and up to three places. */
export const kindsInWords = (kinds: ReadonlyArray<FindingKind>): string => {
  // To name the only kind that is left is no longer than to count it.
  const count = kinds.length === namedKinds + 1 ? kinds.length : namedKinds
  const others = kinds.slice(count)
  const rest = others.reduce((sum, { count }) => sum + count, 0)
  return [
    ...kinds.slice(0, count).map(kindInWords),
    ...(others.length === 0 ? [] : [`${rest} more findings of ${others.length} other kinds`])
  ].join("; ")
}

/** `the EVSE uid is used twice (/data/0/evses/1/uid of LOC1), 264 times, also at …`. */
function kindInWords({ count, message, places }: FindingKind): string {
  const [first, ...others] = places
  const named = [...new Set(others.map(placeInWords).filter((place) => place !== ""))].slice(0, examples - 1)
  const where = first === undefined ? "" : placeNotIn(first, message)
  const times = count === 1 ? "" : `, ${count} times`
  return `${message}${where}${times}${named.length === 0 ? "" : `, also at ${named.join(" and ")}`}`
}

/** Characters of the place as JSON, its quotes and names among them. */
const sizeOf = (place: FindingPlace): number =>
  Object.entries(place).reduce((sum, [name, text = ""]) => sum + name.length + text.length + 6, 2)

/** `/data/0/id of LOC1`; empty when the finding is about no place. */
const placeInWords = ({ object, pointer }: FindingPlace): string =>
  [pointer, object].filter((part) => part !== undefined && part !== "").join(" of ")

/** What the message does not say of the place. */
function placeNotIn({ object, pointer }: FindingPlace, message: string): string {
  const said = placeInWords({
    ...(pointer === undefined || message.includes(pointer) ? {} : { pointer }),
    ...(object === undefined || message.includes(object) ? {} : { object })
  })
  return said === "" ? "" : said.startsWith("/") ? ` (at ${said})` : ` (${said})`
}

function placeIn(finding: Finding, kind: FindingKind, object: string | undefined): FindingPlace {
  const { actual, exchangeId, expected, pointer } = finding
  return {
    ...(pointer === undefined ? {} : { pointer }),
    ...(object === undefined ? {} : { object }),
    ...(expected === undefined || expected === kind.expected ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
    ...(exchangeId === undefined ? {} : { exchangeId })
  }
}

/** The message without what differs from place to place: its pointer, the value that was seen, quoted values and numbers. */
function sentenceOf({ actual = "", message, pointer = "" }: Finding): string {
  const [, text = ""] = /^"([^"]{2,})"$/.exec(actual) ?? []
  const withoutPointer = pointer === "" ? message : message.replaceAll(pointer, "@")
  return (text === "" ? withoutPointer : withoutPointer.replaceAll(text, "…"))
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\d+(?:\.\d+)?/g, "#")
}
