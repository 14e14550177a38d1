/** The target `sandbox` of a run: a sandbox partner that is made for it, with a connection to it. */
import { Effect, Redacted } from "effect"
import type { Caller } from "../../../../schema/Account.ts"
import type { Connection } from "../../../../schema/Connection.ts"
import { Unsupported } from "../../../../schema/Errors.ts"
import type { ConnectionId } from "../../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import { traced } from "../../../telemetry/traced.ts"
import { Connections } from "../../connections/Connections.ts"
import { Registrations } from "../../connections/Registrations.ts"
import { CurrentAttempt } from "../../requests/IdempotentRequest.ts"
import { Sandboxes } from "../../sandboxes/Sandboxes.ts"
import { makeUnusedTargets } from "./unusedTargets.ts"

/** The partner to make, and the state that the connection to it is to be in. */
interface SandboxTarget {
  readonly theirRole: Role
  readonly ocpiVersion: OcpiVersion
  /** `invited`: the partner registers with us a little later. */
  readonly state: "registered" | "unregistered" | "invited"
  /** We are a hub in the connection. */
  readonly hub?: boolean
}

/** The connection that was made, and its partner. */
interface MadeTarget {
  readonly id: ConnectionId
  readonly partnerId: string
  /** Removes both: for an order that was refused after they were made. */
  readonly undo: Effect.Effect<void>
}

/** Makes the function that makes a sandbox partner and a connection to it; if it fails, neither stays. */
export const makeSandboxTarget = Effect.gen(function* () {
  const connections = yield* Connections
  const registrations = yield* Registrations
  const sandboxes = yield* Sandboxes
  const makeRoom = yield* makeUnusedTargets

  /** Brings the connection into the state that the run begins in. */
  const prepared = Effect.fnUntraced(function* (
    caller: Caller,
    { id, partnerId }: MadeTarget,
    status: Connection["status"],
    state: SandboxTarget["state"]
  ) {
    if (state === "invited") return yield* sandboxes.introduce(caller, partnerId, id)
    if (state === "unregistered" || status === "registered") return
    // Without the current attempt, an interrupted handshake is simply repeated; the partner is our own sandbox.
    const after = yield* Effect.provideService(registrations.handshake(caller, id), CurrentAttempt, undefined)
    if (after.status !== "registered")
      return yield* new Unsupported({
        message: `The handshake with the sandbox partner failed: ${after.lastError}`
      })
  })

  return traced("sandboxTarget")(function* (
    caller: Caller,
    { hub = false, ocpiVersion, state, theirRole }: SandboxTarget
  ) {
    yield* makeRoom(caller)
    const partner = yield* sandboxes.create(caller, { theirRole, ocpiVersion, isTarget: true })
    const removePartner = Effect.ignore(sandboxes.remove(caller, partner._id))
    const connection = yield* connections
      .create(caller, {
        partnerBaseUrl: partner.partnerBaseUrl,
        ourRole: theirRole === "CPO" ? "EMSP" : "CPO",
        theirRole,
        ocpiVersion,
        tokenA: Redacted.make(partner.tokenA ?? ""),
        label: `sandbox ${theirRole} ${ocpiVersion}`,
        ...(hub ? { hub } : {})
      })
      .pipe(Effect.onError(() => removePartner))
    const undo = Effect.zipRight(Effect.ignore(connections.remove(caller, connection._id)), removePartner)
    const made: MadeTarget = { id: connection._id, partnerId: partner._id, undo }
    return yield* Effect.as(prepared(caller, made, connection.status, state), made).pipe(
      Effect.onError(() => undo)
    )
  })
})
