/** Finds fields that a version does not define. OCPI allows them, so they are reported as information, never as a failure. */
import { type Schema, SchemaAST } from "effect"

/** JSON Pointers of the fields that the schema does not define at their place, in the order of the value. */
export const unknownFields = (schema: Schema.Schema.AnyNoContext, json: unknown): ReadonlyArray<string> =>
  fieldsIn([schema.ast], json, "")

/** `asts`: the alternatives for the value; a field is known when one of them defines it. */
function fieldsIn(asts: ReadonlyArray<SchemaAST.AST>, json: unknown, pointer: string): ReadonlyArray<string> {
  if (typeof json !== "object" || json === null) return []
  const shapes = asts.flatMap(shapesOf)
  if (Array.isArray(json)) {
    const items = shapes.flatMap((shape) =>
      SchemaAST.isTupleType(shape) ? shape.rest.map(({ type }) => type) : []
    )
    return json.flatMap((item, at) => fieldsIn(items, item, `${pointer}/${at}`))
  }
  const objects = shapes.filter(SchemaAST.isTypeLiteral)
  if (objects.length === 0) return []
  return Object.entries(json).flatMap(([name, value]) => {
    const known = objects.flatMap((shape) => fieldsOf(shape).get(name) ?? [])
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
    return known.length === 0 ? [at] : fieldsIn(known, value, at)
  })
}

const fields = new WeakMap<SchemaAST.TypeLiteral, ReadonlyMap<string, SchemaAST.AST>>()

/** Fields by name, cached: a large value may have very many fields to look up. */
function fieldsOf(shape: SchemaAST.TypeLiteral): ReadonlyMap<string, SchemaAST.AST> {
  const known = fields.get(shape)
  if (known !== undefined) return known
  const named = new Map(shape.propertySignatures.map(({ name, type }) => [String(name), type]))
  fields.set(shape, named)
  return named
}

function shapesOf(ast: SchemaAST.AST): ReadonlyArray<SchemaAST.TypeLiteral | SchemaAST.TupleType> {
  switch (ast._tag) {
    case "Refinement":
    case "Transformation":
      return shapesOf(ast.from)
    case "Union":
      return ast.types.flatMap(shapesOf)
    case "TypeLiteral":
    case "TupleType":
      return [ast]
    default:
      return []
  }
}
