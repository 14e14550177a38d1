/** Does the database accept writes? It still serves reads while its disk is full, and as a standby. */
import { Clock, Data, Effect, Option } from "effect"
import type pg from "pg"
import { isLoss, messageOf } from "./DatabaseDown.ts"
import { sharedFor } from "./shared.ts"

/** `ok`: it accepts writes. `refused`: it answers with an error that is none of the others. */
export type WriteState = "ok" | "away" | "disk full" | "read-only" | "refused"

class TrialRefused extends Data.TaggedError("TrialRefused")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** At most one trial write in this time, however many callers ask. */
const triedEvery = "1 second"
/** A trial that takes longer counts as `away`. */
const patience = "2 seconds"
/** How long a refused write of any caller counts: work that waits for disk space retries each second (decision 18). */
const rememberedMillis = 2000

const refusals: Readonly<Record<string, WriteState>> = {
  "53100": "disk full",
  "25006": "read-only" // a standby, or default_transaction_read_only
}

/**
 * Watches every refusal on the connections of the pool, and makes a trial write (`probe_writes`, migration 12) when
 * asked, so that an idle process learns of it as well. Changes of the state are logged once.
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
    // A trial that hangs is waited for; no second one is started beside it.
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
      ? Effect.logInfo("The database accepts writes again")
      : Effect.logWarning(`The database does not accept writes: ${state}`)
  })
  return Effect.map(sharedFor(told, triedEvery), Effect.withClock(clock))
}
