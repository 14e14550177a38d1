/** A schema as it is walked: taken apart once, so that a walk asks the library for nothing but its rules. */
import { Either, ParseResult, Schema, SchemaAST } from "effect"
import { meantBy } from "../words.ts"
import { everything } from "./issueFlaws.ts"

/** What is looked for in a value. `ast` is what the value is called when it is something else. */
export type Shape = ObjectShape | ListShape | RuledShape | NullableShape | LeafShape

/** Named fields, and perhaps a rule between them. */
export interface ObjectShape {
  readonly kind: "object"
  readonly ast: SchemaAST.AST
  readonly fields: ReadonlyArray<FieldShape>
  readonly rule: SchemaAST.Refinement | undefined
}

interface FieldShape {
  readonly name: string
  readonly type: SchemaAST.AST
  readonly isRequired: boolean
  readonly shape: Shape
}

/** Any number of one thing, and perhaps a rule about them. */
export interface ListShape {
  readonly kind: "list"
  readonly ast: SchemaAST.AST
  readonly item: Shape
  readonly rule: SchemaAST.Refinement | undefined
}

/** A text or a number that follows a rule. */
interface RuledShape {
  readonly kind: "ruled"
  readonly ast: SchemaAST.Refinement
  readonly type: "string" | "number"
}

/** One thing, or null, which says only that it may be left out. */
interface NullableShape {
  readonly kind: "nullable"
  readonly meant: Shape
  /** What may be null or undefined. */
  readonly whole: LeafShape
}

/** What is not taken apart: words, booleans, and schemas of other forms than OCPI's tables have. */
export interface LeafShape {
  readonly kind: "leaf"
  readonly takes: (value: unknown) => boolean
  /** What is wrong with it, in the library's own words. */
  readonly decode: (value: unknown) => Either.Either<unknown, ParseResult.ParseIssue>
}

const shapes = new WeakMap<SchemaAST.AST, Shape>()

/** The shape of a schema. */
export function shapeOf(ast: SchemaAST.AST): Shape {
  const known = shapes.get(ast)
  if (known !== undefined) return known
  const shape = takenApart(ast)
  shapes.set(ast, shape)
  return shape
}

function takenApart(ast: SchemaAST.AST): Shape {
  if (SchemaAST.isUnion(ast)) {
    const [only, ...others] = meantBy(ast)
    return only === undefined || others.length > 0
      ? leafOf(ast)
      : { kind: "nullable", meant: shapeOf(only), whole: leafOf(ast) }
  }
  const rule = SchemaAST.isRefinement(ast) ? ast : undefined
  // A rule that is asked even when what it refines is broken (`minItems`) is left to the library.
  if (rule?.annotations[stableFilter] === true) return leafOf(ast)
  const from = rule?.from ?? ast
  if (SchemaAST.isTypeLiteral(from) && isStruct(from))
    return { kind: "object", ast, fields: from.propertySignatures.map(fieldOf), rule }
  if (SchemaAST.isTupleType(from) && isList(from))
    return { kind: "list", ast, item: shapeOf(from.rest[0]!.type), rule }
  if (rule !== undefined && SchemaAST.isStringKeyword(from))
    return { kind: "ruled", ast: rule, type: "string" }
  if (rule !== undefined && SchemaAST.isNumberKeyword(from))
    return { kind: "ruled", ast: rule, type: "number" }
  return leafOf(ast)
}

const fieldOf = ({ isOptional, name, type }: SchemaAST.PropertySignature): FieldShape => ({
  name: String(name),
  type,
  isRequired: !isOptional && !leafOf(type).takes(undefined),
  shape: shapeOf(type)
})

/** Named fields and nothing else. */
function isStruct(ast: SchemaAST.TypeLiteral): boolean {
  return ast.propertySignatures.length > 0 && ast.indexSignatures.length === 0
}

/** Any number of one thing. */
function isList(ast: SchemaAST.TupleType): boolean {
  return ast.elements.length === 0 && ast.rest.length === 1
}

/** Annotation of the library. */
const stableFilter = Symbol.for("effect/annotation/StableFilter")

function leafOf(ast: SchemaAST.AST): LeafShape {
  const decode = ParseResult.decodeUnknownEither(Schema.make(ast), everything)
  return { kind: "leaf", takes: takerOf(ast) ?? ((value) => Either.isRight(decode(value))), decode }
}

/** A quicker test of what is plain; undefined where the library decides. */
function takerOf(ast: SchemaAST.AST): LeafShape["takes"] | undefined {
  if (SchemaAST.isStringKeyword(ast)) return (value) => typeof value === "string"
  if (SchemaAST.isNumberKeyword(ast)) return (value) => typeof value === "number"
  if (SchemaAST.isBooleanKeyword(ast)) return (value) => typeof value === "boolean"
  const words = wordsOf(ast)
  return words && ((value) => words.has(value))
}

/** All that a union of literals takes. */
function wordsOf(ast: SchemaAST.AST): ReadonlySet<unknown> | undefined {
  if (!SchemaAST.isUnion(ast)) return undefined
  const words = ast.types.flatMap((type) => (SchemaAST.isLiteral(type) ? [type.literal] : []))
  return words.length === ast.types.length ? new Set<unknown>(words) : undefined
}
