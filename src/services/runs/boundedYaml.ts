/**
 * YAML text to a document, with bounds that keep every step short. The library by itself takes minutes for some files of
 * a few kilobytes: it compares each key with each other one of its map, and follows nesting without a limit. Pure.
 */
import { Composer, type Document, isMap, isNode, isScalar, Lexer, type ParsedNode, Parser, visit } from "yaml"
import { longestScenarioFile } from "../../../schema/Scenario.ts"

/** Pieces that a file is made of: words, signs, spaces between them, line ends. */
export const mostPieces = 6_000
/** UTF-16 units of one piece, which may be a whole quoted text. */
export const longestPiece = 4_096
/** Lists and maps within one another. */
export const deepestNesting = 32
/** Entries of one list or map. */
export const mostEntries = 500
/** Places that repeat an anchored value. */
export const mostAliases = 100

/** What is wrong, and at which offset of the text. */
export interface YamlError {
  readonly offset: number
  readonly message: string
}

export type YamlReading =
  | { readonly document: Document.Parsed<ParsedNode> }
  | { readonly errors: ReadonlyArray<YamlError> }

/** The only document of the text, or what is wrong with it in the order of the text. */
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

/** The text's tokens, or the first bound that it breaks, before anything is done whose time grows faster than the text. */
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

/** The first two documents. Its errors carry no stack: of thousands of them, the stacks would take most of the time. */
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

/** Keys that stand twice in one map, by their values, as the library compares them; and what has too many entries. */
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
