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
  "src/http/request/docsPolicy.ts /<script(?![^>]*application\\/json)[^>]*>([\\s\\S]*?)<\\/script>/g":
    "the page that we serve at /docs",
  'src/http/request/jsonBody.ts /"(?:[^"\\\\]|\\\\.)*"(\\s*:)?|[[\\]{}]/g':
    "asked of valid JSON alone: each quotation mark is closed",
  "src/redaction/forms.ts /=+$/": "the end of Base64 that we made ourselves, which has two = at the most"
}

const length = 6000
const common = [" ", "a", "0", "/", '"', "\\", ";", "=", "<", "."]

/** Texts on which an expression that tries places again and again takes time that grows with their square, or worse. */
function attacksOn(source: string, characters = length): ReadonlyArray<string> {
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
    units.map((unit) => `${before}${unit.repeat(Math.ceil(characters / unit.length))}\u0000`)
  )
}

describe("a regular expression of ours", () => {
  const all = expressions()

  it("takes time in proportion to the text, whatever the text: each of them, on texts made from its own words", () => {
    assert.isAbove(all.size, 150)
    const slow: Array<string> = []
    for (const [literal, files] of all) {
      if (files.every((file) => `${file} ${literal}` in never)) continue
      const end = literal.lastIndexOf("/")
      const flags = literal.slice(end + 1)
      const pattern = new RegExp(literal.slice(1, end), flags.includes("g") ? flags : `${flags}g`)
      const hurt = attacksOn(literal.slice(1, end)).find((text) => {
        const begun = performance.now()
        for (const _ of text.matchAll(pattern));
        // Only what seems slow is measured well.
        if (performance.now() - begun < 8) return false
        return cpuMillis(() => [...text.matchAll(pattern)].length, 8).millis > 12
      })
      if (hurt !== undefined)
        slow.push(`${literal} in ${files.join(", ")}: ${JSON.stringify(hurt.slice(0, 30))}…`)
    }
    assert.deepStrictEqual(slow, [])
  }, 300_000)

  it("is caught by these texts where it does not", () => {
    for (const slow of [/\/+$/, /<([^>]*)>/, /«[^»]*»/, /\s+$/]) {
      // Twice as long takes four times as much: fast machines have an expression like this done within the bar.
      const caught = attacksOn(slow.source, 2 * length).some(
        (text) => cpuMillis(() => slow.test(text), 8).millis > 12
      )
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
