/**
 * How the process ends: 0 done, or stopped in good order by SIGTERM or Ctrl-C; 1 the partner, or the validated object, is
 * wrong; 2 usage or configuration; 5 the service could not be reached or started; 130 a command was cut off by Ctrl-C
 * before its end.
 */
import type { Teardown } from "@effect/platform/Runtime"
import { Cause, Effect, Exit } from "effect"

/** The code for a failure with this tag; 5 for any that is not named. */
export const exitCodeOf = (tag: string | undefined): number => codes[tag ?? ""] ?? 5

const codes: Readonly<Record<string, number>> = {
  SettingsInvalid: 2,
  PlansFileInvalid: 2,
  UsageError: 2,
  DemoFailed: 1
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
