/**
 * OCPI 2.2.1, document `mod_locations`. The lengths in the table of GeoLocation are too short for the regular expressions
 * beside them; we follow the expressions.
 */
import { Schema } from "effect"
import { DisplayText, formatted, optional } from "../types.ts"

/** Fields of the GeoLocation class. */
const geoLocationFields = {
  latitude: formatted(/^-?\d{1,2}\.\d{5,7}$/, '"51.047599" (in quotes, 5 to 7 decimals)'),
  longitude: formatted(/^-?\d{1,3}\.\d{5,7}$/, '"3.729944" (in quotes, 5 to 7 decimals)')
}

/** GeoLocation class (mod_locations), from 2.2 on: degrees as text with five to seven decimals. */
export const GeoLocation = Schema.Struct(geoLocationFields).annotations({ identifier: "GeoLocation" })

/** AdditionalGeoLocation class (mod_locations): a GeoLocation with a name. */
export const AdditionalGeoLocation = Schema.Struct({
  ...geoLocationFields,
  name: optional(DisplayText)
}).annotations({ identifier: "AdditionalGeoLocation" })
