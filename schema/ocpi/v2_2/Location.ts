/** OCPI 2.2, document `mod_locations`. */
import { Schema } from "effect"
import { list, ocpiString, optional } from "../types.ts"
import { locationFields } from "../v2_2_1/Location.ts"
import { EVSE } from "./Evse.ts"

/**
 * Location object (mod_locations): `address` of at most 45 characters (later 255), `state` of at most 20 (later 45).
 */
export const Location = Schema.Struct({
  ...locationFields,
  address: ocpiString(45),
  state: optional(ocpiString(20)),
  evses: list(EVSE)
}).annotations({ identifier: "Location" })
