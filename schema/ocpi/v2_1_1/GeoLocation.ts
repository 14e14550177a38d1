/** OCPI 2.1.1, document `mod_locations`. */
import { Schema } from "effect"
import { formatted, optional } from "../types.ts"
import { DisplayText } from "./DisplayText.ts"

const geoLocationFields = {
  latitude: formatted(/^-?\d{1,2}\.\d{6}$/, '"51.047599" (in quotes, 6 decimals)'),
  longitude: formatted(/^-?\d{1,3}\.\d{6}$/, '"3.729944" (in quotes, 6 decimals)')
}

/** GeoLocation class (mod_locations): degrees as text with exactly six decimals. */
export const GeoLocation = Schema.Struct(geoLocationFields).annotations({ identifier: "GeoLocation" })

/** AdditionalGeoLocation class (mod_locations): a GeoLocation with a name. */
export const AdditionalGeoLocation = Schema.Struct({
  ...geoLocationFields,
  name: optional(DisplayText)
}).annotations({ identifier: "AdditionalGeoLocation" })
