/** Faults of a partner that registers with us, by our invitation. */
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectsIn } from "../../../findings/json.ts"
import type { OcpiCall } from "../../../ocpi/OcpiClient.ts"
import { allVersions, bothRoles, type Fault } from "../Fault.ts"

const base = { module: "credentials", versions: allVersions, roles: bothRoles, strength: "must" } as const

const [oldest, ...laterVersions] = versionNumbers

const isPost = ({ method, module }: OcpiCall) => module === "credentials" && method === "POST"

/** Changes the POST with which it registers. */
const registering = (edit: (call: OcpiCall) => OcpiCall) => ({
  call: (call: OcpiCall) => (isPost(call) ? edit(call) : call)
})

const nameless = ({ business_details: _, ...party }: JsonObject): JsonObject => party

export const theirRegistrationFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "registration.unseeing",
    description: "Registers with us without having fetched our versions and details",
    caughtBy: ["CRED-041"],
    behaviour: { quirks: ["registers unseeing"] }
  },
  {
    ...base,
    id: "registration.sends-incomplete",
    description: "Leaves its business out of the credentials with which it registers",
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
    description: "Refuses the token of its own credentials until it has been answered",
    caughtBy: ["CRED-043"],
    behaviour: { quirks: ["opens late"] }
  },
  {
    ...base,
    id: "registration.oldest-version",
    versions: laterVersions,
    strength: "should",
    description: "Registers in the oldest version that it finds with us",
    caughtBy: ["CRED-044"],
    behaviour: registering((call) => ({
      ...call,
      url: call.url.replace(/\/[\d.]+\/credentials$/, `/${oldest}/credentials`)
    }))
  },
  {
    ...base,
    id: "registration.keeps-old-token",
    description: "Goes on with the token that it had before its credentials were exchanged",
    caughtBy: ["CRED-031", "CRED-045"],
    behaviour: { quirks: ["keeps its old token"] }
  },
  {
    ...base,
    id: "registration.with-anybody",
    strength: "should",
    description: "Registers with us although our details list credentials and nothing else",
    caughtBy: ["CRED-046"],
    behaviour: { quirks: ["registers with anybody"] }
  }
]
