/** What a partner's developer needs to act on a finding stands in every form of a report. */
import { assert, describe, it } from "vitest"
import type { Assertion, FindingKind } from "../../schema/Assertion.ts"
import { badLines, fullLines } from "../../src/cli/follow/checkLines.ts"
import { annotations } from "../../src/cli/terminal/annotations.ts"
import { factsOf } from "../../src/reports/facts.ts"
import { htmlOf } from "../../src/reports/html/page.ts"
import { jsonOf } from "../../src/reports/json.ts"
import { junitOf } from "../../src/reports/junit.ts"
import { markdownOf } from "../../src/reports/markdown.ts"
import { check, document } from "../support/documents.ts"

const kind = (message: string, count: number): FindingKind => ({
  message,
  strength: "must",
  expected: `expected of ${message}`,
  count,
  places: Array.from({ length: count }, (_, index) => ({
    pointer: `/data/${index}/last_updated`,
    object: `LOC${index}`,
    actual: `"seen ${index}"`,
    exchangeId: "exc_1"
  }))
})

const finding = check("LOC-017", "failed", {
  title: "Location: last_updated is in UTC",
  message: "the whole message",
  findings: [kind("last_updated has an offset (/data/0/last_updated)", 5), kind("last_updated is absent", 1)],
  hint: "Write times in UTC.",
  curl: "curl -sS -i -X GET https://cpo.example/locations"
})

const withFinding = { ...document, groups: [{ ...document.groups[1]!, checks: [finding] }] }

/** Without the escapes of the form. */
const unescaped = (text: string) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("%0A", "\n")
    .replace(/\\([\\`*_{}[\]<>()#|~])/g, "$1")

const forms: Readonly<Record<string, string>> = {
  "the terminal": badLines([finding]).join("\n"),
  "one check on the terminal": fullLines(finding).join("\n"),
  "annotations of a build": annotations([finding]).join("\n"),
  Markdown: markdownOf(withFinding),
  JUnit: junitOf(withFinding),
  HTML: htmlOf(withFinding)
}

const parts: Readonly<Record<string, string>> = {
  subject: "Location: last_updated is in UTC",
  finding: "last_updated has an offset",
  "another kind of finding": "last_updated is absent",
  count: "5 times",
  rule: "must, mod_locations, Location Object",
  place:
    "/data/0/last_updated of LOC0; /data/1/last_updated of LOC1; /data/2/last_updated of LOC2; and 2 more",
  "what was seen": '"seen 0"; "seen 1"; "seen 2"',
  "what was expected": "expected of last_updated has an offset",
  "what to change": "Write times in UTC.",
  curl: "curl -sS -i -X GET https://cpo.example/locations"
}

describe("a finding that a developer can act on", () => {
  it.each(Object.keys(forms))("has its parts in the form: %s", (form) => {
    const text = unescaped(forms[form]!)
    // The page is for readers who do not know the files of the OCPI text; the other forms name what `--clause` takes.
    for (const [part, words] of Object.entries(parts))
      assert.include(text, form === "HTML" ? words.replace("mod_locations", "Locations module") : words, part)
  })

  it("has all its places in JSON", () => {
    const text = jsonOf(withFinding)
    for (const { places } of finding.findings ?? [])
      for (const { object } of places) assert.include(text, `"${object}"`)
  })

  it("says once what several kinds have in common", () => {
    const refused = (request: string): FindingKind => ({
      message: `${request} answered HTTP 403`,
      strength: "must",
      expected: "HTTP 401",
      count: 1,
      places: [{ actual: "HTTP 403" }]
    })
    const open = {
      ...refused("GET tariffs"),
      message: "GET tariffs answered HTTP 200",
      places: [{ actual: "HTTP 200" }]
    }
    const facts = factsOf({ ...finding, findings: [refused("GET locations"), refused("GET sessions"), open] })
    assert.deepStrictEqual(
      facts.slice(0, 7).map(({ name, value }) => `${name}: ${value}`),
      [
        "found: GET locations answered HTTP 403",
        "found: GET sessions answered HTTP 403",
        "seen: HTTP 403",
        "expected: HTTP 401",
        "found: GET tariffs answered HTTP 200",
        "seen: HTTP 200",
        "expected: HTTP 401"
      ]
    )
  })

  it("names three kinds for reading, and how many there are more", () => {
    const findings = ["one", "two", "three", "four", "five"].map((message) => kind(message, 2))
    const facts = factsOf({ ...finding, findings })
    assert.strictEqual(facts.filter(({ name }) => name === "found").length, 3)
    assert.deepInclude(facts, { name: "more", value: "4 more findings of 2 other kinds" })
  })

  it("names a fourth kind when it is the last one", () => {
    const findings = ["one", "two", "three", "four"].map((message) => kind(message, 1))
    const facts = factsOf({ ...finding, findings })
    assert.strictEqual(facts.filter(({ name }) => name === "found").length, 4)
    assert.isUndefined(facts.find(({ name }) => name === "more"))
  })

  it("is told of assertions without findings, as of journeys and earlier releases", () => {
    const { findings: _, ...old } = finding
    const one: Assertion = { ...old, pointer: "/data", actual: "null", expected: "an array" }
    assert.deepStrictEqual(
      factsOf(one).map(({ name, value }) => `${name}: ${value}`),
      [
        "found: the whole message",
        "at: /data",
        "seen: null",
        "expected: an array",
        "rule: must, mod_locations, Location Object",
        "change: Write times in UTC.",
        "curl: curl -sS -i -X GET https://cpo.example/locations"
      ]
    )
  })

  it("says what was expected of a check that passed", () => {
    const passed = check("VERS-001", "passed", { expected: "HTTP 200" })
    assert.deepInclude(factsOf(passed), { name: "expected", value: "HTTP 200" })
  })
})
