/** Types of query parameters and headers: numbers, pages, idempotency. */
import { Schema } from "effect"
import { IdText, maxInt32 } from "../../schema/fields/bounds.ts"

/** A whole number from 0 to `max`, digits only. */
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

/** A sequence within a run, or a `recoveryVersion`. */
export const Count = wholeNumber(maxInt32)

/** Position of an exchange among all exchanges that were ever stored. */
export const Position = wholeNumber(999_999_999_999_999)

const cursorForm = /^[a-z]{2,8}_\w{1,119}$/

/** Is it of the form of an id, as the cursors of Link headers are? */
export const isCursor = (text: string): boolean => cursorForm.test(text)

/** Cursor of a page: where the page before ended. Another text would bring some page, or an empty one, and not say that it is wrong. */
export const Cursor = IdText.pipe(
  Schema.filter(
    (text) =>
      isCursor(text) || `expected the cursor of a Link header with rel="next", actual ${JSON.stringify(text)}`
  )
).annotations({
  jsonSchema: {
    type: "string",
    maxLength: 128,
    pattern: cursorForm.source,
    description: "of a Link header with rel=next"
  }
})

/** Page size: at least 1; more than `max` is reduced to `max`. `fallback` is only documented here; handlers apply it. */
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

/** A page of exchanges: oldest first it goes on with `after`, newest first with `cursor`, the id of the last exchange. */
export const ExchangesParams = Schema.Struct({
  order: optional(Schema.Literal("oldest", "newest")),
  direction: optional(Schema.Literal("outbound", "inbound")),
  after: optional(Position),
  cursor: optional(Cursor),
  limit: optional(Limit(100, 1000))
})

/** Waiting for a run. */
export const waiting = {
  /** Whole seconds, 1 to 30; more is cut to 30, anything else means no wait. */
  wait: optional(
    IdText.annotations({
      jsonSchema: { type: "string", maxLength: 128, description: "whole seconds, 1 to 30" }
    })
  ),
  /** `end`: wait for the end of the run and not for its next change. */
  until: optional(Schema.Literal("end"))
}

/**
 * `Idempotency-Key`: the same key and body within 24 hours get the first answer again, for the same API key only. An answer
 * that showed a secret is not repeated.
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
        "A repeated request with the same key and body within 24 hours gets the first answer again; keys are separate for each API key. " +
        "An answer that showed a secret is not repeated: 409 names what was made and how to get another secret."
    })
  )
})
