/** The OCPI versions that a connection can speak. The only place, with the profiles beside it, where they are spelt. */
import { Schema } from "effect"

/** An OCPI version number that a connection or a sandbox partner can use. */
export const OcpiVersion = Schema.Literal("2.1.1", "2.2", "2.2.1", "2.3.0").annotations({
  identifier: "OcpiVersion"
})
export type OcpiVersion = typeof OcpiVersion.Type
