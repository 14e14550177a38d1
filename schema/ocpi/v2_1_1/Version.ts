/** OCPI 2.1.1, document `version_information_endpoint`. */
import { Schema } from "effect"
import { nonEmptyList } from "../types.ts"
import { endpointFields, versionFields } from "../v2_2_1/Version.ts"

const { role: _, ...roleless } = endpointFields

/** Endpoint class (version_information_endpoint): a module and its URL, without a role. */
const Endpoint = Schema.Struct(roleless).annotations({ identifier: "OcpiEndpoint" })

/** Data of the version details endpoint (version_information_endpoint). */
export const VersionDetails = Schema.Struct({
  version: versionFields.version,
  endpoints: nonEmptyList(Endpoint)
}).annotations({ identifier: "VersionDetails" })
