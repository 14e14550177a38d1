/** Money, energy and hours as whole ten-thousandths, so that sums are exact. OCPI numbers have four decimals. */

/** Whole ten-thousandths of a JSON number. */
export const unitsOf = (value: unknown): number =>
  typeof value === "number" ? Math.round(value * 10_000) : 0

/** The JSON number of so many ten-thousandths. */
export const numberOf = (units: number): number => units / 10_000

/** `a × b ÷ divisor`, half up, all whole numbers: exact, also beyond 2^53. */
export const scaled = (a: number, b: number, divisor: number): number => {
  const doubled = 2n * BigInt(a) * BigInt(b) + BigInt(divisor)
  return Number(doubled / (2n * BigInt(divisor)))
}
