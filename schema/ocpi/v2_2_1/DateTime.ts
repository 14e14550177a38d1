import { dateTimeForms } from "../DateTime.ts"
import { ocpiDateTime } from "../types.ts"

/** DateTime (types), from 2.2 on: UTC in seconds or any fraction of them, with or without `Z`. */
export const DateTime = ocpiDateTime(dateTimeForms.fractions)
