/** OCPI 2.1.1, document `mod_locations`. */
import { Schema } from "effect"
import { asciiString } from "../types.ts"
import { businessDetailsFields } from "../v2_2_1/BusinessDetails.ts"

/** BusinessDetails class (mod_locations): the name is printable ASCII. */
export const BusinessDetails = Schema.Struct({
  ...businessDetailsFields,
  name: asciiString(100)
}).annotations({ identifier: "BusinessDetails" })
