/** The status of a session, as rules of what follows from it read it. */

/**
 * In capitals, whatever the case in which it was sent: that it is no value of the SessionStatus enum is told by the checks of its form
 * alone, and the session goes on all the same. Undefined: it is no text.
 */
export const sessionStatus = (
  session: { readonly [field: string]: unknown } | undefined
): string | undefined => {
  const status = session?.["status"]
  return typeof status === "string" ? status.toUpperCase() : undefined
}
