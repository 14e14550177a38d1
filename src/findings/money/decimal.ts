/**
 * Exact decimals for money, energy and time (effect's BigDecimal), and the one rounding policy: what is multiplied and
 * added stays exact, a quotient that does not end is cut at 12 decimals, and the amount of a dimension is rounded once,
 * half away from zero, to the four decimals of OCPI's numbers. A total is the sum of such amounts, so parts always add up.
 */
import { BigDecimal } from "effect"

/** An exact decimal number. */
export type Decimal = BigDecimal.BigDecimal

/** The policy in a sentence, for those who compare their sums with ours. */
export const roundingPolicy =
  "exact until the end; each dimension is rounded once, half away from zero, to four decimals; the total is the sum of the dimensions"

const quotientScale = 12
const numberScale = 4

/** 0. */
export const zero: Decimal = BigDecimal.unsafeFromString("0")
/** Longest time unit of a tariff's price, in seconds. */
export const hourSeconds: Decimal = BigDecimal.unsafeFromString("3600")
/** Wh in a kWh: 1000. */
export const wattHours: Decimal = BigDecimal.unsafeFromString("1000")
/** 100, for percentages. */
export const hundred: Decimal = BigDecimal.unsafeFromString("100")

/** A JSON number as written; undefined when the value is none. */
export const decimalOf = (value: unknown): Decimal | undefined =>
  typeof value === "number" && Number.isFinite(value) ? BigDecimal.unsafeFromNumber(value) : undefined

/** For numbers of our own making. */
export const decimal = (value: number): Decimal => BigDecimal.unsafeFromNumber(value)

/** The nearest JSON number. */
export const numberOf = (value: Decimal): number => BigDecimal.unsafeToNumber(value)

/** The exact sum; 0 of none. */
export const sumOf = (values: Iterable<Decimal>): Decimal => BigDecimal.sumAll(values)

/** `a + b`, exact. */
export const plus = (a: Decimal, b: Decimal): Decimal => BigDecimal.sum(a, b)
/** `a - b`, exact. */
export const minus = (a: Decimal, b: Decimal): Decimal => BigDecimal.subtract(a, b)
/** `a × b`, exact. */
export const times = (a: Decimal, b: Decimal): Decimal => BigDecimal.multiply(a, b)

/** `a ÷ b`, cut at 12 decimals; `b` is never zero. */
export const over = (a: Decimal, b: Decimal): Decimal =>
  BigDecimal.round(BigDecimal.unsafeDivide(a, b), { scale: quotientScale, mode: "half-from-zero" })

/** Four decimals, half away from zero. */
export const rounded = (value: Decimal): Decimal =>
  BigDecimal.round(value, { scale: numberScale, mode: "half-from-zero" })

/** Is `a` greater than `b`? */
export const isMore = (a: Decimal, b: Decimal): boolean => BigDecimal.greaterThan(a, b)
/** Is the value 0? */
export const isZero = (value: Decimal): boolean => BigDecimal.isZero(value)

/** Plain digits, without an exponent and without trailing zeros. */
export const shown = (value: Decimal): string => {
  const { scale, value: digits } = BigDecimal.normalize(value)
  if (scale <= 0) return (digits * 10n ** BigInt(-scale)).toString()
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0")
  return `${digits < 0n ? "-" : ""}${text.slice(0, -scale)}.${text.slice(-scale)}`
}
