/** Secrets in API answers, which are shown only in the answer that creates them. */
import { Option, Schema, SchemaAST } from "effect"

const ShownOnceId = Symbol.for("plugfest/ShownOnce")

/**
 * A text field that holds a secret. Its annotation makes idempotent replays and stored answers leave it out.
 * `lost` ends the sentence "When that answer was lost, …": how the caller gets a working secret then.
 */
export const shownOnce = (lost: string) =>
  Schema.String.annotations({
    [ShownOnceId]: lost,
    description: `A secret, shown in the first answer only. When that answer was lost, ${lost}`
  })

/** Where a secret stands in an answer, and how the caller gets another one. */
export interface ShownOnceField {
  /** Names of fields from the top of the encoded value; `*` for every item of a list or record. */
  readonly path: ReadonlyArray<string>
  readonly lost: string
}

/** Every field of the encoded schema that `shownOnce` marks. */
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

/** Whether the value holds a secret at the path; null, absent and empty values do not. */
export const shownIn = (value: unknown, path: ReadonlyArray<string>): boolean => {
  const [name, ...rest] = path
  if (name === undefined) return typeof value === "string" && value !== ""
  if (typeof value !== "object" || value === null) return false
  const inner = name === "*" ? Object.values(value) : [(value as Readonly<Record<string, unknown>>)[name]] // an object, tested above
  return inner.some((one) => shownIn(one, rest))
}
