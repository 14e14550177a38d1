/** Document `mod_locations`: BusinessDetails, Image; what an image shows is open. */
import { Schema } from "effect"
import { openEnum } from "../enums.ts"
import { optional } from "../types.ts"
import { businessDetailsFields, imageFields, ImageCategory as Known } from "../v2_2_1/BusinessDetails.ts"

export const ImageCategory = openEnum(Known)

export const Image = Schema.Struct({ ...imageFields, category: ImageCategory }).annotations({
  identifier: "Image"
})

export const BusinessDetails = Schema.Struct({ ...businessDetailsFields, logo: optional(Image) }).annotations(
  { identifier: "BusinessDetails" }
)
