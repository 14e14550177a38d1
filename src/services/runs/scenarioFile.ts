/** Reads and writes scenario files, YAML or JSON; problems have a line and a column. Pure. */
import { Either, Schema } from "effect"
import { type Document, isNode, LineCounter, stringify } from "yaml"
import { type Issue, issuesOf } from "../../../schema/fields/issues.ts"
import { ScenarioDraft, type ScenarioProblem, type ScenarioValidation } from "../../../schema/Scenario.ts"
import { mergedIssues } from "../../api/decodeError.ts"
import { meantOrListed, nearest } from "../../findings/nearest.ts"
import { mostAliases, readYaml } from "./boundedYaml.ts"

/** Validates a decoded draft against its template; `path` leads to each problem. */
type Judge = (
  draft: ScenarioDraft
) => ReadonlyArray<{ readonly path: ReadonlyArray<string | number>; readonly message: string }>

const mostProblems = 50
const decode = Schema.decodeUnknownEither(ScenarioDraft, { errors: "all", onExcessProperty: "error" })

/** Validates a file and lists up to fifty problems; `judge` is called when the draft could be decoded. */
export function readScenarioFile(file: string, judge: Judge): ScenarioValidation {
  const text = file.replace(/^\uFEFF/, "")
  const at = placesOf(text)
  const invalid = (problems: ReadonlyArray<ScenarioProblem>) => ({ valid: false, problems, scenario: null })
  const reading = readYaml(text)
  if ("errors" in reading) {
    return invalid(
      reading.errors
        .slice(0, mostProblems)
        .map(({ message, offset }) => ({ ...at(offset), path: "", message }))
    )
  }
  const { document } = reading
  const value = plainOf(document)
  if (Either.isLeft(value)) return invalid([{ line: 1, column: 1, path: "", message: value.left }])
  const located = ({
    message,
    path
  }: {
    readonly path: ReadonlyArray<PropertyKey>
    readonly message: string
  }) => ({
    ...at(offsetOf(document, path)),
    path: path.map(String).join("."),
    message
  })
  const decoded = decode(value.right)
  if (Either.isLeft(decoded)) {
    return invalid(mistakesIn(issuesOf(decoded.left)).map(located))
  }
  const problems = judge(decoded.right).slice(0, mostProblems).map(located)
  return problems.length > 0 ? invalid(problems) : { valid: true, problems: [], scenario: decoded.right }
}

/**
 * One problem for each mistake: a field that does not exist and is almost one that is missing is that one, misspelt, and the
 * alternatives of a value are one.
 */
function mistakesIn(issues: ReadonlyArray<Issue>): ReadonlyArray<Pick<Issue, "message" | "path">> {
  const missing = issues.filter(({ _tag }) => _tag === "Missing")
  const meant = new Set<Issue>()
  const told = issues.map((issue) => {
    if (issue._tag !== "Unexpected") return issue
    const parent = issue.path.slice(0, -1)
    const name = String(issue.path.at(-1))
    const beside = missing.filter(({ path }) => path.slice(0, -1).join(".") === parent.join("."))
    const fields = [...issue.message.matchAll(/"(\w+)"/g)].map(([, field]) => field!)
    const near = nearest(name, fields)
    const gone = beside.find(({ path }) => path.at(-1) === near)
    if (gone !== undefined) meant.add(gone)
    return { ...issue, message: `there is no field ${JSON.stringify(name)}${meantOrListed(name, fields)}` }
  })
  return mergedIssues(told.filter((_, index) => !meant.has(issues[index]!)))
}

/** Line and column of an offset, both from 1. */
function placesOf(text: string) {
  const lines = new LineCounter()
  lines.addNewLine(0)
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) lines.addNewLine(end + 1)
  return (offset: number) => {
    const { col, line } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
}

/** The document as a value. Nested aliases can make a small file a huge value, so their number is bounded. */
function plainOf(document: Document): Either.Either<unknown, string> {
  try {
    return Either.right(document.toJS({ maxAliasCount: mostAliases }))
  } catch (error) {
    return Either.left(error instanceof Error ? error.message : String(error))
  }
}

/** Offset of the value at the path, or of the innermost existing value on that path. */
function offsetOf(document: Document, path: ReadonlyArray<PropertyKey>): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range != null) return node.range[0]
  }
  return 0
}

/** The text of a file from which `readScenarioFile` reads this draft. */
export const writeScenarioFile = (draft: ScenarioDraft, format: "yaml" | "json"): string =>
  format === "json" ? `${JSON.stringify(draft, null, 2)}\n` : stringify(draft)

/** All problems in one message. */
export const problemsInWords = (problems: ReadonlyArray<ScenarioProblem>): string =>
  problems
    .map(
      ({ column, line, message, path }) =>
        `line ${line}, column ${column}: ${path === "" ? "" : `${path}: `}${message}`
    )
    .join("; ")
