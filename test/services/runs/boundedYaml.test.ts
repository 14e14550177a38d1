import { assert, describe, it } from "@effect/vitest"
import { longestScenarioFile } from "../../../schema/Scenario.ts"
import { misfitsOf } from "../../../src/journeys/catalogue/playable.ts"
import { mostAliases, mostEntries, readYaml } from "../../../src/services/runs/boundedYaml.ts"
import { readScenarioFile } from "../../../src/services/runs/scenarioFile.ts"
import { cpuMillis } from "../../support/cpuMillis.ts"

const errorsOf = (text: string) => {
  const reading = readYaml(text)
  return "errors" in reading ? reading.errors : []
}
const firstOf = (text: string) => errorsOf(text)[0]?.message ?? ""

describe("reading YAML within bounds", () => {
  it("names the second of two keys of one map, wherever it stands", () => {
    const text = "a: 1\nb: {x: 1, 'x': 2}\na: 2\n"
    const places = errorsOf(text).map(({ message, offset }) => `${text.slice(offset, offset + 3)} ${message}`)
    assert.deepStrictEqual(places, ["'x' Map keys must be unique", "a:  Map keys must be unique"])
  })

  it("takes keys of one name in different maps, and different types of one spelling", () => {
    assert.deepStrictEqual(errorsOf("a: {x: 1}\nb: {x: 1}\n1: 1\n'1': 1\n"), [])
  })

  it("says which bound a file breaks, and where", () => {
    assert.match(firstOf("x".repeat(longestScenarioFile + 1)), /longer than 65536 characters/)
    assert.match(firstOf("[".repeat(40)), /nested deeper than 32 levels/)
    assert.match(firstOf("- ".repeat(40)), /nested deeper than 32 levels/)
    assert.match(firstOf("? ".repeat(40)), /nested deeper than 32 levels/)
    assert.match(firstOf(`a: "${"x".repeat(5000)}"`), /text or comment is longer than 4096/)
    assert.match(firstOf(`#${"x".repeat(5000)}`), /text or comment is longer than 4096/)
    assert.match(firstOf(`- &a x\n${"- *a\n".repeat(mostAliases + 1)}`), /more than 100 aliases/)
    assert.match(firstOf("- x\n".repeat(mostEntries + 1)), /more than 500 entries/)
    assert.match(firstOf("- x\n".repeat(3000)), /more than 6000 words and signs/)
    assert.match(firstOf("a: 1\n---\nb: 1\n"), /more than one document/)
    const deep = `a: 1\nb: ${"[".repeat(40)}`
    const offset = errorsOf(deep)[0]?.offset ?? 0
    assert.isTrue(deep.indexOf("[") < offset && offset < deep.length, String(offset))
  })
})

/** A file of about so many characters made of one line or sign, and what stands round it. */
type Attack = (size: number) => string
const many =
  (unit: (at: number) => string, before = "", after = ""): Attack =>
  (size) => {
    const parts: Array<string> = []
    for (let length = 0, at = 0; length < size; at++) {
      parts.push(unit(at))
      length += unit(at).length
    }
    return before + parts.join("") + after
  }
const scenario = "name: a\ntemplateId: remote-start\n"

const attacks: Readonly<Record<string, Attack>> = {
  "keys of a block map": many((at) => `k${at}: 1\n`),
  "keys of a flow map": many((at) => `k${at}: 1,`, "{", "}"),
  "one key again and again": many(() => "a: 1\n"),
  "lists within lists": (size) => "[".repeat(size / 2) + "]".repeat(size / 2),
  "maps as keys of maps": (size) => "{".repeat(size / 2) + "}".repeat(size / 2),
  "question marks": many(() => "? "),
  "dashes in one line": many(() => "- "),
  "commas alone": many(() => ",", "[", "]"),
  "closing brackets": many(() => "]"),
  "closing braces": many(() => "}"),
  anchors: many((at) => `- &a${at} x\n`),
  "an alias for each anchor": many((at) => `- &a${at} x\n- *a${at}\n`),
  "aliases of nothing": many(() => "- *b\n"),
  "merge keys": many(() => "  <<: *a\n", "%YAML 1.1\n---\na: &a {x: 1}\nb:\n"),
  "tags on one value": many(() => "!!str ", "", "x"),
  "anchors on one value": many(() => "&a ", "", "x"),
  "tag directives": many((at) => `%TAG !e${at}! tag:x,2000:\n`, "", "---\na"),
  "bad directives": many(() => "%x y\n"),
  documents: many(() => "---\n"),
  "ends of documents": many(() => "...\n"),
  "bad escapes": many(() => "\\q", '"', '"'),
  "lines of a quoted text": many(() => "x \n", '"', '"'),
  "lines of a folded text": many((at) => (at % 2 === 0 ? "   y\n" : " x\n"), "a: >\n"),
  "empty lines of a folded text": many(() => "\n", "a: >\n x", " y"),
  comments: many(() => "#\n"),
  "comments in a list": many(() => "#\n", "a: [", "]"),
  "tabs before keys": many(() => "\ta: b\n"),
  "mapping in one line": many(() => "a b: c: d\n"),
  "bad indentation": many((at) => (at % 2 === 0 ? "  a: 1\n" : " b: 1\n")),
  "explicit keys in one another": many(() => "? ? ? a\n"),
  "lists as keys": many(() => "[a]: 1,", "{", "}"),
  "one number": many(() => "1:", "%YAML 1.1\n--- ", "1x"),
  "unknown limits": many((at) => `  k${at}: x\n`, `${scenario}limits:\n`),
  "unknown assertions": many((at) => `  k${at}: off\n`, `${scenario}assertions:\n`),
  "empty faults": many(() => "  - {}\n", `${scenario}faults:\n`),
  "a long name": (size) => `name: ${"x".repeat(size)}\ntemplateId: ${"y".repeat(size)}\n`
}

/** The largest file that is taken, and smaller ones that come through to later steps. */
const sizes = [3000, 4000, 8000, 16_000, 65_000]

describe("hostile YAML", () => {
  for (const [name, attack] of Object.entries(attacks))
    it(`is read in a moment: ${name}`, () => {
      for (const size of sizes) {
        const file = attack(size)
        const { millis, value } = cpuMillis(() => readScenarioFile(file, misfitsOf))
        assert.isBelow(millis, 250, `${size} characters`)
        assert.isAtMost(value.problems.length, 50)
      }
    })
})
