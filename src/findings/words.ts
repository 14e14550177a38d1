/** Saying in words what a schema expects and what a value is. */
import { Option, SchemaAST } from "effect"

/** How many allowed values are named before "and N more". */
const mostValues = 12
const longestValue = 80

/** What the schema expects: its description, its allowed values, or its kind. */
export const expectedOf = (ast: SchemaAST.AST): string => {
  const described = SchemaAST.getDescriptionAnnotation(ast)
  const builtIn =
    SchemaAST.isStringKeyword(ast) || SchemaAST.isNumberKeyword(ast) || SchemaAST.isBooleanKeyword(ast)
  if (Option.isSome(described) && !builtIn) return described.value
  const name = Option.getOrUndefined(SchemaAST.getIdentifierAnnotation(ast))
  switch (ast._tag) {
    case "StringKeyword":
      return "text"
    case "NumberKeyword":
      return "a number"
    case "BooleanKeyword":
      return "true or false"
    case "TupleType":
      return "a list"
    case "TypeLiteral":
      return name === undefined ? "an object" : `an object (${name})`
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Refinement":
      return SchemaAST.isTypeLiteral(ast.from) && name !== undefined
        ? `an object (${name})`
        : expectedOf(ast.from)
    case "Suspend":
      return expectedOf(ast.f())
    case "Union":
      return expectedOfUnion(meantBy(ast))
    default:
      return name ?? "something else"
  }
}

const meant = new WeakMap<SchemaAST.Union, ReadonlyArray<SchemaAST.AST>>()

/** The members that a value can be meant to be: null and undefined only say that it may be left out. */
export const meantBy = (union: SchemaAST.Union): ReadonlyArray<SchemaAST.AST> => {
  const known = meant.get(union)
  if (known !== undefined) return known
  const members = union.types.filter(
    (type) => !SchemaAST.isUndefinedKeyword(type) && !(SchemaAST.isLiteral(type) && type.literal === null)
  )
  meant.set(union, members)
  return members
}

/** The texts of a union of literals; undefined when the union is of another kind. */
export const allowedTexts = (types: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<string> | undefined => {
  const texts = types.flatMap((type) =>
    SchemaAST.isLiteral(type) && typeof type.literal === "string" ? [type.literal] : []
  )
  return texts.length === types.length && texts.length > 0 ? texts : undefined
}

/** What a value is, shortly: lists and objects by their size and fields, texts cut. */
export const actualOf = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`
  if (typeof value === "object" && value !== null) {
    const fields = Object.keys(value)
    return fields.length === 0 ? "an empty object" : cut(`an object with ${fields.join(", ")}`)
  }
  return cut(JSON.stringify(value) ?? String(value))
}

/** A value for a reader: JSON, at most 120 characters. */
export const shown = (value: unknown): string => {
  const text = value === undefined ? "absent" : (JSON.stringify(value) ?? String(value))
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}

/**
 * A value of a partner in a sentence: a text as it is, nothing where there is none, and everything else as JSON; at most 120
 * characters.
 */
export const inWords = (value: unknown): string => {
  if (value === undefined || value === null || value === "") return "nothing"
  if (typeof value !== "string") return shown(value)
  return value.length > 120 ? `${value.slice(0, 117)}…` : value
}

/** `a CPO`, or `an EMSP`. */
export const withArticle = (role: "CPO" | "EMSP"): string => (role === "EMSP" ? "an EMSP" : "a CPO")

function expectedOfUnion(types: ReadonlyArray<SchemaAST.AST>): string {
  const texts = allowedTexts(types)
  if (texts === undefined) return [...new Set(types.map(expectedOf))].join(", or ")
  const named = texts.slice(0, mostValues).join(", ")
  const more = texts.length > mostValues ? ` (and ${texts.length - mostValues} more)` : ""
  return texts.length === 1 ? `the text ${named}` : `one of ${named}${more}`
}

function cut(words: string): string {
  return words.length <= longestValue ? words : `${words.slice(0, longestValue)}…`
}
