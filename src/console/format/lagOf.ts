/** How late a process of the service is, for people. */
import { duration } from "./time.ts"
import type { Tone } from "./words.ts"

/** From so many milliseconds on, requests of a process visibly wait. */
const busyMillis = 250

/** `fine` or `busy`, and by how much the process was late at most in the last seconds. Undefined where it is lost or does not say. */
export function lagOf({
  alive,
  lagMs
}: {
  readonly alive: boolean
  readonly lagMs?: number
}): { readonly state: "Fine" | "Busy"; readonly tone: Tone; readonly words: string } | undefined {
  if (!alive || lagMs === undefined) return undefined
  const isBusy = lagMs >= busyMillis
  const words =
    lagMs === 0
      ? "its work began in time in the last seconds"
      : `its work began up to ${duration(lagMs)} late in the last seconds`
  return { state: isBusy ? "Busy" : "Fine", tone: isBusy ? "warn" : "good", words }
}
