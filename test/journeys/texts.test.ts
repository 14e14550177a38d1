/** Texts of the journeys and packs that can be ordered, by form: what a stranger reads before and after a run. */
import { assert, describe, it } from "vitest"
import { templates } from "../../src/journeys/catalogue/catalogue.ts"
import { houseWords, textFlaws } from "../support/textFlaws.ts"

const texts = templates.flatMap(({ description, id, name, outcome, stages }) => [
  ...Object.entries({ name, description, outcome }).map(([what, text]) => ({ place: `${id} ${what}`, text })),
  ...stages.flatMap((stage) => [
    { place: `${id} ${stage.id} name`, text: stage.name },
    { place: `${id} ${stage.id} description`, text: stage.description },
    ...stage.expect.flatMap((rule) => [
      { place: `${rule.id} title`, text: rule.title },
      { place: `${rule.id} reference`, text: rule.reference }
    ])
  ])
])
const found = (flaws: (text: string) => ReadonlyArray<string>) => [
  ...new Set(texts.flatMap(({ place, text }) => flaws(text).map((flaw) => `${place}: ${flaw}`)))
]

describe("the texts of the journeys", () => {
  it("name their subjects, repeat no word and show no value that is none", () => {
    assert.isAbove(templates.length, 40)
    assert.deepStrictEqual(found(textFlaws), [])
  })

  it("have no word of this house", () => {
    assert.deepStrictEqual(
      found((text) => (houseWords.test(text) ? [text] : [])),
      []
    )
  })

  it("have rules of one statement, of 15 to 130 characters, that say what is and not what ought to be", () => {
    const isTitle = (title: string) =>
      title.length >= 15 && title.length <= 130 && !/\b(should|ought|must)\b|[.!?]$|[.;] /i.test(title)
    assert.deepStrictEqual(
      templates.flatMap(({ id, stages }) =>
        stages.flatMap(({ expect }) =>
          expect.flatMap((rule) => (isTitle(rule.title) ? [] : [`${id} ${rule.id} ${rule.title}`]))
        )
      ),
      []
    )
  })
})
