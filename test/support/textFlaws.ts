/** What makes a text hard to act on for someone who reads it first: found by form, not by taste. */
import type { Assertion } from "../../schema/Assertion.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"

const rules: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
  ["begins with a pronoun that stands for nothing", /^(it|its|they|them|he|she|this|these|those)\b/i],
  ["has a word twice", /(?<![\w-])([a-z]{3,}):? \1(?![\w-])/i],
  ["has a value that is none", /\bundefined\b|\bNaN\b|\[object /],
  ["has the wrong article", /\ba (?:EMSP|EVSE|HTTP|OCPI|RFID|ISO|IANA|HTML)\b|\ban (?:CPO|URL|UID)\b/],
  [
    "names a request by a name of ours",
    /\b[A-Z]+ (?:versions|credentials|locations|sessions|cdrs|tariffs|tokens|commands|chargingprofiles) (?:list|details|read|GET|POST|PUT|PATCH|DELETE|[A-Z]+_[A-Z]+)\b/
  ],
  ["names a step by a name of ours", /\(step |\bstep [\w.-]+#|\b[a-z]+\.[a-z][\w.-]*#/],
  ["shows an internal key", /\["[^\]"]*",[^\]]*\bnull\]|\[null,/]
]

/** What is wrong with the text, by the rules above. */
export const textFlaws = (text: string): ReadonlyArray<string> =>
  rules.flatMap(([what, pattern]) => (pattern.test(text) ? [`${what}: ${text.slice(0, 160)}`] : []))

/** Words of this house for which the field has its own (docs/glossary.md). */
export const houseWords =
  /\b(told|bend|bent|desk|roster|gate|patience|parting|tidy(?:ing)?|stranger|odd|honest|kept by us|near miss)\b/i

/** What is wrong with what a run says to a reader while it waits, asks a person, or offers decisions. */
export const eventFlaws = (events: ReadonlyArray<LedgerEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => {
    const texts =
      event.type === "wait.started" || event.type === "checkpoint.requested"
        ? [event.data.instruction]
        : event.type === "recovery.offered"
          ? event.data.options.flatMap(({ description, label }) => [description, label])
          : []
    return texts
      .flatMap((text) => [
        ...textFlaws(text),
        ...(houseWords.test(text) ? [`has a word of ours: ${text}`] : [])
      ])
      .map((flaw) => `${event.stageId ?? event.type} ${flaw}`)
  })

/** Texts of ours in an assertion: quotations of the partner are left out. */
const textsOf = ({
  expected,
  findings = [],
  hint,
  message,
  reason,
  title
}: Assertion): ReadonlyArray<string> =>
  [
    ...findings.flatMap((kind) => [kind.message, kind.expected]),
    ...(findings.length === 0 ? [message, expected] : []),
    ...[hint, reason, title]
  ].filter((text) => text !== undefined)

/** What a partner's developer lacks in an assertion that did not pass, or cannot read. */
export const assertionFlaws = (assertion: Assertion): ReadonlyArray<string> => {
  const { findings = [], hint, id, message, outcome } = assertion
  const isBad = outcome === "failed" || outcome === "warned"
  return [
    ...textsOf(assertion).flatMap((text) => textFlaws(text.replace(/"[^"]*"/g, '""'))),
    // Keys are quoted texts themselves.
    ...textsOf(assertion).flatMap((text) => textFlaws(text).filter((flaw) => flaw.includes("internal key"))),
    ...(isBad && hint === undefined ? ["does not say what to change"] : []),
    ...(isBad && (message ?? findings[0]?.message) === undefined ? ["does not say what was found"] : []),
    ...(isBad && findings.length === 0 && assertion.expected === undefined
      ? ["says nothing of what is due"]
      : []),
    ...findings.flatMap(({ count, expected, message, places }) => [
      ...(places.length === 0 || places.length > count ? [`has no place: ${message}`] : []),
      ...(isBad && (expected ?? assertion.expected) === undefined
        ? [`says nothing of what is due: ${message}`]
        : [])
    ])
  ].map((flaw) => `${id} ${flaw}`)
}
