import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { findForms } from "../../src/redaction/findForms.ts"

/** Few letters, so that strings begin, end and overlap like each other. */
const word = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom("a", "b", "é", "\u4e16", "\ud83d\ude00"), minLength, maxLength })

/** What it has to do: at each place the longest string that begins there. */
function plainly(replacements: ReadonlyMap<string, string>, text: string): string {
  const forms = [...replacements.keys()].sort((a, b) => b.length - a.length)
  let clean = ""
  for (let at = 0; at < text.length; ) {
    const form = forms.find((one) => text.startsWith(one, at))
    clean += form === undefined ? text.charAt(at) : replacements.get(form)
    at += form?.length ?? 1
  }
  return clean
}

describe("many strings in one text", () => {
  it.each([
    ["short ones", word(3, 6)],
    ["ones of one length", word(9, 9)],
    ["long ones", word(20, 70)],
    ["ones longer than the table counts", word(240, 300)]
  ])("are replaced from the left, the longest first: %s", (_, form) => {
    fc.assert(
      fc.property(
        fc.uniqueArray(form, { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.array(word(0, 5), { maxLength: 12 }),
        (forms, picks, between) => {
          const replacements = new Map(forms.map((one, index) => [one, `<${index}>`]))
          const text = picks
            .map((pick, index) => {
              const whole = forms[pick % forms.length]!
              const part = pick % 3 === 0 ? whole.slice(pick % 5) : whole
              return `${between[index] ?? ""}${part}`
            })
            .join("")
          const { replaced, shortestForm } = findForms(replacements)
          assert.strictEqual(replaced(text), plainly(replacements, text))
          assert.isAtMost(shortestForm, Math.min(...forms.map(({ length }) => length)))
        }
      ),
      { numRuns: 400 }
    )
  })

  it("are refused below three characters, whose places would all have to be looked at", () => {
    assert.throws(() => findForms(new Map([["ab", "x"]])), RangeError)
  })
})
