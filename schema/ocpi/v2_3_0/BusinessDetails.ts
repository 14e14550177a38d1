/** OCPI 2.3.0, document `mod_locations`. */
import { Schema } from "effect"
import { openEnum } from "../enums.ts"
import { optional } from "../types.ts"
import { businessDetailsFields, imageFields, ImageCategory as Known } from "../v2_2_1/BusinessDetails.ts"

/** ImageCategory (mod_locations), an OpenEnum from 2.3.0 on. */
const ImageCategory = openEnum(Known)

/** Image class (mod_locations), with the open `category`. */
export const Image = Schema.Struct({ ...imageFields, category: ImageCategory }).annotations({
  identifier: "Image"
})

/** BusinessDetails class (mod_locations): its logo has an open category. */
export const BusinessDetails = Schema.Struct({ ...businessDetailsFields, logo: optional(Image) }).annotations(
  { identifier: "BusinessDetails" }
)
