/** Energy and hours as whole ten-thousandths, so that sums are exact. OCPI numbers have four decimals. */

/** A JSON number in whole ten-thousandths; 0 for any other value. */
export const unitsOf = (value: unknown): number =>
  typeof value === "number" ? Math.round(value * 10_000) : 0

/** The JSON number of so many ten-thousandths. */
export const numberOf = (units: number): number => units / 10_000
