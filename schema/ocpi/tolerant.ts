/**
 * Working with what partners really send. The strict schemas are for grading; from each of them a tolerant one can be
 * derived, so that an odd length or a word of tomorrow stops nobody from charging.
 */
import { Schema, SchemaAST } from "effect"

/** An object as a tolerant schema gives it: any word where an enum stood, and no null. */
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
 * The same fields of the same kinds (text, number, object, list), and required ones stay required. Forms, lengths, enums
 * and rules between fields are not looked at. Unknown fields are kept. An optional field that is null or an empty list is
 * left out, so absent, null and `[]` are one thing. Encoding gives the value as it is.
 */
export const tolerant = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<Tolerant<A>, unknown> => {
  const made = tolerantSchemas.get(schema.ast) ?? derive(schema.ast)
  tolerantSchemas.set(schema.ast, made)
  return made as Schema.Schema<Tolerant<A>, unknown> // `relaxed` does to the AST what `Tolerant` does to the type
}

/** Deriving is cheap, compiling a parser is not, and effect remembers parsers by AST. Weak: nothing is kept alive. */
const tolerantSchemas = new WeakMap<SchemaAST.AST, Schema.Schema<unknown, unknown>>()

function derive(ast: SchemaAST.AST): Schema.Schema<unknown, unknown> {
  const loose = relaxed(ast)
  return Schema.transform(Schema.Unknown, Schema.make<unknown, unknown>(loose), {
    strict: true,
    decode: (json) => tidied(loose, json),
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

function tidied(ast: SchemaAST.AST, json: unknown): unknown {
  if (SchemaAST.isUnion(ast)) return ast.types.reduce((value, type) => tidied(type, value), json)
  if (SchemaAST.isTupleType(ast) && Array.isArray(json)) {
    const [item] = ast.rest
    return item === undefined ? json : json.map((value) => tidied(item.type, value))
  }
  if (!SchemaAST.isTypeLiteral(ast) || !isObject(json)) return json
  const fields = new Map(ast.propertySignatures.map((field) => [String(field.name), field]))
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => {
      const field = fields.get(name)
      if (field === undefined) return [[name, value]]
      if (field.isOptional && isNothing(value)) return []
      return [[name, tidied(field.type, value)]]
    })
  )
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
