import { dateTimeForms } from "../DateTime.ts"
import { ocpiDateTime } from "../types.ts"

/** Seconds, or any fraction of them. */
export const DateTime = ocpiDateTime(dateTimeForms.fractions)
