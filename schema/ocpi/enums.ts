/** Closed enums, and the open ones (OpenEnum) that 2.3.0 introduced. */
import { Schema, type SchemaAST } from "effect"

type Word = SchemaAST.LiteralValue

/** The enum of an older version: `newer` without the words that came `later`. */
export const without = <Words extends readonly [Word, ...Array<Word>], Later extends Words[number]>(
  newer: { readonly literals: Words },
  ...later: ReadonlyArray<Later>
) => {
  type Left = Exclude<Words[number], Later>
  // The type of `filter` cannot express which words remain, nor that at least one does.
  const left = newer.literals.filter((word) => !later.includes(word as Later)) as unknown as [
    Left,
    ...Array<Left>
  ]
  return Schema.Literal(...left)
}

/** Annotation that holds the words which the version lists. */
const KnownWords: unique symbol = Symbol.for("plugfest/ocpi/KnownWords")

/** OpenEnum: any non-empty word; lists the words of `known` and `more`. `unknownWords` finds those that are not listed. */
export const openEnum = (
  known: { readonly literals: ReadonlyArray<string> },
  ...more: ReadonlyArray<string>
) =>
  Schema.String.pipe(Schema.filter((value) => value !== "" || "is an empty text")).annotations({
    description: "a word, best one that the version lists",
    [KnownWords]: [...known.literals, ...more]
  })

/** The words that the version lists for an open enum; undefined for everything else. */
export const knownWords = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined =>
  // The annotation is written in `openEnum` only.
  ast.annotations[KnownWords] as ReadonlyArray<string> | undefined
