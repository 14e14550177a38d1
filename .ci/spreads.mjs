// V8 of Node 20 gives each object of a literal that begins with a spread, `{ ...a, b }`, a hidden class of its own. That takes
// 1.2 µs in place of 0.1, every later access to the object is a slow one, and the classes fill the old generation. If nothing is
// spread before, `{ ...__nothing, ...a, b }`, it does not. Node 22 does neither, and loses 0.04 µs. `spreads` does that while
// bundling; the bundle's text defines `__nothing` as null. Written as `null`, the bundler would take it out.
import { readFileSync } from "node:fs"
import ts from "typescript"

const mayMatter = /\{\s*\.\.\./

/** The text of a module with nothing spread first where it matters. Lines keep their numbers, for stacks. */
export const withNothingFirst = (text, path) => {
  if (text.includes("__nothing")) throw new Error(`${path} has an __nothing of its own`)
  if (!mayMatter.test(text)) return text
  const places = []
  const visit = (node) => {
    // Not a pattern: in one the rest comes last.
    const [first, second] = ts.isObjectLiteralExpression(node) ? node.properties : []
    if (second !== undefined && ts.isSpreadAssignment(first)) places.push(first.getStart(source))
    ts.forEachChild(node, visit)
  }
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  visit(source)
  const starts = [0, ...places.sort((one, other) => one - other)]
  return starts.map((start, index) => text.slice(start, starts[index + 1])).join("...__nothing, ")
}

const plugin = (name, filter, loader) => ({
  name,
  setup: (esbuild) =>
    esbuild.onLoad({ filter }, ({ path }) => ({
      contents: withNothingFirst(readFileSync(path, "utf8"), path),
      loader
    }))
})

/** For the modules of packages. */
export const spreads = plugin("spreads", /\/node_modules\/.*\.[cm]?js$/, "js")
/** For our own, where no other plugin reads them. */
export const ownSpreads = plugin("own-spreads", /\/(src|schema|machines)\/.*\.ts$/, "ts")
