import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { assert, describe, it } from "vitest"
import { cpuMillis } from "./support/cpuMillis.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")

function filesUnder(folder: string): ReadonlyArray<string> {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesUnder(join(folder, entry.name))
      : entry.name.endsWith(".ts")
        ? [join(folder, entry.name)]
        : []
  )
}

/** Every regular expression that is written in the sources, with the places where. */
function expressions(): ReadonlyMap<string, ReadonlyArray<string>> {
  const found = new Map<string, Array<string>>()
  for (const file of ["schema", "machines", "src"].flatMap(filesUnder)) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(root, file), "utf8"),
      ts.ScriptTarget.Latest,
      true
    )
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const text = node.getText(source)
        found.set(text, [...(found.get(text) ?? []), file])
      }
      node.forEachChild(visit)
    }
    visit(source)
  }
  return found
}

/** Slow for some texts, and never asked of a text that somebody else chose; each with the reason. */
const never: Readonly<Record<string, string>> = {
  "src/cli/service/serviceFlags.ts /\\/+$/": "a URL that is given at the command line",
  "src/telemetry/Tracing.ts /\\/+$/": "a setting",
  "src/http/answer/docsPolicy.ts /<script(?![^>]*application\\/json)[^>]*>([\\s\\S]*?)<\\/script>/g":
    "the page that we serve at /docs",
  'src/http/request/jsonBody.ts /"(?:[^"\\\\]|\\\\.)*"(\\s*:)?|[[\\]{}]/g':
    "asked of valid JSON alone: each quotation mark is closed",
  "src/redaction/forms.ts /=+$/": "the end of Base64 that we made ourselves, which has two = at the most"
}

const length = 6000
const common = [" ", "a", "0", "/", '"', "\\", ";", "=", "<", "."]

/** Makes texts on which an expression that tries places again and again takes time that grows with their square, or worse. */
function attacksOn(source: string): ReadonlyArray<(characters: number) => string> {
  const words = source
    .replace(/\\[a-zA-Z]|[[\]()*+?{}|^$.]/g, " ")
    .split(" ")
    .filter((word) => word !== "")
    .flatMap((word) => [word.replace(/\\(.)/g, "$1"), word[0]!])
  const own = [...new Set(words)].slice(0, 6)
  const units = [
    ...new Set([
      ...common,
      ...own,
      ...own.flatMap((word) => common.flatMap((one) => [word + one, one + word]))
    ])
  ]
  return ["", ...own.slice(0, 3)].flatMap((before) =>
    units.map(
      (unit) => (characters: number) => `${before}${unit.repeat(Math.ceil(characters / unit.length))}\u0000`
    )
  )
}

/** Finds all matches and keeps none: what is made for each would be the collector's time, not the expression's. */
function findAll(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0
  for (let from = 0; pattern.test(text); from = pattern.lastIndex)
    if (pattern.lastIndex === from) pattern.lastIndex++
}

/**
 * A text for which four times the length takes eight times as long: sixteen times where the time grows with the square, four
 * times where all is well, however fast the machine is.
 */
function slowOn(
  attacks: ReadonlyArray<(characters: number) => string>,
  search: (text: string) => unknown
): string | undefined {
  return attacks.find((attack) => {
    const text = attack(length)
    const begun = performance.now()
    search(text)
    // What is done at once cannot be measured, and need not be.
    if (performance.now() - begun < 2) return false
    const bar = 8 * Math.max(0.5, cpuMillis(() => search(text), 0).millis)
    const long = attack(4 * length)
    return cpuMillis(() => search(long), bar).millis > bar
  })?.(length)
}

describe("a regular expression of ours", () => {
  const all = expressions()

  it("takes time in proportion to the text, whatever the text: each of them, on texts made from its own words", async () => {
    assert.isAbove(all.size, 150)
    const slow: Array<string> = []
    for (const [literal, files] of all) {
      if (files.every((file) => `${file} ${literal}` in never)) continue
      const end = literal.lastIndexOf("/")
      const flags = literal.slice(end + 1)
      const pattern = new RegExp(literal.slice(1, end), flags.includes("g") ? flags : `${flags}g`)
      const hurt = slowOn(attacksOn(literal.slice(1, end)), (text) => findAll(pattern, text))
      // Its worker answers meanwhile.
      await new Promise(setImmediate)
      if (hurt !== undefined)
        slow.push(`${literal} in ${files.join(", ")}: ${JSON.stringify(hurt.slice(0, 30))}…`)
    }
    assert.deepStrictEqual(slow, [])
  }, 300_000)

  it("is caught by these texts where it does not", async () => {
    for (const slow of [/\/+$/, /<([^>]*)>/, /«[^»]*»/, /\s+$/]) {
      const caught = slowOn(attacksOn(slow.source), (text) => slow.test(text)) !== undefined
      await new Promise(setImmediate)
      assert.isTrue(caught, String(slow))
    }
  }, 60_000)

  it("is excused for a reason where it may be slow, and no more than that", () => {
    const used = [...all].flatMap(([literal, files]) => files.map((file) => `${file} ${literal}`))
    assert.deepStrictEqual(
      Object.keys(never).filter((one) => !used.includes(one)),
      []
    )
  })
})
