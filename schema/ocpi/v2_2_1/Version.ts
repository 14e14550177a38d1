/** Document `version_information_endpoint`: one entry of the list of versions, and the details of one version. */
import { Schema } from "effect"
import { ciId, nonEmptyList, Url } from "../types.ts"

/** Any number of parts: a list may name versions that we do not speak. */
export const versionFields = { version: ciId(10), url: Url }
export const Version = Schema.Struct(versionFields).annotations({ identifier: "Version" })
export type Version = typeof Version.Type

/** `identifier` is open: modules of agreements between two parties are allowed beside the standard ones. */
export const endpointFields = { identifier: ciId(255), role: Schema.Literal("SENDER", "RECEIVER"), url: Url }
export const Endpoint = Schema.Struct(endpointFields).annotations({ identifier: "OcpiEndpoint" })

export const VersionDetails = Schema.Struct({
  version: versionFields.version,
  endpoints: nonEmptyList(Endpoint)
}).annotations({ identifier: "VersionDetails" })
export type VersionDetails = typeof VersionDetails.Type
