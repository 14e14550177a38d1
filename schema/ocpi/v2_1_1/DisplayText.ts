/** OCPI 2.1.1, document `types`. */
import { Schema } from "effect"
import { asciiString, Language } from "../types.ts"

/** DisplayText class (types): printable ASCII, at most 512 characters. */
export const DisplayText = Schema.Struct({ language: Language, text: asciiString(512) }).annotations({
  identifier: "DisplayText",
  description: "a text with its language: {language, text}"
})
