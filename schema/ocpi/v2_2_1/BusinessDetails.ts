/** OCPI 2.2.1, document `mod_locations`. */
import { Schema } from "effect"
import { formatted, intBetween, ocpiString, optional, Url } from "../types.ts"

/** ImageCategory enum (mod_locations), as in 2.1.1 to 2.2.1; open in 2.3.0. */
export const ImageCategory = Schema.Literal(
  "CHARGER",
  "ENTRANCE",
  "LOCATION",
  "NETWORK",
  "OPERATOR",
  "OTHER",
  "OWNER"
).annotations({ identifier: "ImageCategory" })

/** Fields of the Image class; 2.3.0 opens `category`. */
export const imageFields = {
  url: Url,
  thumbnail: optional(Url),
  category: ImageCategory,
  /** CiString(4): the table's own list is gif, jpeg, png and svg, and it is not closed. */
  type: formatted(/^[\x21-\x7e]{1,4}$/, "jpeg, png, gif or svg (at most 4 characters)"),
  width: optional(intBetween(0, 99_999)),
  height: optional(intBetween(0, 99_999))
}

/** Image class (mod_locations): width and height in pixels. */
export const Image = Schema.Struct(imageFields).annotations({ identifier: "Image" })

/** Fields of the BusinessDetails class; 2.1.1 and 2.3.0 spread them. */
export const businessDetailsFields = { name: ocpiString(100), website: optional(Url), logo: optional(Image) }

/**
 * BusinessDetails class (mod_locations): operator, suboperator or owner of a location, or a party of the credentials.
 */
export const BusinessDetails = Schema.Struct(businessDetailsFields).annotations({
  identifier: "BusinessDetails"
})
