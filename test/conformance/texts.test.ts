/** Texts of the catalogue, by form: what a stranger reads before and after a run. */
import { assert, describe, it } from "vitest"
import { allChecks } from "../../src/conformance/catalogue/suites.ts"
import { houseWords, textFlaws } from "../support/textFlaws.ts"

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

  it("name who looks and who answers where no request is sent, and state a rule where it is only recorded", () => {
    const lacks = (text: string, name: string) =>
      (name === "sends" &&
        (/^nothing\b/.test(text) || /[;:,] (then |and )?(looks|answers|lists)\b/.test(text))) ||
      (name === "title" && /\bis recorded\b/.test(text))
    assert.deepStrictEqual(
      told((text, name) => (lacks(text, name) ? [text] : [])),
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

/** What a hint may begin with: it tells the partner's developer what to do. */
const imperatives = new Set(
  `Accept Add Address Answer Apply Ask Bill Build Call Change Check Compare Complete Copy Correct Count Create Cut Decide
  Decode Do Drop Encode Fetch Fill Filter Follow Forget Free Give Identify Ignore Implement Include Issue Judge Keep Leave
  Let List Look Make Map Merge Name Number Offer POST Page Price Push Put Raise Read Refuse Remove Repeat Replace Report
  Request Return Round Send Serve Set Shorten Sort Split Start Stop Store Swap Synchronise Take Tell Test Update Use Wait
  Write`.split(/\s+/)
)

describe("the hints of the catalogue", () => {
  it("tell what to do, and begin with it", () => {
    const firstWord = (hint: string) => /^[A-Za-z]+/.exec(hint)?.[0] ?? ""
    assert.deepStrictEqual(
      allChecks.flatMap(({ hint, id }) =>
        hint === undefined || imperatives.has(firstWord(hint)) ? [] : [`${id} ${hint}`]
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
