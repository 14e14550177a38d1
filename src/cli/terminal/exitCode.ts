/**
 * Exit codes: 0 done, or a server stopped by SIGTERM or Ctrl-C; 1 the partner, or the validated object, is wrong; 2 wrong
 * usage or configuration; 3 not enough to judge the partner; 4 authentication or plan; 5 the service could not be reached
 * or started; 130 a command was interrupted by Ctrl-C.
 */
import type { Teardown } from "@effect/platform/Runtime"
import { Cause, Effect, Exit } from "effect"
import type { RunReport } from "../../../schema/RunReport.ts"

/** The exit code for an error with this tag; 5 for tags that are not listed. */
export const exitCodeOf = (tag: string | undefined): number => codes[tag ?? ""] ?? 5

const codes: Readonly<Record<string, number>> = {
  SettingsInvalid: 2,
  PlansFileInvalid: 2,
  SigningKeysInvalid: 2,
  UsageError: 2,
  BackupRefused: 2,
  EncryptionKeysInvalid: 2,
  Invalid: 2,
  HttpApiDecodeError: 2,
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

/** The exit code for a verdict; a warning is 0 unless warnings count. */
export const exitCodeOfRun = (
  { verdict }: Pick<RunReport, "verdict">,
  { warningsCount = false }: { readonly warningsCount?: boolean } = {}
): number => {
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

/** Sets the code with which the process will exit. */
export const exitWith = (code: number): Effect.Effect<void> =>
  Effect.sync(() => {
    process.exitCode = code
  })

/** Exit code 0 on interruption, for commands that run until they are interrupted. */
export const untilStopped = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.onInterrupt(effect, () => exitWith(0))

/**
 * Ends the process with the code that was set; otherwise 0 for success, 130 after an interruption, and 5. What was printed
 * is handed over first: a pipe takes as much as its reader reads, and the end of the process drops the rest. An
 * interruption does not wait for a reader.
 */
export const teardown: Teardown = (exit, onExit) => {
  const cut = Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)
  const otherwise = Exit.isSuccess(exit) ? 0 : cut ? 130 : 5
  const end = () => onExit(process.exitCode === undefined ? otherwise : Number(process.exitCode))
  if (cut) end()
  else void Promise.all([process.stdout, process.stderr].map(handedOver)).then(end)
}

/** When everything written to the stream was taken, or nobody takes it any more. */
const handedOver = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.writableLength === 0 || stream.destroyed) resolve()
    else stream.write("", () => resolve())
  })
