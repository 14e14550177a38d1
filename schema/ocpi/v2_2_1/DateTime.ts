import { ocpiDateTime } from "../types.ts"
import { v2_2 } from "../v2_2/profile.ts"

/** As in the version before: seconds, or any fraction of them. */
export const DateTime = ocpiDateTime(v2_2.dateTime)
