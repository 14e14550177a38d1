/** An object that was sent inside of another one: one finding, instead of one for each of its required fields. */
import { SchemaAST } from "effect"
import { isObject } from "../json.ts"
import { meantBy } from "../words.ts"

/** What is around a body in answers only. */
const envelopeFields: ReadonlyArray<string> = ["data", "status_code", "status_message", "timestamp"]

/**
 * What an object is wrapped in: `an OCPI envelope`, or `the field location`. Undefined: it is none, it has fields of the schema
 * itself, or what is inside has none of them either.
 */
export const wrapperOf = (ast: SchemaAST.AST, json: unknown): string | undefined => {
  const fields = requiringFieldsOf(ast)
  if (fields === undefined || !isObject(json)) return undefined
  const names = Object.keys(json)
  const isOwn = (object: Readonly<Record<string, unknown>>) =>
    Object.keys(object).some((name) => fields.has(name))
  if (
    "status_code" in json &&
    names.every((name) => envelopeFields.includes(name)) &&
    !fields.has("status_code")
  )
    return isObject(json["data"]) && isOwn(json["data"]) ? "an OCPI envelope" : undefined
  const [only, ...others] = names
  if (only === undefined || others.length > 0 || fields.has(only)) return undefined
  const inside = json[only]
  return isObject(inside) && isOwn(inside) ? `the field ${JSON.stringify(only.slice(0, 60))}` : undefined
}

type Fields = ReadonlyMap<string, "required" | "optional">

/** By schema; null: it is no struct, or none of its fields is required. */
const requiring = new WeakMap<SchemaAST.AST, Fields | null>()

/** Without a required field an object of other fields fits, and is wrapped in nothing. */
function requiringFieldsOf(ast: SchemaAST.AST): Fields | undefined {
  const known = requiring.get(ast)
  if (known !== undefined) return known ?? undefined
  const fields = fieldsOf(ast)
  const found = fields !== undefined && [...fields.values()].includes("required") ? fields : undefined
  requiring.set(ast, found ?? null)
  return found
}

/** The fields of a struct by name; undefined when the schema is none. */
function fieldsOf(ast: SchemaAST.AST): Fields | undefined {
  if (SchemaAST.isTypeLiteral(ast))
    return new Map(
      ast.propertySignatures.map(({ isOptional, name }) => [
        String(name),
        isOptional ? "optional" : "required"
      ])
    )
  if (SchemaAST.isRefinement(ast)) return fieldsOf(ast.from)
  if (SchemaAST.isSuspend(ast)) return fieldsOf(ast.f())
  const [only, ...others] = SchemaAST.isUnion(ast) ? meantBy(ast) : []
  return only === undefined || others.length > 0 ? undefined : fieldsOf(only)
}
