import { assert, describe, it } from "@effect/vitest"
import { linksOf, nextIn } from "../../src/findings/links.ts"
import { cpuMillis } from "../support/cpuMillis.ts"

const next = (link: string) => nextIn(link, "https://partner.example/ocpi/locations?limit=2")?.url
const url = "https://partner.example/ocpi/locations?offset=2&limit=2"

describe("the link to the next page", () => {
  for (const link of [
    `<${url}>; rel="next"`,
    `<${url}>; rel=next`,
    `<${url}>;rel=NEXT`,
    `<${url}>; REL="Next"`,
    `<${url}>; rel="next";`,
    `<${url}>; title="a, \\"b\\"; rel=prev"; rel="next"`,
    `<${url}>; rel="last next"`,
    `<https://partner.example/1>; rel="prev", <${url}>; rel="next"`,
    `<${url}>; rel="next", <https://partner.example/9>; rel="last"`,
    `<${url}>  ;  rel = "next"`
  ]) {
    it(`is found in ${link}`, () => assert.strictEqual(next(link), url))
  }

  for (const link of [
    "",
    "nonsense",
    `<${url}>`,
    `<${url}>; rel="prev"`,
    `<${url}>; title="next"`,
    `${url}; rel="next"`,
    `<${url}>; rel="nextpage"`
  ]) {
    it(`is not found in "${link}"`, () => assert.isUndefined(next(link)))
  }

  it("keeps commas and semicolons of the URL", () => {
    assert.strictEqual(
      next('<https://partner.example/a,b;c?d=1,2>; rel="next"'),
      "https://partner.example/a,b;c?d=1,2"
    )
  })

  it("is resolved against the URL that was asked, and reported as not absolute", () => {
    const link = nextIn(
      '</ocpi/locations?offset=2&limit=2>; rel="next"',
      "https://partner.example/ocpi/locations?limit=2"
    )
    assert.isUndefined(link?.url)
    assert.strictEqual(link?.resolved, url)
    assert.strictEqual(link?.problem, 'the target "/ocpi/locations?offset=2&limit=2" is not an absolute URL')
  })

  it("is reported when its target does not stand in angle brackets", () => {
    assert.deepStrictEqual(nextIn(`${url}; rel="next"`, url), {
      problem: 'the target of rel="next" does not stand in angle brackets'
    })
  })

  it("is none without a header, and none is fine", () => {
    assert.isUndefined(nextIn(undefined, url))
    assert.isUndefined(nextIn(`<${url}>; rel="prev"`, url))
  })

  it("counts the first rel only", () => {
    assert.deepStrictEqual(
      linksOf(`<${url}>; rel="prev"; rel="next"`, url).map(({ relations }) => relations),
      [["prev"]]
    )
  })

  it("reads a hostile header in no time", () => {
    const header = `<${url}>${"; a ".repeat(4000)}${" ".repeat(4000)}"`
    assert.isBelow(cpuMillis(() => linksOf(header, url)).millis, 500)
  })
})
