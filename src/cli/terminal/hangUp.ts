/** The end of a terminal. */
import { isatty } from "node:tty"

/**
 * Ends the process as SIGTERM does when its terminal is closed. By default SIGHUP kills it at once: then runs wait for their lease to run
 * out, and the embedded Postgres, which outlives a killed process, goes on without anybody. A shell and the system may both send it.
 */
export const endOnHangUp = (): void => {
  const hasTerminal = [0, 1, 2].some(isatty)
  let hasEnded = false
  process.on("SIGHUP", () => {
    if (hasEnded) return
    hasEnded = true
    // Node resets the terminal as it exits, and crashes where that is gone; a core file would hold our secrets.
    if (hasTerminal) process.once("exit", () => process.kill(process.pid, "SIGKILL"))
    process.emit("SIGTERM", "SIGTERM")
  })
}
