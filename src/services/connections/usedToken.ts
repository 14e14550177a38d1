/** A handshake that is refused with the Token A of an earlier one: that one may have used it up, and its cause is what counts. Pure. */

const before =
  "; the handshake before sent POST credentials with it, which may have used it up, and failed. Have that mended, then ask for a new Token A: "

/**
 * The error of a handshake, in the form of `lastError`, with that of the one before where it tells more. `earlier`: the last error
 * of the connection, after a handshake with the same Token A.
 */
export const withEarlierCause = (error: string, earlier: string | undefined): string => {
  const [, told] = earlier?.split(before) ?? []
  const cause = told ?? earlier
  const isRefused = /^auth: GET version\S*(?: details)? answered 401 /.test(error)
  return isRefused && cause !== undefined && /^\w+: POST credentials /.test(cause)
    ? `${error}${before}${cause}`
    : error
}
