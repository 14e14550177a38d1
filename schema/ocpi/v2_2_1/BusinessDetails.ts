/** Document `mod_locations`: BusinessDetails, Image. */
import { Schema } from "effect"
import { formatted, intBetween, ocpiString, optional, Url } from "../types.ts"

export const ImageCategory = Schema.Literal(
  "CHARGER",
  "ENTRANCE",
  "LOCATION",
  "NETWORK",
  "OPERATOR",
  "OTHER",
  "OWNER"
).annotations({ identifier: "ImageCategory" })

export const imageFields = {
  url: Url,
  thumbnail: optional(Url),
  category: ImageCategory,
  /** CiString(4): the table's own list is gif, jpeg, png and svg, and it is not closed. */
  type: formatted(/^[\x21-\x7e]{1,4}$/, "jpeg, png, gif or svg (at most 4 characters)"),
  width: optional(intBetween(0, 99_999)),
  height: optional(intBetween(0, 99_999))
}
export const Image = Schema.Struct(imageFields).annotations({ identifier: "Image" })
export type Image = typeof Image.Type

export const businessDetailsFields = { name: ocpiString(100), website: optional(Url), logo: optional(Image) }
export const BusinessDetails = Schema.Struct(businessDetailsFields).annotations({
  identifier: "BusinessDetails"
})
export type BusinessDetails = typeof BusinessDetails.Type
