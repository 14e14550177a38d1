/**
 * Tolerant schemas, derived from the strict ones. The strict schemas grade; the tolerant ones let a party work with what
 * partners really send, such as a text that is too long or an enum word of a later version.
 */
import { Schema, SchemaAST } from "effect"

/** The type that a tolerant schema decodes to: `string` for every enum, and no null. */
export type Tolerant<A> = A extends string
  ? string
  : A extends number | boolean
    ? A
    : A extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Tolerant<Item>>
      : A extends object
        ? { readonly [Field in keyof A]: Tolerant<Exclude<A[Field], null>> }
        : A

/**
 * A schema with the same fields of the same kinds (text, number, object, list); required fields stay required. It checks no
 * formats, lengths, enums or rules between fields and keeps unknown fields. Decoding drops optional fields that are null or
 * an empty list; encoding returns the value unchanged.
 */
export const tolerant = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<Tolerant<A>, unknown> => {
  const made = tolerantSchemas.get(schema.ast) ?? derive(schema.ast)
  tolerantSchemas.set(schema.ast, made)
  return made as Schema.Schema<Tolerant<A>, unknown> // `relaxed` does to the AST what `Tolerant` does to the type
}

/** Cached because Effect caches compiled parsers by AST: the same AST each time means compiling once. */
const tolerantSchemas = new WeakMap<SchemaAST.AST, Schema.Schema<unknown, unknown>>()

function derive(ast: SchemaAST.AST): Schema.Schema<unknown, unknown> {
  const loose = relaxed(ast)
  return Schema.transform(Schema.Unknown, Schema.make<unknown, unknown>(loose), {
    strict: true,
    decode: (json) => simplified(loose, json),
    encode: (value) => value
  }).annotations({ parseOptions: { onExcessProperty: "preserve" } })
}

function relaxed(ast: SchemaAST.AST): SchemaAST.AST {
  switch (ast._tag) {
    case "Refinement":
      return relaxed(ast.from)
    case "Literal":
      return typeof ast.literal === "string" ? SchemaAST.stringKeyword : ast
    case "Union":
      return SchemaAST.Union.make([...new Set(ast.types.map(relaxed))])
    case "TupleType":
      return new SchemaAST.TupleType(
        [],
        ast.rest.map(({ type }) => new SchemaAST.Type(relaxed(type))),
        true
      )
    case "TypeLiteral":
      return new SchemaAST.TypeLiteral(
        ast.propertySignatures.map(
          ({ isOptional, name, type }) =>
            new SchemaAST.PropertySignature(name, relaxed(type), isOptional, true)
        ),
        []
      )
    default:
      return ast
  }
}

function simplified(ast: SchemaAST.AST, json: unknown): unknown {
  if (SchemaAST.isUnion(ast)) return ast.types.reduce((value, type) => simplified(type, value), json)
  if (SchemaAST.isTupleType(ast) && Array.isArray(json)) {
    const [item] = ast.rest
    return item === undefined ? json : json.map((value) => simplified(item.type, value))
  }
  if (!SchemaAST.isTypeLiteral(ast) || !isObject(json)) return json
  const fields = new Map(ast.propertySignatures.map((field) => [String(field.name), field]))
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => {
      const field = fields.get(name)
      if (field === undefined) return [[name, value]]
      if (field.isOptional && isNothing(value)) return []
      return [[name, simplified(field.type, value)]]
    })
  )
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
