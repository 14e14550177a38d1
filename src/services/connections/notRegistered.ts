/** Why nothing can be ordered for a connection that is not registered. */
import type { Connection } from "../../../schema/Connection.ts"

/** Names the status, the next step, and the last error, which has the partner's own words. */
export const notRegistered = ({
  _id,
  lastError,
  status
}: Pick<Connection, "_id" | "lastError" | "status">): string =>
  `The connection is ${status}, not registered; run POST /connections/${_id}/handshake first${
    lastError === undefined ? "" : `. Its last error: ${lastError}`
  }`
