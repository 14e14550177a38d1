/**
 * Everything in which a JSON value breaks a schema. The value is walked through once, part by part. A partner may make a
 * million mistakes in one body: all are counted, and words are made for the first of them and for a few of each kind.
 */
import { Effect, Either, Option, ParseResult, type Schema, type SchemaAST } from "effect"
import type { Flaw } from "../Flaw.ts"
import { isObject, type JsonObject } from "../json.ts"
import type { Path } from "../pointer.ts"
import { yieldToEventLoop } from "../yieldToEventLoop.ts"
import { everything, flawsOf, mismatch, missing, type RuledFlaw } from "./issueFlaws.ts"
import { type LeafShape, type ListShape, type ObjectShape, type Shape, shapeOf } from "./Shape.ts"
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
  const walk = new Walk(found, at).value(shapeOf(schema.ast), json)
  if (typeof walk !== "boolean") while (walk.next().done !== true);
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
    const walk = new Walk(found, []).value(shapeOf(schema.ast), json)
    if (typeof walk === "boolean") return Effect.succeed(found)
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
  /** How many steps of `path` lead to the value itself. */
  private readonly outside: number
  private looks = 0

  constructor(found: FoundFlaws, at: Path) {
    this.found = found
    this.path = [...at]
    this.outside = at.length
  }

  /** Does the value fit? Of an object or a list the steps that find it out. */
  value(shape: Shape, value: unknown): boolean | Steps {
    switch (shape.kind) {
      case "object":
        return isObject(value) ? this.object(shape, value) : this.wrongKind(shape.ast, value)
      case "list":
        return Array.isArray(value) ? this.list(shape, value) : this.wrongKind(shape.ast, value)
      case "ruled":
        return typeof value === shape.type ? this.rule(shape.ast, value) : this.wrongKind(shape.ast, value)
      case "nullable":
        return value === null || value === undefined
          ? this.leaf(shape.whole, value)
          : this.value(shape.meant, value)
      case "leaf":
        return this.leaf(shape, value)
    }
  }

  private *object(shape: ObjectShape, value: JsonObject): Steps {
    this.looks += shape.fields.length
    let fits = true
    for (const { isRequired, name, shape: of, type } of shape.fields) {
      const isThere = Object.hasOwn(value, name)
      if (isThere ? isPlainFit(of, value[name]) : !isRequired) continue
      this.path.push(name)
      if (isThere) {
        const part = this.value(of, value[name])
        if (!(typeof part === "boolean" ? part : yield* part)) fits = false
      } else {
        fits = false
        this.found.add(this.place(), "required", () => [missing(type, this.path)])
      }
      this.path.pop()
    }
    if (this.isLong()) yield undefined
    return fits && (shape.rule === undefined || this.rule(shape.rule, value))
  }

  private *list(shape: ListShape, value: ReadonlyArray<unknown>): Steps {
    let fits = true
    for (let index = 0; index < value.length; index++) {
      this.path.push(index)
      const part = this.value(shape.item, value[index])
      if (!(typeof part === "boolean" ? part : yield* part)) fits = false
      this.path.pop()
      this.looks++
      if (this.isLong()) yield undefined
    }
    return fits && (shape.rule === undefined || this.rule(shape.rule, value))
  }

  private isLong(): boolean {
    if (this.looks < looksPerTurn) return false
    this.looks = 0
    return true
  }

  private place(): Place {
    let place = this.found.whole
    for (let at = this.outside; at < this.path.length; at++) {
      const step = this.path[at]!
      if (typeof step !== "number") place = place.field(step)
    }
    return place
  }

  /** What a refinement asks of a value of the right type. */
  private rule(ast: SchemaAST.Refinement, value: unknown): boolean {
    const broken = Option.getOrUndefined(ast.filter(value, everything, ast))
    if (broken === undefined) return true
    const issue = new ParseResult.Refinement(ast, value, "Predicate", broken)
    const said = broken._tag === "Type" ? (broken.message ?? "") : ""
    this.found.add(this.place(), said.replace(/\d+/g, ""), () => flawsOf(issue, this.path))
    return false
  }

  private wrongKind(ast: SchemaAST.AST, value: unknown): false {
    this.found.add(this.place(), value === null ? "null" : "type", () => [mismatch(ast, value, this.path)])
    return false
  }

  private leaf({ decode, takes }: LeafShape, value: unknown): boolean {
    if (takes(value)) return true
    this.found.add(this.place(), kindOf(value), () =>
      Either.match(decode(value), { onLeft: (issue) => flawsOf(issue, this.path), onRight: () => [] })
    )
    return false
  }
}

/** Is it plain, and fits? Most fields are: for them nobody has to know where they are. */
function isPlainFit(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case "leaf":
      return shape.takes(value)
    case "ruled":
      return (
        typeof value === shape.type &&
        !isLongText(value) &&
        Option.isNone(shape.ast.filter(value, everything, shape.ast))
      )
    case "nullable":
      return value !== null && value !== undefined && isPlainFit(shape.meant, value)
    default:
      return false
  }
}

/** Its rule is not asked twice: once to find that it does not fit, and once more to say why. */
function isLongText(value: unknown): boolean {
  return typeof value === "string" && value.length > 1000
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value
}
