/** Prints a dry run of a scenario: each stage with its actor, its requests and the faults that plugfest injects. Pure. */
import type { DryRun, PlannedStage } from "../../../schema/Scenario.ts"
import { asCommands } from "../terminal/asCommands.ts"

const actors: Readonly<Record<PlannedStage["actor"], string>> = {
  us: "plugfest",
  partner: "partner",
  operator: "you",
  clock: "time"
}

/** Why it cannot be played, if so; then a line for each stage, and the faults that are of no stage. */
export function dryRunLines({
  faults,
  reasons,
  runnable,
  stages,
  templateId
}: DryRun): ReadonlyArray<string> {
  const width = Math.max(0, ...stages.map(({ id }) => id.length))
  return [
    `${templateId}: ${runnable ? "can be played; nothing was sent" : "cannot be played"}`,
    ...reasons.map((reason) => `  ${asCommands(reason)}`),
    ...stages.map(
      (stage, index) =>
        `  ${String(index + 1).padStart(2)}  ${stage.id.padEnd(width)}  ${actors[stage.actor].padEnd(8)}  ${doneIn(stage)}`
    ),
    ...faults.map(
      ({ fault, module, times = 1 }) =>
        `  fault of ours: ${fault}, ${times === 1 ? "once" : `${times} times`}, in answers to calls of ${module ?? "any module"}`
    )
  ]
}

const doneIn = ({ dependsOn, does, faults, request, timeoutSeconds, actor }: PlannedStage): string =>
  [
    request === null ? does : `${request.method} ${request.url}`,
    ...(dependsOn === null ? [] : ["with what earlier stages bring"]),
    ...(actor === "us" ? [] : [`for at most ${timeoutSeconds} s`]),
    ...(faults.length === 0 ? [] : [`fault of ours: ${faults.join(", ")}`])
  ].join("; ")
