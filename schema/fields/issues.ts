/** What decoding has against a value, in words that stay short however large the value is. Pure. */
import { ParseResult } from "effect"

/** What is wrong at a place of the value that was decoded; `path` leads there from its top. */
export type Issue = ParseResult.ArrayFormatterIssue

/** UTF-16 units of a value that a message shows. */
const longestValue = 120
/** More are of no use to a reader. */
const mostIssues = 50

/**
 * The issues of a decoding that failed, at most fifty. The library's formatter writes out the whole value for every member
 * of a union that refuses it, a second of processor time for a megabyte: it is given the beginning of such a value.
 */
export const issuesOf = ({ issue }: ParseResult.ParseError): ReadonlyArray<Issue> =>
  ParseResult.ArrayFormatter.formatIssueSync(abridged(issue, { left: mostIssues }))

/** The first of them: a decoding that failed has one. */
export const firstIssueOf = (error: ParseResult.ParseError): Issue => issuesOf(error)[0]!

type Several = ParseResult.Composite["issues"]

/** The same issues with values to be shown only as far as a message shows them; `count.left` more leaves are kept. */
function abridged(issue: ParseResult.ParseIssue, count: { left: number }): ParseResult.ParseIssue {
  switch (issue._tag) {
    case "Type":
      count.left -= 1
      return new ParseResult.Type(issue.ast, beginningOf(issue.actual), issue.message)
    case "Pointer":
      return new ParseResult.Pointer(issue.path, issue.actual, abridged(issue.issue, count))
    case "Refinement":
      return new ParseResult.Refinement(issue.ast, issue.actual, issue.kind, abridged(issue.issue, count))
    case "Transformation":
      return new ParseResult.Transformation(issue.ast, issue.actual, issue.kind, abridged(issue.issue, count))
    case "Composite":
      return new ParseResult.Composite(issue.ast, issue.actual, several(issue.issues, count), issue.output)
    case "Forbidden":
    case "Missing":
    case "Unexpected":
      count.left -= 1
      return issue
  }
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

/** The value itself where it is short; else what the formatter writes as its first characters. */
function beginningOf(value: unknown): unknown {
  if (typeof value === "string")
    return value.length <= longestValue ? value : `${value.slice(0, longestValue)}…`
  if (typeof value !== "object" || value === null) return value
  const text = beginningOfJson(value)
  return text.length <= longestValue ? value : { toString: () => `${text.slice(0, longestValue)}…` }
}

/** The value's JSON, or a beginning of it that is longer than what is shown. */
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
