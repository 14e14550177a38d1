/** Energy and hours as whole ten-thousandths, so that sums are exact. OCPI numbers have four decimals. */

/** Whole ten-thousandths of a JSON number. */
export const unitsOf = (value: unknown): number =>
  typeof value === "number" ? Math.round(value * 10_000) : 0

/** The JSON number of so many ten-thousandths. */
export const numberOf = (units: number): number => units / 10_000
