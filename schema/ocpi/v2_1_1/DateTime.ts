import { dateTimeForms } from "../DateTime.ts"
import { ocpiDateTime } from "../types.ts"

/** DateTime (types): UTC in whole seconds, with or without `Z`. */
export const DateTime = ocpiDateTime(dateTimeForms.seconds)
