/** Decode errors as messages that stay short however large the value is. Pure. */
import { Option, ParseResult, SchemaAST } from "effect"

/** One decode error; `path` leads to its place from the top of the value. */
export type Issue = ParseResult.ArrayFormatterIssue

/** UTF-16 units of a value that a message shows. */
const longestValue = 120
/** Issues that a message lists at most. */
const mostIssues = 50

/**
 * The issues of a failed decoding, at most fifty. Effect's formatter prints the whole value for every union member that
 * rejects it, which takes a second of CPU time for a megabyte; so it gets only the beginning of such a value.
 */
export const issuesOf = ({ issue }: ParseResult.ParseError): ReadonlyArray<Issue> =>
  ParseResult.ArrayFormatter.formatIssueSync(abridged(issue, { left: mostIssues }))

/** The first issue; a failed decoding always has one. */
export const firstIssueOf = (error: ParseResult.ParseError): Issue => issuesOf(error)[0]!

type Several = ParseResult.Composite["issues"]

/** The same issues with their values cut to what a message shows; keeps at most `count.left` more leaves. */
function abridged(issue: ParseResult.ParseIssue, count: { left: number }): ParseResult.ParseIssue {
  switch (issue._tag) {
    case "Type":
      count.left -= 1
      return new ParseResult.Type(dueIn(issue.ast), beginningOf(issue.actual), issue.message)
    case "Pointer":
      return new ParseResult.Pointer(issue.path, issue.actual, abridged(issue.issue, count))
    case "Refinement":
      return new ParseResult.Refinement(issue.ast, issue.actual, issue.kind, abridged(issue.issue, count))
    case "Transformation":
      return new ParseResult.Transformation(issue.ast, issue.actual, issue.kind, abridged(issue.issue, count))
    case "Composite":
      if (SchemaAST.isTupleType(issue.ast) && lacksAnItem(issue.issues)) {
        count.left -= 1
        return new ParseResult.Type(issue.ast, issue.actual, tooFew(issue.ast))
      }
      return new ParseResult.Composite(issue.ast, issue.actual, several(issue.issues, count), issue.output)
    case "Forbidden":
    case "Missing":
    case "Unexpected":
      count.left -= 1
      return issue
  }
}

const named = (name: string) =>
  SchemaAST.annotations(SchemaAST.unknownKeyword, { [SchemaAST.IdentifierAnnotationId]: name })
const anObject = named("an object")
const aList = named("a list")

/** What is due, as messages name it: of an object or a list the library would name or print a type of ours. */
function dueIn(ast: SchemaAST.AST): SchemaAST.AST {
  if (Option.isSome(SchemaAST.getMessageAnnotation(ast))) return ast
  return SchemaAST.isTypeLiteral(ast) ? anObject : SchemaAST.isTupleType(ast) ? aList : ast
}

/** Is an item missing that a list must have? The library would name a place that the value does not have. */
function lacksAnItem(issues: Several): boolean {
  const [first] = Array.isArray(issues) ? issues : [issues]
  return first._tag === "Pointer" && first.issue._tag === "Missing"
}

function tooFew({ elements }: SchemaAST.TupleType): string {
  const least = elements.filter(({ isOptional }) => !isOptional).length
  return `expected at least ${least} ${least === 1 ? "item" : "items"}`
}

function several(issues: Several, count: { left: number }): Several {
  const [first, ...others] = Array.isArray(issues) ? issues : [issues]
  const kept: [ParseResult.ParseIssue, ...Array<ParseResult.ParseIssue>] = [abridged(first, count)]
  for (const issue of others) {
    if (count.left <= 0) break
    kept.push(abridged(issue, count))
  }
  return kept
}

/** The value itself where it is short; else a stand-in that prints as the beginning of it. */
function beginningOf(value: unknown): unknown {
  if (typeof value === "string")
    return value.length <= longestValue ? value : `${value.slice(0, longestValue)}…`
  if (typeof value !== "object" || value === null) return value
  const text = beginningOfJson(value)
  return text.length <= longestValue ? value : { toString: () => `${text.slice(0, longestValue)}…` }
}

/** The value's JSON, or a beginning of it that is longer than `longestValue`. */
function beginningOfJson(value: unknown): string {
  let text = ""
  const write = (part: unknown): void => {
    if (Array.isArray(part)) {
      text += "["
      for (const item of part) {
        if (text.length > longestValue) return
        if (!text.endsWith("[")) text += ","
        write(item)
      }
      text += "]"
    } else if (typeof part === "object" && part !== null) {
      text += "{"
      for (const name in part) {
        if (text.length > longestValue) return
        if (!text.endsWith("{")) text += ","
        text += `${JSON.stringify(name.slice(0, longestValue))}:`
        write((part as Readonly<Record<string, unknown>>)[name])
      }
      text += "}"
    } else
      text += JSON.stringify(typeof part === "string" ? part.slice(0, longestValue) : part) ?? String(part)
  }
  write(value)
  return text
}
