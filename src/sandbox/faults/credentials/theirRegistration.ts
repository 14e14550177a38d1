/** Faults of a partner that registers with us on our invitation. */
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectsIn } from "../../../findings/json.ts"
import type { OcpiCall } from "../../../ocpi/OcpiClient.ts"
import { allVersions, bothRoles, type Fault } from "../Fault.ts"

const base = { module: "credentials", versions: allVersions, roles: bothRoles, strength: "must" } as const

const [oldest, ...laterVersions] = versionNumbers

const isPost = ({ method, module }: OcpiCall) => module === "credentials" && method === "POST"

/** Changes the POST credentials that the partner sends. */
const registering = (edit: (call: OcpiCall) => OcpiCall) => ({
  call: (call: OcpiCall) => (isPost(call) ? edit(call) : call)
})

const nameless = ({ business_details: _, ...party }: JsonObject): JsonObject => party

/**
 * Faults of a partner that sends POST credentials itself: what it fetches before, what it sends, and which tokens it
 * uses and accepts.
 */
export const theirRegistrationFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "registration.unseeing",
    description: "Registers with us without fetching our versions and details",
    caughtBy: ["CRED-041"],
    behaviour: { quirks: ["registers unseeing"] }
  },
  {
    ...base,
    id: "registration.sends-incomplete",
    description: "Leaves business_details out of the credentials that it sends",
    caughtBy: ["CRED-042"],
    behaviour: registering((call) => {
      const { body } = call
      if (!isObject(body)) return call
      return {
        ...call,
        body: "roles" in body ? { ...body, roles: objectsIn(body["roles"]).map(nameless) } : nameless(body)
      }
    })
  },
  {
    ...base,
    id: "registration.opens-late",
    description: "Refuses the token in its credentials until POST credentials has been answered",
    caughtBy: ["CRED-043"],
    behaviour: { quirks: ["opens late"] }
  },
  {
    ...base,
    id: "registration.oldest-version",
    versions: laterVersions,
    strength: "should",
    description: "Registers in the oldest version that we offer",
    caughtBy: ["CRED-044"],
    behaviour: registering((call) => ({
      ...call,
      url: call.url.replace(/\/[\d.]+\/credentials$/, `/${oldest}/credentials`)
    }))
  },
  {
    ...base,
    id: "registration.keeps-old-token",
    description: "Keeps using the token that it had before the credentials exchange",
    caughtBy: ["CRED-031", "CRED-045"],
    behaviour: { quirks: ["keeps its old token"] }
  },
  {
    ...base,
    id: "registration.with-anybody",
    strength: "should",
    description: "Registers with us although our version details list only the credentials endpoint",
    caughtBy: ["CRED-046"],
    behaviour: { quirks: ["registers with anybody"] }
  }
]
