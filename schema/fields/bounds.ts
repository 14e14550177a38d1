/** How large the parts of a request may be. What has no bound here has one of its own beside its field. */
import { Schema } from "effect"

/** Largest number that a Postgres `integer` holds: sequences and versions are such. */
export const maxInt32 = 2_147_483_647

/** An identifier that is looked up: ours, of anything. Longer than any that we give. */
export const IdText = Schema.String.pipe(Schema.maxLength(128))

/** A name that something bears in our catalogues: a check, a stage, a template, a fault; or a pattern of such names. */
export const NameText = Schema.String.pipe(Schema.maxLength(200))

/** The same, not empty. */
export const Name = Schema.NonEmptyString.pipe(Schema.maxLength(200))

/** So many names at most. */
export const Names = (most: number) => Schema.Array(NameText).pipe(Schema.maxItems(most))

/** Fields by name, so many at most. */
export const fields = <A, I>(value: Schema.Schema<A, I>, most: number) =>
  Schema.Record({ key: Schema.String, value }).pipe(
    Schema.filter((record) => Object.keys(record).length <= most || `expected at most ${most} fields`, {
      jsonSchema: { maxProperties: most }
    })
  )
