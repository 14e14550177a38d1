import { dateTimeForms } from "../DateTime.ts"
import { ocpiDateTime } from "../types.ts"

/** Whole seconds. */
export const DateTime = ocpiDateTime(dateTimeForms.seconds)
