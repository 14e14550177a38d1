/** How values of a partner get into sentences: by the functions that bound them, quote them and have words for what is absent. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { assert, describe, it } from "vitest"
import type { Exchange } from "../../schema/Exchange.ts"
import { type AnsweredExchange, named, requestName } from "../../src/findings/answers.ts"
import { keyText } from "../../src/findings/json.ts"
import { inWords, shown } from "../../src/findings/words.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "../..")
const rooms = ["src/conformance", "src/journeys"]

const filesUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesUnder(join(folder, entry.name))
      : entry.name.endsWith(".ts")
        ? [join(folder, entry.name)]
        : []
  )

type Rule = (node: ts.Node) => boolean

/** `String(x)` and `map(String)`: of an object they make [object Object], and of what is absent undefined. */
const isString: Rule = (node) =>
  ts.isCallExpression(node) &&
  [node.expression, ...node.arguments].some((one) => ts.isIdentifier(one) && one.text === "String")
/** A field of somebody else's JSON, put into a text as it is. */
const isBareField: Rule = (node) =>
  ts.isTemplateSpan(node) &&
  ts.isElementAccessExpression(node.expression) &&
  ts.isStringLiteral(node.expression.argumentExpression)
/** Whole bodies are no values to show. */
const isWholeBody: Rule = (node) =>
  ts.isPropertyAssignment(node) &&
  node.name.getText() === "actual" &&
  ts.isPropertyAccessExpression(node.initializer) &&
  node.initializer.name.text === "json"
/** What an exchange is called in our ledgers, in a sentence. */
const isOperation: Rule = (node) =>
  ts.isTemplateSpan(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === "operation" &&
  !(ts.isPropertyAssignment(node.parent.parent) && node.parent.parent.name.getText() === "operation")
/** The two readings of a text, which the grading tells of itself. */
const isReading: Rule = (node) =>
  (ts.isStringLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node) ||
    ts.isNoSubstitutionTemplateLiteral(node)) &&
  /\bread in two ways\b/.test(node.text)

function placesOf(rule: Rule, source: ts.SourceFile): ReadonlyArray<string> {
  const found: Array<string> = []
  const visit = (node: ts.Node): void => {
    if (rule(node)) found.push(`${source.fileName}: ${node.getText(source).slice(0, 100)}`)
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

const parsed = (file: string, text: string) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
const sources = rooms.flatMap(filesUnder).map((file) => parsed(file, readFileSync(join(root, file), "utf8")))
const breaking = (rule: Rule) => sources.flatMap((source) => placesOf(rule, source))

describe("the sources of sentences", () => {
  it("turn no value into text but by inWords, shown or keyText", () => {
    assert.deepStrictEqual([...breaking(isString), ...breaking(isBareField)], [])
  })

  it("show fields and no whole bodies", () => {
    assert.deepStrictEqual(breaking(isWholeBody), [])
  })

  it("name requests by requestName alone", () => {
    assert.deepStrictEqual(breaking(isOperation), [])
  })

  it("leave it to the grading to say that a text has two readings", () => {
    assert.deepStrictEqual(
      breaking(isReading).filter((place) => !place.startsWith("src/conformance/grading/assertion.ts")),
      []
    )
  })

  it("would be found", () => {
    const found = (rule: Rule, text: string) => placesOf(rule, parsed("some.ts", text)).length
    assert.strictEqual(found(isString, "const a = String(b); c.map(String)"), 2)
    assert.strictEqual(
      found(isBareField, `const a = ${"`$"}{json["id"]} of ${"$"}{inWords(json["id"])}${"`"}`),
      1
    )
    assert.strictEqual(found(isWholeBody, "const a = { actual: seen.json }"), 1)
    assert.strictEqual(found(isOperation, `const a = ${"`$"}{exchange.operation}${"`"}`), 1)
    assert.strictEqual(found(isReading, `const a = ${"`$"}{b} can be read in two ways${"`"}`), 1)
  })
})

describe("a value in words", () => {
  const values: ReadonlyArray<unknown> = [undefined, null, "", { a: { b: 1 } }, ["x", { y: 1 }], 5, true]
  it("is never a form of JavaScript's, and never long", () => {
    for (const value of [...values, "x".repeat(5000), { body: "x".repeat(5000) }])
      for (const text of [inWords(value), shown(value)]) {
        assert.notMatch(text, /undefined|\[object|NaN/)
        assert.isAtMost(text.length, 120)
        assert.isNotEmpty(text)
      }
  })

  it("as a key is the text itself, and nothing where it is absent", () => {
    assert.deepStrictEqual(values.map(keyText), ["", "", "", '{"a":{"b":1}}', '["x",{"y":1}]', "5", "true"])
  })
})

describe("the name of a request", () => {
  const name = (method: string, module: string, operation: string) =>
    requestName({ module, operation, request: { method } } as Exchange)

  it("has one pair of parentheses, whatever tells it from others", () => {
    const exchange = { module: "tokens", operation: "unknown object", request: { method: "GET" } } as Exchange
    assert.strictEqual(
      named({ exchange, about: "without Authorization header" } as AnsweredExchange),
      "GET tokens (unknown object, without Authorization header)"
    )
  })

  it("is its method with OCPI's own noun, and what tells it from others", () => {
    assert.deepStrictEqual(
      [
        name("GET", "locations", "list"),
        name("GET", "locations", "list, next page"),
        name("GET", "sessions", "list without date_from"),
        name("GET", "versions", "list"),
        name("GET", "versions", "details"),
        name("GET", "credentials", "read"),
        name("PUT", "tokens", "PUT token"),
        name("GET", "locations", "GET location, afterwards"),
        name("POST", "commands", "START_SESSION"),
        name("POST", "commands", "RESERVE_NOW, by the second EMSP"),
        name("PUT", "tokens", "truncated JSON"),
        name("POST", "commands", "command result START_SESSION")
      ],
      [
        "GET locations",
        "GET locations (next page)",
        "GET sessions (without date_from)",
        "GET versions",
        "GET version details",
        "GET credentials",
        "PUT token",
        "GET location (afterwards)",
        "POST START_SESSION",
        "POST RESERVE_NOW (by the second EMSP)",
        "PUT tokens (truncated JSON)",
        "POST commands (command result START_SESSION)"
      ]
    )
  })
})

describe("a role in a sentence", () => {
  it("has its article from one function: an EMSP, a CPO", () => {
    const wrong = filesUnder("src").filter((file) =>
      /\b[Aa] \$\{[^}"]*(role|Role|wanted)\}/.test(readFileSync(join(root, file), "utf8"))
    )
    assert.deepStrictEqual(wrong, [])
  })
})
