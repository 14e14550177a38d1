/** The target `sandbox` of a run: a sandbox partner that is made for it, with a connection to it. */
import { Effect, Redacted } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import { Unsupported } from "../../../schema/Errors.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { traced } from "../../telemetry/traced.ts"
import { Connections } from "../connections/Connections.ts"
import { Registrations } from "../connections/Registrations.ts"
import { CurrentAttempt } from "../requests/IdempotentRequest.ts"
import { Sandboxes } from "../sandboxes/Sandboxes.ts"

/** The partner to make, and the state that the connection to it is to be in. */
interface SandboxTarget {
  readonly theirRole: Role
  readonly ocpiVersion: OcpiVersion
  /** `invited`: the partner registers with us a little later. */
  readonly state: "registered" | "unregistered" | "invited"
  /** We are a hub in the connection. */
  readonly hub?: boolean
}

/** Makes the function that makes a sandbox partner and a connection to it. */
export const makeSandboxTarget = Effect.gen(function* () {
  const connections = yield* Connections
  const registrations = yield* Registrations
  const sandboxes = yield* Sandboxes

  return traced("sandboxTarget")(function* (
    caller: Caller,
    { hub = false, ocpiVersion, state, theirRole }: SandboxTarget
  ) {
    const partner = yield* sandboxes.create(caller, { theirRole, ocpiVersion })
    const connection = yield* connections.create(caller, {
      partnerBaseUrl: partner.partnerBaseUrl,
      ourRole: theirRole === "CPO" ? "EMSP" : "CPO",
      theirRole,
      ocpiVersion,
      tokenA: Redacted.make(partner.tokenA ?? ""),
      label: `sandbox ${theirRole} ${ocpiVersion}`,
      ...(hub ? { hub } : {})
    })
    if (state === "invited") yield* sandboxes.introduce(caller, partner._id, connection._id)
    const made = { id: connection._id, partnerId: partner._id }
    if (state !== "registered") return made
    // Without the current attempt, an interrupted handshake is simply repeated; the partner is our own sandbox.
    const after =
      connection.status === "registered"
        ? connection
        : yield* Effect.provideService(
            registrations.handshake(caller, connection._id),
            CurrentAttempt,
            undefined
          )
    return after.status === "registered"
      ? made
      : yield* new Unsupported({
          message: `The handshake with the sandbox partner failed: ${after.lastError}`
        })
  })
})
