/** What makes a text hard to act on for someone who reads it first: found by form, not by taste. */
import type { Assertion } from "../../../schema/Assertion.ts"

const rules: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
  ["begins with a pronoun that stands for nothing", /^(it|its|they|them|he|she|this|these|those)\b/i],
  ["has a word twice", /(?<![\w-])([a-z]{3,}):? \1(?![\w-])/i],
  ["has a value that is none", /\bundefined\b|\bNaN\b|\[object /],
  ["shows an internal key", /\["[^\]"]*",[^\]]*\bnull\]|\[null,/]
]

/** What is wrong with the text, by the rules above. */
export const textFlaws = (text: string): ReadonlyArray<string> =>
  rules.flatMap(([what, pattern]) => (pattern.test(text) ? [`${what}: ${text.slice(0, 160)}`] : []))

/** Texts of ours in an assertion: quotations of the partner are left out. */
const textsOf = ({ findings = [], hint, reason }: Assertion): ReadonlyArray<string> => [
  ...findings.flatMap(({ expected, message }) => [message, ...(expected === undefined ? [] : [expected])]),
  ...[hint, reason].filter((text) => text !== undefined)
]

/** What a partner's developer lacks in an assertion that did not pass, or cannot read. */
export const assertionFlaws = (assertion: Assertion): ReadonlyArray<string> => {
  const { findings = [], hint, id, outcome } = assertion
  const isBad = outcome === "failed" || outcome === "warned"
  return [
    ...textsOf(assertion).flatMap((text) => textFlaws(text.replace(/"[^"]*"/g, '""'))),
    // Keys are quoted texts themselves.
    ...textsOf(assertion).flatMap((text) => textFlaws(text).filter((flaw) => flaw.includes("internal key"))),
    ...(isBad && hint === undefined ? ["does not say what to change"] : []),
    ...findings.flatMap(({ count, expected, message, places }) => [
      ...(places.length === 0 || places.length > count ? [`has no place: ${message}`] : []),
      ...(isBad && (expected ?? assertion.expected) === undefined
        ? [`says nothing of what is due: ${message}`]
        : [])
    ])
  ].map((flaw) => `${id} ${flaw}`)
}
