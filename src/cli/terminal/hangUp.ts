/** The end of a terminal. */

/**
 * Ends the process as SIGTERM does when its terminal is closed. By default SIGHUP kills it at once: then runs wait for their lease to run
 * out, and the embedded Postgres, which outlives a killed process, goes on without anybody. A shell and the system may both send it.
 */
export const endOnHangUp = (): void => {
  let hasEnded = false
  process.on("SIGHUP", () => {
    if (hasEnded) return
    hasEnded = true
    process.emit("SIGTERM", "SIGTERM")
  })
}
