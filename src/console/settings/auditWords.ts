/** The acts of the audit log in words. Pure. */

/** By the name of the operation. */
const acts: Readonly<Record<string, string>> = {
  "connections.create": "Entered a partner",
  "connections.handshake": "Registered, or rotated the tokens",
  "connections.invite": "Invited the partner",
  "connections.preflight": "Diagnosed the connection",
  "connections.setDialect": "Set the dialect by hand",
  "connections.remove": "Unregistered and forgot the partner",
  "testing.command": "Sent a command",
  "testing.draftCommand": "Asked for the fields of a command",
  "testing.startRun": "Started a suite",
  "testing.cancelRun": "Stopped a suite",
  "testing.exportRun": "Exported a report with personal data",
  "journeyRuns.start": "Started a journey",
  "journeyRuns.recovery": "Decided about an interrupted journey",
  "journeyRuns.checkpoint": "Answered a question of a journey",
  "journeyRuns.cancel": "Cancelled a journey",
  "sandbox.create": "Made a sandbox partner",
  "sandbox.issueToken": "Had a sandbox partner issue another Token A",
  "sandbox.setFaults": "Switched faults of a sandbox partner",
  "sandbox.handshake": "Made a sandbox partner register",
  "sandbox.leave": "Made a sandbox partner unregister",
  "sandbox.remove": "Removed a sandbox partner",
  "scenarios.create": "Stored a scenario",
  "scenarios.fromFile": "Stored a scenario from a file",
  "scenarios.change": "Changed a scenario",
  "scenarios.remove": "Removed a scenario",
  "key.used": "Used the key (noted once an hour)",
  "settings.createKey": "Made an API key",
  "settings.rollKey": "Rolled an API key",
  "settings.revokeKey": "Revoked an API key",
  "session.signIn": "Signed a browser in",
  "session.signOut": "Signed a browser out",
  "session.makeLink": "Made a link to sign in"
}

/** A sentence, or the operation's own name in words where there is none. */
export const actInWords = (action: string): string =>
  acts[action] ??
  action.replace(
    /^(\w)(.*)$/,
    (_, head: string, rest: string) =>
      `${head.toUpperCase()}${rest.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(".", ": ")}`
  )

/** What the service answered; `status` null: it was away before that was known. */
export function answerInWords(status: number | null): string {
  if (status === null) return "not known"
  if (status < 400) return "done"
  return status === 401 || status === 403
    ? `not allowed (${status})`
    : status === 429
      ? "too often (429)"
      : status >= 500
        ? `failed (${status})`
        : `refused (${status})`
}
