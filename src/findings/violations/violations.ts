/**
 * Everything in which a JSON value breaks a schema. The value is walked through once, part by part. A partner may make a
 * million mistakes in one body: all are counted, and words are made for the first of them and for a few of each kind.
 */
import { Effect, Either, Option, ParseResult, Schema, SchemaAST } from "effect"
import type { Flaw } from "../Flaw.ts"
import { isObject } from "../json.ts"
import type { Path } from "../pointer.ts"
import { meantBy } from "../words.ts"
import { yieldToEventLoop } from "../yieldToEventLoop.ts"
import { everything, flawsOf, mismatch, missing, type RuledFlaw } from "./issueFlaws.ts"
import { wrapperOf } from "./wrapper.ts"

/** How many flaws are kept, whatever they are about. */
export const mostFlaws = 1000
/** How many of each kind (a rule at a place of the schema) are kept beyond those: nobody who looks for it misses it. */
const mostOfKind = 5
/** Values and fields looked at between two pauses of a judgement that lets others go on: about two milliseconds. */
const looksPerTurn = 4000

/** A field of a field of the schema; all entries of a list are one place. */
class Place {
  /** How many flaws of each kind were met here. */
  readonly kinds = new Map<string, number>()
  private readonly fields = new Map<PropertyKey, Place>()

  field(name: PropertyKey): Place {
    const known = this.fields.get(name)
    if (known !== undefined) return known
    const place = new Place()
    this.fields.set(name, place)
    return place
  }
}

/** What was found so far: in one value, or in all the values of a list. */
export class FoundFlaws {
  /** In the order of the values and of the schema's fields. */
  readonly kept: Array<RuledFlaw> = []
  /** Of all flaws, also of those that were not kept. */
  count = 0
  readonly whole = new Place()

  /** Counts a flaw; makes its words only when it is kept. `kind` tells the rules of one place apart. */
  add(place: Place, kind: string, inWords: () => ReadonlyArray<RuledFlaw>): void {
    this.count++
    const met = place.kinds.get(kind) ?? 0
    place.kinds.set(kind, met + 1)
    if (this.kept.length < mostFlaws || met < mostOfKind) this.kept.push(...inWords())
  }
}

/**
 * The violations, in the order of the schema's fields, each with its JSON Pointer; empty when the value fits. Unknown
 * fields are no violation. A value of the wrong type is one violation, whatever it holds; rules between the fields of
 * an object are asked once its fields are right. `at` is where the value stands in the body that is judged. `found` is
 * given where several values share what is kept: the violations are those of this value.
 */
export const violations = (
  schema: Schema.Schema.AnyNoContext,
  json: unknown,
  at: Path = [],
  found?: FoundFlaws
): ReadonlyArray<Flaw> => ruledViolations(schema, json, at, found).map(({ rule: _, ...flaw }) => flaw)

/** The same violations, each with the kind of its rule. */
export const ruledViolations = (
  schema: Schema.Schema.AnyNoContext,
  json: unknown,
  at: Path = [],
  found = new FoundFlaws()
): ReadonlyArray<RuledFlaw> => {
  const before = found.kept.length
  const wrapper = wrapperOf(schema.ast, json)
  if (wrapper !== undefined) {
    found.add(found.whole, "wrapped", () => [wrapped(schema.ast, json, at, wrapper)])
    return found.kept.slice(before)
  }
  const walk = new Walk(found, at).value(schema.ast, json)
  while (walk.next().done !== true);
  return found.kept.slice(before)
}

/** The same violations, found in slices: others are served in between. */
export const violationsInTurns = (
  schema: Schema.Schema.AnyNoContext,
  json: unknown
): Effect.Effect<FoundFlaws> =>
  Effect.suspend(() => {
    const found = new FoundFlaws()
    const wrapper = wrapperOf(schema.ast, json)
    if (wrapper !== undefined) {
      found.add(found.whole, "wrapped", () => [wrapped(schema.ast, json, [], wrapper)])
      return Effect.succeed(found)
    }
    const walk = new Walk(found, []).value(schema.ast, json)
    const goOn: Effect.Effect<FoundFlaws> = Effect.suspend(() =>
      walk.next().done === true ? Effect.succeed(found) : Effect.zipRight(yieldToEventLoop, goOn)
    )
    return goOn
  })

/** The one flaw of an object that is wrapped in something. */
const wrapped = (ast: SchemaAST.AST, json: unknown, at: Path, wrapper: string): RuledFlaw =>
  mismatch(ast, json, at, `is wrapped in ${wrapper}: the object itself is expected here`)

/** Yields where it may pause; returns whether the value fits. */
type Steps = Generator<undefined, boolean>

/** One walk through a value. `path` is where it is. */
class Walk {
  private readonly found: FoundFlaws
  private readonly path: Array<PropertyKey>
  private place: Place
  private looks = 0

  constructor(found: FoundFlaws, at: Path) {
    this.found = found
    this.place = found.whole
    this.path = [...at]
  }

