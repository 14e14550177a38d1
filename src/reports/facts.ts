/**
 * What every form of a report says of a check that did not pass: what was found and how often, where, what was seen and what was
 * expected, the rule, what to change, and a request to repeat it with. Pure; quoting and escaping are the form's.
 */
import type { Assertion, FindingKind, FindingPlace } from "../../schema/Assertion.ts"

/** One fact, with the name that every form gives it. */
export interface Fact {
  readonly name:
    | "note"
    | "found"
    | "at"
    | "seen"
    | "expected"
    | "more"
    | "the partner says"
    | "reason"
    | "rule"
    | "change"
    | "curl"
  readonly value: string
}

/**
 * Most kinds, and most places of each, that a form for reading shows, and one kind more where it is the last; the JSON report has all
 * that are kept (`findings/kinds.ts`).
 */
const shownKinds = 3
const shownPlaces = 3

/** The facts of a check in their order; those that it does not have are left out. */
export const factsOf = (check: Assertion): ReadonlyArray<Fact> => {
  const kinds = kindsIn(check)
  // To name the only kind that is left is no longer than to count it.
  const shown = kinds.length === shownKinds + 1 ? kinds.length : shownKinds
  const hidden = kinds.slice(shown)
  const count = hidden.reduce((sum, kind) => sum + kind.count, 0)
  return [
    ...fact("note", check.note),
    ...factsOfKinds(kinds.slice(0, shown), check),
    ...fact("expected", kinds.length === 0 ? check.expected : undefined),
    ...fact(
      "more",
      count === 0
        ? undefined
        : `${inNumber(count, "more finding")} of ${inNumber(hidden.length, "other kind")}`
    ),
    ...fact(
      "the partner says",
      check.partnerSaid === undefined ? undefined : JSON.stringify(check.partnerSaid)
    ),
    ...fact("reason", check.reason),
    ...fact("rule", `${check.strength}, ${check.reference}`),
    ...fact("change", check.hint),
    ...fact("curl", check.curl)
  ]
}

/** `/data/0/id of LOC1`; empty when the finding is about no place in a body. */
export const placeInWords = ({ object, pointer }: FindingPlace): string =>
  [pointer, object].filter((part) => part !== undefined && part !== "").join(" of ")

/** The places of a kind: `/data/0/id of LOC1; /data/3/id of LOC4; and 7 more`. */
function placesInWords({ count, places }: FindingKind): string {
  const named = [...new Set(places.map(placeInWords).filter((place) => place !== ""))]
  const shown = named.slice(0, shownPlaces)
  const more = count - shown.length
  return [...shown, ...(shown.length > 0 && more > 0 ? [`and ${more} more`] : [])].join("; ")
}

/** The findings by kind; one kind in assertions without them, as those of journeys. */
function kindsIn(check: Assertion): ReadonlyArray<FindingKind> {
  const { actual, expected, findings = [], message, pointer, strength } = check
  if (findings.length > 0) return findings
  if (message === undefined && actual === undefined) return []
  return [
    {
      message: message ?? "",
      strength,
      ...(expected === undefined ? {} : { expected }),
      count: 1,
      places: [{ ...(pointer === undefined ? {} : { pointer }), ...(actual === undefined ? {} : { actual }) }]
    }
  ]
}

/** The facts of kinds in their order; what they have in common with the next one is said once, after the last of them. */
function factsOfKinds(kinds: ReadonlyArray<FindingKind>, check: Assertion): ReadonlyArray<Fact> {
  const all = kinds.map((kind) => kindFacts(kind, check))
  return all.flatMap(({ compared, found }, index) => [
    ...found,
    ...(JSON.stringify(compared) === JSON.stringify(all[index + 1]?.compared) ? [] : compared)
  ])
}

/** What was found and where; and what was seen, expected and has to be changed there. */
function kindFacts(
  kind: FindingKind,
  check: Assertion
): Readonly<Record<"found" | "compared", ReadonlyArray<Fact>>> {
  const { count, expected, hint, message, places } = kind
  const [first] = places
  const pointer = first?.pointer ?? ""
  const sentence = pointer === "" ? message : message.replace(` (${pointer})`, "")
  const seen = [...new Set(places.flatMap(({ actual }) => actual ?? []))].slice(0, shownPlaces)
  const wanted = first?.expected ?? expected ?? check.expected
  return {
    found: [
      ...fact("found", count < 2 ? sentence : `${sentence}, ${count} times`),
      ...fact("at", placesInWords(kind))
    ],
    compared: [
      ...fact("seen", seen.length === 1 && seen[0] === message ? undefined : seen.join("; ")),
      ...fact("expected", wanted),
      ...fact("change", hint === check.hint ? undefined : hint)
    ]
  }
}

function fact(name: Fact["name"], value: string | undefined): ReadonlyArray<Fact> {
  return value === undefined || value === "" ? [] : [{ name, value }]
}

const inNumber = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`
