/** Commands that GitHub Actions reads from a step's output: a failed check stands in the summary of the build. Pure. */
import type { Assertion } from "../../schema/Assertion.ts"

/** GitHub shows ten of a kind and drops the others. */
const most = 10

/** `::error title=LOC-017::…` for what failed and `::warning …` for what warned. */
export const annotations = (checks: ReadonlyArray<Assertion>): ReadonlyArray<string> => [
  ...of(checks, "failed", "error"),
  ...of(checks, "warned", "warning")
]

function of(checks: ReadonlyArray<Assertion>, outcome: Assertion["outcome"], command: string) {
  return checks
    .filter((check) => check.outcome === outcome)
    .slice(0, most)
    .map(({ hint, id, message, reference, title }) => {
      const text = [`${title}: ${message ?? outcome}`, hint, reference].filter((part) => part !== undefined)
      return `::${command} title=${property(id)}::${data(text.join("\n"))}`
    })
}

/** Line breaks would begin a command of the partner's own. */
function data(text: string): string {
  return text
    .replaceAll("%", "%25")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A")
    .replace(/\p{Cc}/gu, " ")
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C")
}