  *value(ast: SchemaAST.AST, value: unknown): Steps {
    if (++this.looks >= looksPerTurn) {
      this.looks = 0
      yield undefined
    }
    switch (ast._tag) {
      case "Union": {
        const meant = meantBy(ast)
        const [only] = meant
        // Null and undefined say only that the field may be left out.
        return meant.length === 1 && only !== undefined && value !== null && value !== undefined
          ? yield* this.value(only, value)
          : this.leaf(ast, value)
      }
      case "TypeLiteral":
        return isStruct(ast) ? yield* this.object(ast, ast, value) : this.leaf(ast, value)
      case "TupleType":
        return isList(ast) ? yield* this.list(ast, ast, value) : this.leaf(ast, value)
      case "Refinement": {
        if (ast.annotations[stableFilter] === true) return this.leaf(ast, value)
        const { from } = ast
        if (SchemaAST.isTypeLiteral(from) && isStruct(from))
          return (yield* this.object(from, ast, value)) && this.rule(ast, value)
        if (SchemaAST.isTupleType(from) && isList(from))
          return (yield* this.list(from, ast, value)) && this.rule(ast, value)
        if (!SchemaAST.isStringKeyword(from) && !SchemaAST.isNumberKeyword(from)) return this.leaf(ast, value)
        const isKind = typeof value === (SchemaAST.isStringKeyword(from) ? "string" : "number")
        return isKind ? this.rule(ast, value) : this.wrongKind(ast, value)
      }
      default:
        return this.leaf(ast, value)
    }
  }

  /** `named`: what the object is called when the value is none. */
  private *object(ast: SchemaAST.TypeLiteral, named: SchemaAST.AST, value: unknown): Steps {
    if (!isObject(value)) return this.wrongKind(named, value)
    this.looks += ast.propertySignatures.length
    const here = this.place
    let fits = true
    for (const field of ast.propertySignatures) {
      this.path.push(field.name)
      this.place = here.field(field.name)
      if (Object.hasOwn(value, field.name)) {
        if (!(yield* this.value(field.type, value[field.name as string]))) fits = false
      } else if (!field.isOptional && !takesNothing(field.type)) {
        fits = false
        this.found.add(this.place, "required", () => [missing(field.type, this.path)])
      }
      this.path.pop()
    }
    this.place = here
    return fits
  }

  private *list(ast: SchemaAST.TupleType, named: SchemaAST.AST, value: unknown): Steps {
    if (!Array.isArray(value)) return this.wrongKind(named, value)
    const { type } = ast.rest[0]!
    let fits = true
    for (let index = 0; index < value.length; index++) {
      this.path.push(index)
      if (!(yield* this.value(type, value[index]))) fits = false
      this.path.pop()
    }
    return fits
  }

  /** What a refinement asks of a value of the right type. */
  private rule(ast: SchemaAST.Refinement, value: unknown): boolean {
    const broken = Option.getOrUndefined(ast.filter(value, everything, ast))
    if (broken === undefined) return true
    const issue = new ParseResult.Refinement(ast, value, "Predicate", broken)
    const said = broken._tag === "Type" ? (broken.message ?? "") : ""
    this.found.add(this.place, said.replace(/\d+/g, ""), () => flawsOf(issue, this.path))
    return false
  }

  private wrongKind(ast: SchemaAST.AST, value: unknown): false {
    this.found.add(this.place, value === null ? "null" : "type", () => [mismatch(ast, value, this.path)])
    return false
  }

  /** What is not taken apart: words, booleans, and schemas of other forms than OCPI's tables have. */
  private leaf(ast: SchemaAST.AST, value: unknown): boolean {
    const { decode, takes } = leafOf(ast)
    if (takes(value)) return true
    this.found.add(this.place, kindOf(value), () =>
      Either.match(decode(value), { onLeft: (issue) => flawsOf(issue, this.path), onRight: () => [] })
    )
    return false
  }
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value
}

/** Named fields and nothing else. */
function isStruct(ast: SchemaAST.TypeLiteral): boolean {
  return ast.propertySignatures.length > 0 && ast.indexSignatures.length === 0
}

/** Any number of one thing. */
function isList(ast: SchemaAST.TupleType): boolean {
  return ast.elements.length === 0 && ast.rest.length === 1
}

/** Annotation of a refinement that is asked even when what it refines is broken (`minItems`). */
const stableFilter = Symbol.for("effect/annotation/StableFilter")

interface Leaf {
  readonly takes: (value: unknown) => boolean
  readonly decode: (value: unknown) => Either.Either<unknown, ParseResult.ParseIssue>
}
const leaves = new WeakMap<SchemaAST.AST, Leaf>()

function leafOf(ast: SchemaAST.AST): Leaf {
  const known = leaves.get(ast)
  if (known !== undefined) return known
  const decode = ParseResult.decodeUnknownEither(Schema.make(ast), everything)
  const words = wordsOf(ast)
  const leaf = {
    takes: words === undefined ? (value: unknown) => Either.isRight(decode(value)) : words.has.bind(words),
    decode
  }
  leaves.set(ast, leaf)
  return leaf
}

/** All that a union of literals takes. */
function wordsOf(ast: SchemaAST.AST): ReadonlySet<unknown> | undefined {
  if (!SchemaAST.isUnion(ast)) return undefined
  const words = ast.types.flatMap((type) => (SchemaAST.isLiteral(type) ? [type.literal] : []))
  return words.length === ast.types.length ? new Set<unknown>(words) : undefined
}

const takers = new WeakMap<SchemaAST.AST, boolean>()

function takesNothing(ast: SchemaAST.AST): boolean {
  const known = takers.get(ast)
  if (known !== undefined) return known
  const takes = leafOf(ast).takes(undefined)
  takers.set(ast, takes)
  return takes
}
