/** Document `mod_locations`: GeoLocation, AdditionalGeoLocation. The forms decide, not the lengths beside them, which are too short for them. */
import { Schema } from "effect"
import { DisplayText, formatted, optional } from "../types.ts"

export const geoLocationFields = {
  latitude: formatted(/^-?\d{1,2}\.\d{5,7}$/, '"51.047599" (in quotes, 5 to 7 decimals)'),
  longitude: formatted(/^-?\d{1,3}\.\d{5,7}$/, '"3.729944" (in quotes, 5 to 7 decimals)')
}
export const GeoLocation = Schema.Struct(geoLocationFields).annotations({ identifier: "GeoLocation" })
export type GeoLocation = typeof GeoLocation.Type

export const AdditionalGeoLocation = Schema.Struct({
  ...geoLocationFields,
  name: optional(DisplayText)
}).annotations({ identifier: "AdditionalGeoLocation" })
