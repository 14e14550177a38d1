/**
 * Parses YAML within bounds that keep every step short. The library alone takes minutes for some files of a few kilobytes,
 * because it compares every pair of keys of a map and nests without a limit. Pure.
 */
import { Composer, type Document, isMap, isNode, isScalar, Lexer, type ParsedNode, Parser, visit } from "yaml"
import { longestScenarioFile } from "../../../schema/Scenario.ts"

/** Most lexical pieces of a file: words, signs, spaces, line ends. */
const mostPieces = 6_000
/** Longest piece, which may be a whole quoted text, in UTF-16 units. */
const longestPiece = 4_096
/** Most levels of nested lists and maps. */
const deepestNesting = 32
/** Most entries of one list or map. */
export const mostEntries = 500
/** Most aliases (`*name`) of a file. */
export const mostAliases = 100

/** An error and its offset in the text, in UTF-16 units. */
interface YamlError {
  readonly offset: number
  readonly message: string
}

/** The parsed document, or what is wrong with the text. */
type YamlReading =
  | { readonly document: Document.Parsed<ParsedNode> }
  | { readonly errors: ReadonlyArray<YamlError> }

/** Parses the one document of the text; errors are in the order of the text. */
export function readYaml(text: string): YamlReading {
  const tokens = tokensOf(text)
  if ("message" in tokens) return { errors: [tokens] }
  const [document, second] = composed(tokens.tokens, text.length)
  if (document === undefined) return { errors: [{ offset: 0, message: "the file is empty" }] }
  const errors = [
    ...document.errors.map(({ message, pos }) => ({ offset: pos[0], message })),
    ...(second === undefined
      ? []
      : [{ offset: second.range[0], message: "The file contains more than one document" }]),
    ...entryErrors(document)
  ]
  return errors.length === 0 ? { document } : { errors: errors.toSorted((a, b) => a.offset - b.offset) }
}

type Token = Parameters<Composer["next"]>[0]

/** The tokens of the text, or the first bound that it exceeds. Takes linear time; later steps rely on the bounds. */
function tokensOf(text: string): { readonly tokens: ReadonlyArray<Token> } | YamlError {
  if (text.length > longestScenarioFile)
    return {
      offset: longestScenarioFile,
      message: `The file is longer than ${longestScenarioFile} characters`
    }
  const parser = new Parser()
  const tokens: Array<Token> = []
  let offset = 0
  let pieces = 0
  let aliases = 0
  for (const piece of new Lexer().lex(text)) {
    const too = (message: string) => ({ offset, message })
    if (++pieces > mostPieces) return too(`The file has more than ${mostPieces} words and signs`)
    if (piece.length > longestPiece) return too(`A text or comment is longer than ${longestPiece} characters`)
    if (piece.startsWith("*") && ++aliases > mostAliases)
      return too(`The file has more than ${mostAliases} aliases`)
    for (const token of parser.next(piece)) tokens.push(token)
    if (parser.stack.length > deepestNesting)
      return too(`The file is nested deeper than ${deepestNesting} levels`)
    offset = parser.offset
  }
  for (const token of parser.end()) tokens.push(token)
  return { tokens }
}

/** The first two documents. Errors are made without stack traces, which would take most of the time if there are thousands. */
function composed(tokens: ReadonlyArray<Token>, end: number): ReadonlyArray<Document.Parsed<ParsedNode>> {
  const composer = new Composer({ uniqueKeys: false, logLevel: "error" })
  const documents: Array<Document.Parsed<ParsedNode>> = []
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    for (const document of composer.compose(tokens, true, end)) {
      documents.push(document)
      if (documents.length === 2) break
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  return documents
}

/** Errors for duplicate keys, compared by value as the library does, and for lists and maps with too many entries. */
function entryErrors(document: Document): ReadonlyArray<YamlError> {
  const errors: Array<YamlError> = []
  const note = (node: unknown, message: string) =>
    errors.push({ offset: (isNode(node) ? node.range?.[0] : undefined) ?? 0, message })
  visit(document, {
    Collection(_, collection) {
      if (collection.items.length > mostEntries) {
        note(collection, `A list or map has more than ${mostEntries} entries`)
        return visit.SKIP
      }
      if (!isMap(collection)) return undefined
      const met = new Set<unknown>()
      for (const { key } of collection.items) {
        if (!isScalar(key)) continue
        if (met.has(key.value)) note(key, "Map keys must be unique")
        met.add(key.value)
      }
      return undefined
    }
  })
  return errors
}
