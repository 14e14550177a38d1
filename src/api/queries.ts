/** Numbers and pages in query strings and headers. */
import { Schema } from "effect"
import { IdText, maxInt32 } from "../../schema/fields/bounds.ts"

/** A whole number from 0 to `max`, written in digits and nothing else. */
const wholeNumber = (max: number) =>
  Schema.transform(
    Schema.String.pipe(
      Schema.filter(
        (text) =>
          (/^\d{1,15}$/.test(text) && Number(text) <= max) ||
          `expected a whole number from 0 to ${max}, actual ${JSON.stringify(text)}`
      )
    ).annotations({ jsonSchema: { type: "integer", minimum: 0, maximum: max } }),
    Schema.NonNegativeInt,
    { strict: true, decode: (text) => Number(text), encode: (count) => String(count) }
  )

/** A sequence within a run, or the count of its offers. */
export const Count = wholeNumber(maxInt32)

/** A place among all exchanges that were ever kept. */
export const Position = wholeNumber(999_999_999_999_999)

/** Where the page before ended. */
export const Cursor = IdText

/** How many at most. 0 is no page; more than the operation's maximum is cut to it. */
export const Limit = (fallback: number, max: number) =>
  Schema.transform(
    Schema.String.pipe(
      Schema.filter(
        (text) =>
          (/^\d{1,15}$/.test(text) && Number(text) > 0) ||
          `expected a whole number from 1 to ${max}, actual ${JSON.stringify(text)}`
      )
    ).annotations({ jsonSchema: { type: "integer", minimum: 1, maximum: max, default: fallback } }),
    Schema.Int,
    { strict: true, decode: (text) => Math.min(Number(text), max), encode: (count) => String(count) }
  )

/** An optional query parameter. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/**
 * `Idempotency-Key`: the same key and body within 24 hours give the first answer again, to the API key that got it. An answer
 * that told a secret is not given again.
 */
export const IdempotencyHeaders = Schema.Struct({
  "idempotency-key": optional(
    Schema.String.pipe(
      Schema.filter(
        (text) =>
          /^[\x21-\x7e]{1,255}$/.test(text) || "expected 1 to 255 visible ASCII characters without spaces"
      )
    ).annotations({
      jsonSchema: { type: "string", minLength: 1, maxLength: 255 },
      description:
        "With the same body within 24 hours: the first answer again, to the API key that got it; every other API key is another client. " +
        "An answer that told a secret is not given again: 409 names what was made, and how to get another secret."
    })
  )
})
export type IdempotencyHeaders = typeof IdempotencyHeaders.Type
