/**
 * How the process ends: 0 done, or stopped in good order by SIGTERM or Ctrl-C; 1 the partner, or the validated object, is
 * wrong; 2 usage or configuration; 3 nobody can judge the partner by this; 4 authentication or plan; 5 the service could
 * not be reached or started; 130 a command was cut off by Ctrl-C before its end.
 */
import type { Teardown } from "@effect/platform/Runtime"
import { Cause, Effect, Exit } from "effect"
import type { RunReport } from "../../schema/RunReport.ts"

/** The code for a failure with this tag; 5 for any that is not named. */
export const exitCodeOf = (tag: string | undefined): number => codes[tag ?? ""] ?? 5

const codes: Readonly<Record<string, number>> = {
  SettingsInvalid: 2,
  PlansFileInvalid: 2,
  SigningKeysInvalid: 2,
  UsageError: 2,
  Invalid: 2,
  NotFound: 2,
  Conflict: 2,
  Unsupported: 2,
  PartnerWrong: 1,
  DemoFailed: 1,
  CannotJudge: 3,
  Unauthorized: 4,
  Forbidden: 4,
  PlanRequired: 4,
  TooMany: 4
}

/** A graded run; a warning is a pass unless it is to count. */
export const exitCodeOfRun = ({ verdict }: Pick<RunReport, "verdict">, warningsCount = false): number => {
  switch (verdict) {
    case "pass":
      return 0
    case "warn":
      return warningsCount ? 1 : 0
    case "fail":
      return 1
    default:
      return 3
  }
}

/** Lets the process end with this code. */
export const exitWith = (code: number): Effect.Effect<void> =>
  Effect.sync(() => {
    process.exitCode = code
  })

/** For what runs until it is told to stop: being told is its proper end, so the code is 0. */
export const untilStopped = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.onInterrupt(effect, () => exitWith(0))

/** The code that was set; else 0 for success and 130 for a command that was cut off. A second signal ends at once. */
export const teardown: Teardown = (exit, onExit) => {
  const cut = Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)
  const otherwise = Exit.isSuccess(exit) ? 0 : cut ? 130 : 5
  onExit(process.exitCode === undefined ? otherwise : Number(process.exitCode))
}
