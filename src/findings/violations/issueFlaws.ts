/** What a schema says is wrong with a value, in words. */
import { type ParseResult, SchemaAST } from "effect"
import type { ViolatedRule } from "../../../schema/Validation.ts"
import type { Flaw } from "../Flaw.ts"
import { atPointer, type Path, placeInWords, pointerOf } from "../pointer.ts"
import { actualOf, allowedTexts, expectedOf, meantBy } from "../words.ts"

/** A flaw of a body, with the kind of rule that it breaks. */
export interface RuledFlaw extends Flaw {
  readonly pointer: string
  readonly rule: ViolatedRule
}

/** Every option that decoding for judging is done with. */
export const everything: SchemaAST.ParseOptions = { errors: "all", onExcessProperty: "ignore" }

/** All that an issue tells of, in its order; `path` leads to where it stands. */
export function flawsOf(issue: ParseResult.ParseIssue, path: Path): ReadonlyArray<RuledFlaw> {
  switch (issue._tag) {
    case "Pointer":
      return flawsOf(issue.issue, [...path, ...stepsOf(issue.path)])
    case "Missing":
      return [missing(issue.ast.type, path)]
    case "Composite":
      return SchemaAST.isUnion(issue.ast)
        ? unionFlaws(issue, issue.ast, path)
        : all(issue.issues).flatMap((one) => flawsOf(one, path))
    case "Refinement":
      return refinementFlaws(issue, path)
    case "Transformation":
      return flawsOf(issue.issue, path)
    case "Unexpected":
      return [
        flaw(path, "type", "is not expected here", { expected: "nothing", actual: actualOf(issue.actual) })
      ]
    case "Type":
    case "Forbidden":
      return [mismatch(issue.ast, issue.actual, path, issue.message)]
  }
}

/** A field that may be null is a union with null; what is wrong is what is wrong with the member that was meant. */
function unionFlaws(
  issue: ParseResult.Composite,
  union: SchemaAST.Union,
  path: Path
): ReadonlyArray<RuledFlaw> {
  const meant = meantBy(union)
  const only = all(issue.issues).filter((one) => "ast" in one && meant.some((type) => type === one.ast))
  return meant.length === 1 && only.length === 1
    ? flawsOf(only[0]!, path)
    : [mismatch(union, issue.actual, path)]
}

function refinementFlaws(issue: ParseResult.Refinement, path: Path): ReadonlyArray<RuledFlaw> {
  const inner = issue.issue
  if (issue.kind === "From") {
    return inner._tag === "Type" ? [mismatch(issue.ast, inner.actual, path)] : flawsOf(inner, path)
  }
  if (inner._tag === "Type") return [mismatch(issue.ast, issue.actual, path, inner.message)]
  return fieldRules(inner).map(({ at, message }) =>
    flaw([...path, ...at], "between_fields", message, {
      actual: actualOf(atPointer(issue.actual, pointerOf(at)))
    })
  )
}

/** A rule between fields names the field that breaks it; what it expects is in its message. */
function fieldRules(
  issue: ParseResult.ParseIssue,
  at: Path = []
): ReadonlyArray<{ at: Path; message: string }> {
  switch (issue._tag) {
    case "Pointer":
      return fieldRules(issue.issue, [...at, ...stepsOf(issue.path)])
    case "Composite":
      return all(issue.issues).flatMap((one) => fieldRules(one, at))
    default:
      return [{ at, message: ("message" in issue ? issue.message : undefined) ?? "breaks a rule" }]
  }
}

/** `wrong` follows the name of the place; without it the sentence is made from what is expected. */
export function mismatch(ast: SchemaAST.AST, value: unknown, path: Path, wrong?: string): RuledFlaw {
  const texts = { expected: expectedOf(ast), actual: actualOf(value) }
  const { actual, expected } = texts
  const values = allowedTexts(SchemaAST.isUnion(ast) ? meantBy(ast) : [ast])
  if (wrong !== undefined) return flaw(path, ruleOf(ast), wrong, texts)
  if (value === null) return flaw(path, "not_null", "is null, but must have a value", texts)
  if (values === undefined || typeof value !== "string")
    return flaw(path, values === undefined ? "type" : "enum", `is ${actual}; expected ${expected}`, texts)
  const sameLetters = values.find((allowed) => allowed.toUpperCase() === value.toUpperCase())
  const why =
    sameLetters === undefined
      ? ", which is not an allowed value"
      : `; upper and lower case count, it must be ${sameLetters}`
  return flaw(path, "enum", `is ${actual}${why}`, texts)
}

/** A field that must be there. */
export function missing(ast: SchemaAST.AST, path: Path): RuledFlaw {
  return flaw(path, "required", "is missing", { expected: expectedOf(ast), actual: "nothing" })
}

/** Of a refinement that said by itself what is wrong. */
function ruleOf(ast: SchemaAST.AST): ViolatedRule {
  if (!SchemaAST.isRefinement(ast)) return "type"
  if (SchemaAST.isTupleType(ast.from)) return "cardinality"
  return SchemaAST.isTypeLiteral(ast.from) ? "between_fields" : "value"
}

function flaw(
  path: Path,
  rule: ViolatedRule,
  wrong: string,
  { actual, expected }: { readonly expected?: string | undefined; readonly actual: string }
): RuledFlaw {
  return {
    rule,
    message: `${placeInWords(path)} ${wrong}`,
    pointer: pointerOf(path),
    ...(expected === undefined ? {} : { expected }),
    actual
  }
}

function all(issues: ParseResult.Composite["issues"]): ReadonlyArray<ParseResult.ParseIssue> {
  return "_tag" in issues ? [issues] : issues
}

function stepsOf(path: ParseResult.Pointer["path"]): Path {
  return typeof path === "object" ? path : [path]
}
