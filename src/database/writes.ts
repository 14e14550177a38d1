/** Does the database take writes? Its reads go on while its disk is full, and on a standby. */
import { Clock, Data, Effect, Option } from "effect"
import type pg from "pg"
import { isLoss, messageOf } from "./DatabaseDown.ts"
import { sharedFor } from "./shared.ts"

/** `ok`: it does. `refused`: it answers, with an error that is none of the others. */
export type WriteState = "ok" | "away" | "disk full" | "read-only" | "refused"

class TrialRefused extends Data.TaggedError("TrialRefused")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** A trial write at most this often, whoever asks. */
const triedEvery = "1 second"
/** A trial that takes longer is no answer. */
const patience = "2 seconds"
/** A refused write of somebody's counts for so long: what waits for space tries again each second (decision 18). */
const rememberedMillis = 2000

const refusals: Readonly<Record<string, WriteState>> = {
  "53100": "disk full",
  "25006": "read-only" // a standby, or default_transaction_read_only
}

/**
 * Hears every refusal on the connections of the pool, and makes a trial write (`probe_writes`, migration 12) when it is
 * asked: an idle process finds out as well. What changes is logged once.
 */
export const watchWrites = (pool: pg.Pool): Effect.Effect<Effect.Effect<WriteState>> => {
  const clock = Clock.make() // Postgres lives in real time, under a test's clock too
  let heard: { readonly state: WriteState; readonly at: number } | undefined
  pool.on("connect", ({ connection }) => {
    connection.on("errorMessage", ({ code }: pg.DatabaseError) => {
      const state = refusals[code ?? ""]
      if (state !== undefined) heard = { state, at: clock.unsafeCurrentTimeMillis() }
    })
  })

  let trial: Promise<unknown> | undefined
  const tried = Effect.tryPromise({
    // One that got stuck is waited for, and not joined by others.
    try: () => {
      trial ??= pool
        .query({ name: "writes-probe", text: "SELECT probe_writes()" })
        .finally(() => (trial = undefined))
      return trial
    },
    catch: (cause) => new TrialRefused({ message: messageOf(cause), cause })
  }).pipe(
    Effect.as<WriteState>("ok"),
    Effect.catchAll(({ cause, message }) => {
      const state = refusals[String((cause as { readonly code?: unknown } | null)?.code)]
      if (state !== undefined) return Effect.succeed(state)
      if (isLoss(cause)) return Effect.succeed<WriteState>("away")
      return Effect.as(Effect.logDebug(`A trial write: ${message}`), "refused" as WriteState)
    }),
    Effect.timeoutOption(patience),
    Effect.map(Option.getOrElse((): WriteState => "away"))
  )
  const current = Effect.map(tried, (state) =>
    heard !== undefined && clock.unsafeCurrentTimeMillis() - heard.at < rememberedMillis ? heard.state : state
  )

  let last: WriteState = "ok"
  const told = Effect.tap(current, (state) => {
    const before = last
    last = state
    if (before === state) return Effect.void
    return state === "ok"
      ? Effect.logInfo("The database takes writes again")
      : Effect.logWarning(`The database takes no writes: ${state}`)
  })
  return Effect.map(sharedFor(told, triedEvery), Effect.withClock(clock))
}
