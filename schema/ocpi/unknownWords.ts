/** Finds words in open enums that a version does not list. OCPI allows them, so they are information, never a failure. */
import type { Schema, SchemaAST } from "effect"
import { knownWords } from "./enums.ts"

/** A word of an open enum that the version does not list; `known` are those that it lists. */
interface UnknownWord {
  /** JSON Pointer into the value. */
  readonly pointer: string
  readonly word: string
  readonly known: ReadonlyArray<string>
}

/** Every word of an open enum that the schema's version does not list, in the order of the schema's fields. */
export const unknownWords = (schema: Schema.Schema.AnyNoContext, json: unknown): ReadonlyArray<UnknownWord> =>
  wordsIn(schema.ast, json, "")

function wordsIn(ast: SchemaAST.AST, json: unknown, pointer: string): ReadonlyArray<UnknownWord> {
  // Most optional fields are absent; stop before walking their schema.
  if (json === undefined || json === null) return []
  const known = knownWords(ast)
  if (known !== undefined) {
    return typeof json !== "string" || known.includes(json) ? [] : [{ pointer, word: json, known }]
  }
  switch (ast._tag) {
    case "Refinement":
    case "Transformation":
      return wordsIn(ast.from, json, pointer)
    case "Union":
      return ast.types.flatMap((type) => wordsIn(type, json, pointer))
    case "TupleType":
      return Array.isArray(json)
        ? ast.rest.flatMap(({ type }) => json.flatMap((item, at) => wordsIn(type, item, `${pointer}/${at}`)))
        : []
    case "TypeLiteral":
      return isObject(json)
        ? ast.propertySignatures.flatMap(({ name, type }) =>
            wordsIn(type, json[String(name)], `${pointer}/${String(name)}`)
          )
        : []
    default:
      return []
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
