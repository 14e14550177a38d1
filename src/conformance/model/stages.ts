/** The stages of a run: its checks by phase, and within a phase by module. */
import type { CheckMode } from "../../../schema/Suite.ts"
import { type Check, type Phase, phases } from "./Check.ts"

const phaseOfMode: Readonly<Record<CheckMode, Phase>> = {
  RO: "read",
  MUT: "write",
  OBS: "watch",
  RISK: "risk"
}

/** The phase of a check: its own, or the one that follows from its mode. */
export const phaseOf = (check: Pick<Check, "mode" | "phase">): Phase => check.phase ?? phaseOfMode[check.mode]

/** The stage of a check: its module while reading, such as `tokens`, then `tokens.write`, `tokens.watch` or `tokens.risk`. */
export const stageOf = (check: Pick<Check, "mode" | "phase" | "module">): string => {
  const phase = phaseOf(check)
  return phase === "read" ? check.module : `${check.module}.${phase}`
}

/** The stages of the checks, in the order in which they are graded. */
export const stagesOf = (
  checks: ReadonlyArray<Pick<Check, "mode" | "phase" | "module">>
): ReadonlyArray<string> => [
  ...new Set(
    phases.flatMap((phase) => {
      const stages = checks.filter((check) => phaseOf(check) === phase).map(stageOf)
      // `credentials.risk` comes last: it may end the registration.
      return phase === "risk"
        ? stages.toSorted((a, b) => Number(a === lastStage) - Number(b === lastStage))
        : stages
    })
  )
]

const lastStage = "credentials.risk"
