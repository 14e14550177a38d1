import { dateTimeForms } from "../DateTime.ts"
import { ocpiDateTime } from "../types.ts"

/**
 * DateTime (types): UTC, with or without `Z`. The text names ISO 8601, which has fractions of a second, and neither shows nor forbids
 * them: they are taken.
 */
export const DateTime = ocpiDateTime(dateTimeForms.fractions)
