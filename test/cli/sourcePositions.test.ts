import { SourceMap } from "node:module"
import { transformSync } from "esbuild"
import { assert, describe, it } from "vitest"
import { type Position, sourcePositions } from "../../src/cli/launch/sourcePositions.ts"

const source = Array.from(
  { length: 40 },
  (_, n) => `export const value${n}: number = [${n}, ${n} + 1].map((one) => one * ${n}).length // said\n`
).join("\n")
const { code, map } = transformSync(source, {
  loader: "ts",
  sourcemap: true,
  sourcefile: "one.ts",
  minifyWhitespace: true
})
const payload = JSON.parse(map)

describe("the position in a source", () => {
  it("is the one that Node finds, of every place in the generated text", () => {
    const places: ReadonlyArray<Position> = code
      .split("\n")
      .flatMap((text, line) => [...text].map((_, column) => ({ line: line + 1, column })))
    assert.isAbove(places.length, 1000)
    const node = new SourceMap(payload)
    const expected = places.map(({ column, line }) => {
      const found = node.findEntry(line - 1, column)
      return "originalSource" in found
        ? { source: "one.ts", line: found.originalLine + 1, column: found.originalColumn }
        : undefined
    })
    assert.deepStrictEqual(sourcePositions(payload, places), expected)
  })

  it("is unknown behind the end of the map, and for a part without a source", () => {
    assert.deepStrictEqual(sourcePositions(payload, [{ line: 9999, column: 0 }]), [undefined])
    // One segment of one field, then one of four.
    const generated = { sources: ["one.ts"], mappings: "A,EAAA" }
    assert.deepStrictEqual(
      sourcePositions(generated, [
        { line: 1, column: 1 },
        { line: 1, column: 2 }
      ]),
      [undefined, { source: "one.ts", line: 1, column: 0 }]
    )
  })
})
