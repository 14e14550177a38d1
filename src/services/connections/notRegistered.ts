/** Why nothing can be ordered for a connection that is not registered. */
import type { Connection } from "../../../schema/Connection.ts"
import { registrationSuite } from "../../../schema/Suite.ts"

/**
 * Names the status, the next step, and the last error, which has the partner's own words; where a handshake failed, the suite whose
 * report has the details.
 */
export const notRegistered = (
  connection: Pick<Connection, "_id" | "lastError" | "ocpiVersion" | "status" | "theirRole">
): string => {
  const { _id, lastError, status } = connection
  const next = `The connection is ${status}, not registered; run POST /connections/${_id}/handshake first`
  if (lastError === undefined) return next
  const report = /^(protocol|auth):/.test(lastError)
    ? `, or the suite ${registrationSuite(connection)} for a report of what the partner refuses`
    : ""
  return `${next}${report}. Its last error: ${lastError}`
}
