/** Workflow commands for GitHub Actions, which make failed checks annotations of the build. Pure. */
import type { Assertion } from "../../../schema/Assertion.ts"
import { withoutDirections } from "../../reports/directions.ts"
import { factsOf } from "../../reports/facts.ts"

/** GitHub shows ten annotations of each kind and drops the others. */
const most = 10

/** `::error title=LOC-017::…` for each failed check, `::warning …` for each that warned; at most ten of each. */
export const annotations = (checks: ReadonlyArray<Assertion>): ReadonlyArray<string> => [
  ...of(checks, "failed", "error"),
  ...of(checks, "warned", "warning")
]

function of(checks: ReadonlyArray<Assertion>, outcome: Assertion["outcome"], command: string) {
  return checks
    .filter((check) => check.outcome === outcome)
    .slice(0, most)
    .map((check) => {
      const text = [check.title, ...factsOf(check).map(({ name, value }) => `${name}: ${value}`)]
      return `::${command} title=${property(check.id)}::${data(text.join("\n"))}`
    })
}

/** Escapes line breaks; otherwise a text of the partner could contain a workflow command. */
function data(text: string): string {
  return withoutDirections(text)
    .replaceAll("%", "%25")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A")
    .replace(/\p{Cc}/gu, " ")
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C")
}
