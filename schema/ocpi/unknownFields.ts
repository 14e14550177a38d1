/** Fields that a version does not define. OCPI lets them pass, so they are worth knowing and never a mistake. */
import { type Schema, SchemaAST } from "effect"

/** JSON Pointers of the fields that no object of the schema at their place has, in the order of the value. */
export const unknownFields = (schema: Schema.Schema.AnyNoContext, json: unknown): ReadonlyArray<string> =>
  fieldsIn([schema.ast], json, "")

/** `asts`: everything that the value may be; a field is known when one of them has it. */
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

/** Looked up by name: a value may have a field for every few bytes of it. */
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
