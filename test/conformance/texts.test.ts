/** Texts of the catalogue, by form: what a stranger reads before and after a run. */
import { assert, describe, it } from "vitest"
import { allChecks } from "../../src/conformance/catalogue/suites.ts"
import { textFlaws } from "./support/textFlaws.ts"

/** Words of this house for which the field has its own (docs/glossary.md). */
const houseWords =
  /\b(told|bend|bent|desk|roster|gate|patience|parting|tidy(?:ing)?|stranger|odd|honest|kept by us|near miss)\b/i

const texts = allChecks.flatMap(({ hint, id, passes, sends, title }) =>
  Object.entries({ title, sends, passes, hint: hint ?? "" }).map(([name, text]) => ({ id, name, text }))
)
const told = (flaws: (text: string, name: string) => ReadonlyArray<string>) =>
  texts.flatMap(({ id, name, text }) => flaws(text, name).map((flaw) => `${id} ${name} ${flaw}`))

describe("the texts of the catalogue", () => {
  it("name their subjects, repeat no word and show no value that is none", () => {
    assert.deepStrictEqual(told(textFlaws), [])
  })

  it("have no word of this house", () => {
    assert.deepStrictEqual(
      told((text) => (houseWords.test(text) ? [text] : [])),
      []
    )
  })

  it("have titles of one statement, of 15 to 130 characters, that say what is and not what ought to be", () => {
    const isTitle = (title: string) =>
      title.length >= 15 && title.length <= 130 && !/\b(should|ought|must)\b|[.!?]$|[.;] /i.test(title)
    assert.deepStrictEqual(
      allChecks.flatMap(({ id, title }) => (isTitle(title) ? [] : [`${id} ${title}`])),
      []
    )
  })

  it("say what to change, in whole sentences of at most 250 characters", () => {
    const isHint = (hint: string) => hint.length >= 15 && hint.length <= 250 && /[.:]$/.test(hint)
    assert.deepStrictEqual(
      allChecks.flatMap(({ hint = "", id, strength }) =>
        isHint(hint) || (strength === "may" && hint === "") ? [] : [`${id} ${hint}`]
      ),
      []
    )
  })
})

describe("textFlaws", () => {
  it("finds each form, and lets names with the same part pass", () => {
    for (const text of [
      "it is not what was sent",
      "tokens: tokens: the list is empty",
      "expected undefined",
      '["nl","sbx","loc-1",null] is missing'
    ])
      assert.lengthOf(textFlaws(text), 1, text)
    assert.isEmpty(textFlaws("EVSE EVSE-1 of LOC-1 is not in the list"))
  })
})
