/** Bounds on the parts of a request. Fields that use none of these have a bound of their own. */
import { Schema } from "effect"

/** Largest number that a Postgres `integer` column holds, such as sequences and versions. */
export const maxInt32 = 2_147_483_647

/** An id of ours in a request: at most 128 characters, which is more than any id that we issue. */
export const IdText = Schema.String.pipe(Schema.maxLength(128))

/** The id of an entry of our catalogues (check, stage, template, fault), or a pattern of such ids. */
export const NameText = Schema.String.pipe(Schema.maxLength(200))

/** A `NameText` that is not empty. */
export const Name = Schema.NonEmptyString.pipe(Schema.maxLength(200))

/** A list of at most `most` names. */
export const Names = (most: number) => Schema.Array(NameText).pipe(Schema.maxItems(most))

/** A record of at most `most` fields. */
export const fields = <A, I>(value: Schema.Schema<A, I>, most: number) =>
  Schema.Record({ key: Schema.String, value }).pipe(
    Schema.filter((record) => Object.keys(record).length <= most || `expected at most ${most} fields`, {
      jsonSchema: { maxProperties: most }
    })
  )
