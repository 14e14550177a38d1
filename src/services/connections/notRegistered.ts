/** Why nothing can be ordered for a connection that is not registered. */
import type { Connection } from "../../../schema/Connection.ts"
import { registrationSuite } from "../../../schema/Suite.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"

/** Whether the connection has a token to call the partner with. */
export const canCall = (tokens: ReadonlyArray<Pick<PartyToken, "slot">>): boolean =>
  tokens.some(({ slot }) => slot === "outbound")

/** What to do where there is no token to call the partner with. */
export const tokenless = ({ _id, invitation }: Pick<Connection, "_id" | "invitation">): string =>
  invitation?.state === "open"
    ? `wait until the partner has registered with the invitation that is out, or run POST /connections/${_id}/handshake with its Token A`
    : `run POST /connections/${_id}/handshake with the partner's Token A, or invite the partner to register (POST /connections/${_id}/invitation)`

/**
 * Names the status, the next step, and the last error, which has the partner's own words; where a handshake failed, the suite whose
 * report has the details.
 */
export const notRegistered = (
  connection: Pick<Connection, "_id" | "invitation" | "lastError" | "ocpiVersion" | "status" | "theirRole">,
  tokens: ReadonlyArray<Pick<PartyToken, "slot">>
): string => {
  const { _id, lastError, status } = connection
  const state = `The connection is ${status}, not registered`
  const next = canCall(tokens)
    ? `${state}; run POST /connections/${_id}/handshake first`
    : `${state}, and has no token to call the partner with; ${tokenless(connection)}`
  if (lastError === undefined) return next
  const report = /^(protocol|auth):/.test(lastError)
    ? `, or the suite ${registrationSuite(connection)} for a report of what the partner refuses`
    : ""
  return `${next}${report}. Its last error: ${lastError}`
}
