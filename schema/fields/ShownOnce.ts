/** Secrets in answers: shown when they are made, and never again. */
import { Option, Schema, SchemaAST } from "effect"

const ShownOnceId = Symbol.for("plugfest/ShownOnce")

/**
 * A field of an answer that tells a secret. Whatever repeats or keeps answers leaves it out: it goes by this annotation.
 * `lost`: how a caller whose answer was lost gets a secret that works, as the end of a sentence.
 */
export const shownOnce = (lost: string) =>
  Schema.String.annotations({
    [ShownOnceId]: lost,
    description: `A secret, told in the first answer only. When that answer was lost, ${lost}`
  })

export interface ShownOnceField {
  /** Names of fields from the top of the encoded value; `*` for every item of a list or record. */
  readonly path: ReadonlyArray<string>
  readonly lost: string
}

/** Every such field of the schema as it stands on the wire. */
export const shownOnceFields = (schema: Schema.Schema.All): ReadonlyArray<ShownOnceField> =>
  fieldsIn(schema.ast, [], new Set())

function fieldsIn(
  ast: SchemaAST.AST,
  path: ReadonlyArray<string>,
  above: ReadonlySet<SchemaAST.AST>
): ReadonlyArray<ShownOnceField> {
  if (above.has(ast)) return []
  const below = (inner: SchemaAST.AST, ...names: ReadonlyArray<string>) =>
    fieldsIn(inner, [...path, ...names], new Set([...above, ast]))
  const own = Option.match(SchemaAST.getAnnotation<string>(ast, ShownOnceId), {
    onNone: () => [],
    onSome: (lost) => [{ path, lost }]
  })
  if (own.length > 0) return own
  switch (ast._tag) {
    case "TypeLiteral":
      return [
        ...ast.propertySignatures.flatMap(({ name, type }) => below(type, String(name))),
        ...ast.indexSignatures.flatMap(({ type }) => below(type, "*"))
      ]
    case "TupleType":
      return [...ast.elements, ...ast.rest].flatMap(({ type }) => below(type, "*"))
    case "Union":
      return ast.types.flatMap((type) => below(type))
    case "Refinement":
    case "Transformation":
      return below(ast.from)
    case "Suspend":
      return below(ast.f())
    default:
      return []
  }
}

/** The texts that stand there now: null and what is left out tell nothing. */
export const shownIn = (value: unknown, path: ReadonlyArray<string>): boolean => {
  const [name, ...rest] = path
  if (name === undefined) return typeof value === "string" && value !== ""
  if (typeof value !== "object" || value === null) return false
  const inner = name === "*" ? Object.values(value) : [(value as Readonly<Record<string, unknown>>)[name]] // an object, tested above
  return inner.some((one) => shownIn(one, rest))
}
