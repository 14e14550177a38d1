/** What plugfest found in a persona, in the form in which the rows expect it. */
import type { Assertion } from "../../../schema/Assertion.ts"
import { causeInWords, causesOf, effectInWords } from "../../../src/reports/causes.ts"
import { type Met, meet } from "../meeting.ts"
import { type ExpectedFindings, type Persona, strangerFor } from "./Persona.ts"

/** Meets a persona. */
export const meetPersona = async (persona: Persona): Promise<Met> => {
  const beside = await persona.beside?.()
  try {
    const order = { part: persona.suite, early: true }
    return await meet(strangerFor(persona), order, persona.bend?.() ?? beside?.bend)
  } finally {
    beside?.close()
  }
}

/** The findings of a meeting, with the parts that an expectation names. Sorted. */
export const findingsOf = (met: Met, expected: ExpectedFindings) => {
  const { assertions } = met
  const ids = (outcome: Assertion["outcome"]) =>
    assertions
      .filter((one) => one.outcome === outcome)
      .map(({ id }) => id)
      .toSorted()
  const of = (id: string) => assertions.find((one) => one.id === id)
  const matched = (
    rows: Readonly<Record<string, RegExp>> = {},
    text: (one: Assertion) => string | undefined
  ) =>
    Object.fromEntries(
      Object.entries(rows).map(([id, words]) => {
        const found = of(id)
        const said = found === undefined ? undefined : text(found)
        return [id, words.test(said ?? "") ? String(words) : (said ?? "nothing")]
      })
    )
  const told = assertions.filter(
    ({ attribution, blockedBy, id, need, outcome }) =>
      blockedBy !== undefined ||
      // Nobody was asked for an act: what could not be tested follows from the partner's answers.
      (outcome === "not_tested" && attribution === "operator" && need === undefined) ||
      outcome === "failed" ||
      outcome === "warned" ||
      expected.unjudged?.[id] !== undefined
  )
  return {
    broken:
      met.broken === undefined
        ? "no"
        : expected.broken?.test(met.broken) === true
          ? String(expected.broken)
          : met.broken,
    errors: ids("error").map((id) => `${id}: ${of(id)?.reason}`),
    failed: ids("failed"),
    warned: ids("warned"),
    blocked: blockedIn(assertions),
    attributed: Object.fromEntries(
      told
        .filter(({ attribution }) => attribution !== "partner")
        .map(({ attribution, id }) => [id, attribution])
        .toSorted()
    ),
    says: matched(expected.says, ({ partnerSaid }) => partnerSaid),
    unjudged: matched(expected.unjudged, ({ reason }) => reason)
  }
}

/** An expectation in the same form. */
export const expectationOf = (expected: ExpectedFindings): ReturnType<typeof findingsOf> => ({
  broken: expected.broken === undefined ? "no" : String(expected.broken),
  errors: [],
  failed: (expected.failed ?? []).toSorted(),
  warned: (expected.warned ?? []).toSorted(),
  blocked: Object.fromEntries(
    Object.entries(expected.blocked ?? {})
      .map(([cause, ids]): [string, ReadonlyArray<string>] => [cause, ids.toSorted()])
      .toSorted()
  ),
  attributed: Object.fromEntries(Object.entries(expected.attributed ?? {}).toSorted()),
  says: asText(expected.says),
  unjudged: asText(expected.unjudged)
})

const asText = (rows: Readonly<Record<string, RegExp>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(rows).map(([id, words]) => [id, String(words)]))

function blockedIn(assertions: ReadonlyArray<Assertion>): Record<string, ReadonlyArray<string>> {
  const groups: Record<string, Array<string>> = {}
  for (const { blockedBy, id } of assertions) {
    if (blockedBy === undefined) continue
    const cause =
      blockedBy.check ??
      /\bHTTP \d{3}/.exec(blockedBy.what)?.[0] ??
      (blockedBy.what.includes("we refused it") ? "our refusal" : "no answer")
    groups[cause] = [...(groups[cause] ?? []), id]
  }
  return Object.fromEntries(
    Object.entries(groups)
      .map(([cause, ids]): [string, ReadonlyArray<string>] => [cause, ids.toSorted()])
      .toSorted()
  )
}

/** What a report says of a persona, in the words in which it says it. */
export interface Told {
  /** The first lines of the report: each cause, and what came of it. At how many places it is, the messages say. */
  readonly causes: ReadonlyArray<string>
  /** The message of each check that failed or warned, by its id. */
  readonly messages: Readonly<Record<string, string>>
}

/** What the report of a meeting says. What differs from play to play, such as ports, times and marks, has one form. */
export const toldOf = ({ assertions }: Met): Told => ({
  causes: causesOf(assertions).map((cause) =>
    plainly(`${causeInWords(cause)} | ${effectInWords({ ...cause, places: 0 })}`)
  ),
  messages: Object.fromEntries(
    assertions
      .filter(({ outcome }) => outcome === "failed" || outcome === "warned")
      .map(({ id, message = "" }): [string, string] => [id, plainly(message)])
      .toSorted()
  )
})

const plainly = (text: string): string =>
  text
    .replace(/(127\.0\.0\.1|localhost):\d+/g, "$1:PORT")
    .replace(/\d{4}-\d\d-\d\dT[\d:]+(\.\d+)?Z?/g, "TIME")
    .replace(/«(token[A-C]):[0-9a-f]+»/g, "«$1»")
    .replace(/TST-[0-9A-Z]{6}(?![0-9A-Z])/g, "TST-MARK")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/g, "UUID")
    .replace(/\b\d+(\.\d+)? (s|ms|seconds)\b/g, "N $2")
