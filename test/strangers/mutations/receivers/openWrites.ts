/** Receivers of one endpoint that take writes of anyone: without a token, or with one that they do not know. */
import { admitting, at, both, hasNoToken, hasToken, receiving } from "../bends.ts"
import { fault, type Mutation } from "../Mutation.ts"

/** Rows of writes without a valid token, one or two for each endpoint. */
export const openWriteFaults: ReadonlyArray<Mutation> = [
  fault("post-cdrs.open", "CRED-049", admitting(both(receiving("cdrs", "POST"), hasNoToken)), {
    roles: ["EMSP"]
  }),
  fault("post-cdrs.any-token", "CRED-049", admitting(both(receiving("cdrs", "POST"), hasToken)), {
    roles: ["EMSP"]
  }),
  fault("put-sessions.open", "CRED-049", admitting(both(receiving("sessions", "PUT"), hasNoToken)), {
    roles: ["EMSP"]
  }),
  fault("put-sessions.any-token", "CRED-049", admitting(both(receiving("sessions", "PUT"), hasToken)), {
    roles: ["EMSP"]
  }),
  fault("put-locations.open", "CRED-049", admitting(both(receiving("locations", "PUT"), hasNoToken)), {
    roles: ["EMSP"]
  }),
  fault("put-locations.any-token", "CRED-049", admitting(both(receiving("locations", "PUT"), hasToken)), {
    roles: ["EMSP"]
  }),
  fault("put-tariffs.open", "CRED-049", admitting(both(receiving("tariffs", "PUT"), hasNoToken)), {
    roles: ["EMSP"],
    follows: "CRED-051"
  }),
  fault("put-tokens.open", "CRED-049", admitting(both(receiving("tokens", "PUT"), hasNoToken)), {
    roles: ["CPO"],
    follows: "CRED-051"
  }),
  fault("put-profiles.open", "CRED-049", admitting(both(at("chargingprofiles", "PUT"), hasNoToken)), {
    roles: ["CPO"],
    versions: "2.2+"
  })
]
