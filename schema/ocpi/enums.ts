/** Closed lists of words, and from the newest version on open ones. */
import { Schema, type SchemaAST } from "effect"

type Word = SchemaAST.LiteralValue

/** The enum as an older version has it: without the words that came later. */
export const without = <Words extends readonly [Word, ...Array<Word>], Later extends Words[number]>(
  newer: { readonly literals: Words },
  ...later: ReadonlyArray<Later>
) => {
  type Left = Exclude<Words[number], Later>
  // filter cannot say that something is left, nor what; an enum of which nothing is left is written by nobody.
  const left = newer.literals.filter((word) => !later.includes(word as Later)) as unknown as [
    Left,
    ...Array<Left>
  ]
  return Schema.Literal(...left)
}

/** Where a schema keeps the words that its version knows (annotation). */
const KnownWords: unique symbol = Symbol.for("plugfest/ocpi/KnownWords")

/** OpenEnum: the words of the list with `more`, or any other word. `unknownWords` tells which of them were others. */
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
