/** OCPI 2.2.1, document `version_information_endpoint`. */
import { Schema } from "effect"
import { ciId, nonEmptyList, Url } from "../types.ts"

/**
 * Fields of the Version class. A version number may have any number of parts: a partner may list versions that we do
 * not speak.
 */
export const versionFields = { version: ciId(10), url: Url }

/** Version class (version_information_endpoint): one entry of the list of versions, the same in every version. */
export const Version = Schema.Struct(versionFields).annotations({ identifier: "Version" })

/**
 * Fields of the Endpoint class. `identifier` is any text: two parties may agree on modules beside the standard ones.
 */
export const endpointFields = { identifier: ciId(255), role: Schema.Literal("SENDER", "RECEIVER"), url: Url }

/** Endpoint class (version_information_endpoint), from 2.2 on with a role. */
const Endpoint = Schema.Struct(endpointFields).annotations({ identifier: "OcpiEndpoint" })

/** Data of the version details endpoint (version_information_endpoint), from 2.2 on. */
export const VersionDetails = Schema.Struct({
  version: versionFields.version,
  endpoints: nonEmptyList(Endpoint)
}).annotations({ identifier: "VersionDetails" })
