/**
 * The field types of OCPI's tables (document `types`). Each has a `description` of what is expected, and its filters return
 * what is wrong as a predicate that follows the name of a field ("is 40 characters long; at most 36 are allowed").
 * Findings are built from these two.
 */
import { Schema } from "effect"
import { alpha2Countries, alpha3Countries } from "./countries.ts"
import { currencies } from "./currencies.ts"
import { dateTimeMaxLength, dateTimeMillis } from "./DateTime.ts"
import { languages } from "./languages.ts"
import { isTimeZone } from "./timeZones.ts"

/** `true`, or what is wrong with the text. */
type TextRule = (text: string) => true | string

const text = (description: string, ...rules: ReadonlyArray<TextRule>) =>
  Schema.String.pipe(
    Schema.filter((value) => {
      for (const rule of rules) {
        const verdict = rule(value)
        if (verdict !== true) return verdict
      }
      return true
    })
  ).annotations({ description })

/** Characters, not UTF-16 units: an emoji is one. */
const atMost =
  (max: number): TextRule =>
  (value) => {
    if (value.length <= max) return true
    const length = [...value].length
    return length <= max || `is ${length} characters long; at most ${max} are allowed`
  }

const notEmpty: TextRule = (value) => value !== "" || "is an empty text"

const printableAscii: TextRule = (value) =>
  /^[\x20-\x7e]*$/.test(value) || "holds a character that is not printable ASCII"

const printable: TextRule = (value) =>
  !/[\p{Cc}\u2028\u2029]/u.test(value) ||
  "holds a character that cannot be printed (a line break, a tab or the like)"

/** CiString(max): printable ASCII, compared without regard to case. */
export const ciString = (max: number) =>
  text(`text of at most ${max} printable ASCII characters`, atMost(max), printableAscii)

/** CiString(max) that is used as an id: not empty, because an empty id cannot be put into a URL. */
export const ciId = (max: number) =>
  text(`text of 1 to ${max} printable ASCII characters`, notEmpty, atMost(max), printableAscii)

/** string(max) of the versions that allow printable UTF-8. */
export const ocpiString = (max: number) =>
  text(`text of at most ${max} printable characters`, atMost(max), printable)

/** string(max) of the oldest version: printable ASCII, case-sensitive. */
export const asciiString = (max: number) => ciString(max)

/** A text of a fixed form; `looksLike` completes "text like …". */
export const formatted = (form: RegExp, looksLike: string) =>
  text(`text like ${looksLike}`, (value) => form.test(value) || `does not look like ${looksLike}`)

/** Local time of day, 00:00 to 23:59. */
export const TimeOfDay = formatted(/^([01]\d|2[0-3]):[0-5]\d$/, "08:30 (hours and minutes, 00:00 to 23:59)")

/** Local date. */
export const CalendarDate = text(
  "a date like 2026-01-31 (year, month, day)",
  (value) => /^\d{4}-\d\d-\d\d$/.test(value) || "does not look like 2026-01-31 (year, month, day)",
  (value) => dateTimeMillis(`${value}T00:00:00`) !== undefined || "is a date that does not exist"
)

/** DateTime of a version: `form` is its profile's `dateTime`; `also`: a text that counts as one in that place. */
export const ocpiDateTime = (form: RegExp, also?: string) =>
  text(
    `a date and time in UTC like 2026-01-31T23:59:59Z, of at most ${dateTimeMaxLength} characters, without a numeric offset`,
    (value) =>
      form.test(value) ||
      value === also ||
      (/[+-]\d\d:?\d\d$/.test(value) && /T/.test(value)
        ? "has a numeric offset; OCPI times are in UTC"
        : "is not a date and time as this OCPI version writes it"),
    atMost(dateTimeMaxLength),
    (value) =>
      dateTimeMillis(value) !== undefined ||
      value === also ||
      "is a date or a time of day that does not exist"
  )

/** URL: at most 255 characters, absolute. */
export const Url = text(
  "an absolute URL of at most 255 characters, like https://example.com/ocpi",
  atMost(255),
  (value) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(value) && URL.canParse(value)) || "is not an absolute URL"
)

/** Alpha-2 code of a party's country: a CiString, so any case. */
export const CountryCode = text(
  "a country code of two letters (ISO 3166-1 alpha-2), like NL",
  (value) => alpha2Countries.has(value.toUpperCase()) || "is not an ISO 3166-1 alpha-2 country code"
)

/** `party_id`: identifies a party within its country; 1 to 3 characters. */
export const PartyCode = ciId(3)

/** Alpha-3 code of a place's country, upper case. */
export const Country = text(
  "a country code of three capital letters (ISO 3166-1 alpha-3), like NLD",
  (value) =>
    alpha3Countries.has(value) ||
    (alpha2Countries.has(value.toUpperCase())
      ? "has two letters; this field takes the code of three (alpha-3)"
      : "is not an ISO 3166-1 alpha-3 country code")
)

/** ISO 4217 code in capital letters, of those in `currencies.ts`. */
export const Currency = text(
  "a currency code of three capital letters (ISO 4217), like EUR",
  (value) => currencies.has(value) || "is not an ISO 4217 currency code"
)

/** ISO 639-1 code in any case: lower case is customary, but OCPI does not require it. */
export const Language = text(
  "a language code of two letters (ISO 639-1), like en",
  (value) => languages.has(value.toLowerCase()) || "is not an ISO 639-1 language code"
)

/** A name of the IANA time zone database. */
export const TimeZone = text(
  "the name of a time zone (IANA), like Europe/Amsterdam",
  (value) => isTimeZone(value) || "is not a name of the IANA time zone database"
)

/** DisplayText class (types) from 2.2 on: printable UTF-8, at most 512 characters. */
export const DisplayText = Schema.Struct({ language: Language, text: ocpiString(512) }).annotations({
  identifier: "DisplayText",
  description: "a text with its language: {language, text}"
})

/** number (types): any JSON number; a text such as `"1.5"` is refused. */
export const num = Schema.JsonNumber.annotations({ description: "a number (without quotes)" })

/** A JSON number without a fraction; a text such as `"1"` is refused. */
export const int = Schema.Int.annotations({ description: "a whole number (without quotes)" })

/** A whole number from `min` to `max`, both included. */
export const intBetween = (min: number, max: number) =>
  Schema.Number.pipe(
    Schema.filter(
      (value) =>
        (Number.isInteger(value) && value >= min && value <= max) ||
        `is not a whole number from ${min} to ${max}`
    )
  ).annotations({ description: `a whole number from ${min} to ${max}` })

/** A count or a time span. */
export const intNotNegative = Schema.Number.pipe(
  Schema.filter((value) => (Number.isInteger(value) && value >= 0) || "is not a whole number of 0 or more")
).annotations({ description: "a whole number of 0 or more (without quotes)" })

/** A JSON boolean; a text such as `"true"` is refused. */
export const bool = Schema.Boolean.annotations({ description: "true or false (without quotes)" })

/** Cardinality `?`: may be left out, or null. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** Cardinality `*`: may be left out, null or empty. */
export const list = <A, I>(item: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(Schema.Array(item)))

/** Cardinality `+`: at least one. */
export const nonEmptyList = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Array(item)
    .pipe(Schema.filter((items) => items.length > 0 || "is an empty list"))
    .annotations({ description: "a list with at least one entry" })
