/** Runs that are open on a connection, and what is not done to the connection while there is one. */

import { Effect } from "effect"
import { Conflict } from "../../../schema/Errors.ts"
import { ConnectionId } from "../../../schema/Ids.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import { Ledger } from "../../ledger/Ledger.ts"
import type { Party } from "../../store/parties/PartyStore.ts"
import { RateLimits } from "../accounts/RateLimits.ts"
import { orUnavailable } from "../requests/unavailable.ts"

/** Runs of a connection that are looked at: open ones are among the newest. */
const newest = 100

/** What the caller can do about an open run. */
export const waitOrCancel = "wait for its end, or cancel it"

/** Those of the party's connection, newest first. */
export const makeOpenRuns = Effect.map(Ledger, (ledger) =>
  Effect.fn("services.openRuns")(function* ({ id, ownerId }: Pick<Party, "id" | "ownerId">) {
    const connectionId = ConnectionId.make(id)
    const rows = yield* ledger.list({ ownerId, connectionId, limit: newest }).pipe(orUnavailable)
    return rows.filter((row) => !isTerminal(row.snapshot.view.status))
  })
)

/**
 * Makes the change unless a run is open on the party's connection: it would suffer, and blame the partner. No run of the
 * account begins meanwhile, over all processes; so the change is to be brief.
 */
export const requireNoOpenRun = Effect.gen(function* () {
  const openRuns = yield* makeOpenRuns
  const limits = yield* RateLimits
  const refuse = (party: Pick<Party, "id" | "ownerId">) =>
    Effect.flatMap(openRuns(party), ([open]) =>
      open === undefined
        ? Effect.void
        : new Conflict({
            message: `Run ${open.facts.runId} (${open.facts.subjectId}) is open on this connection; ${waitOrCancel}`
          })
    )
  return <A, E, R>(party: Pick<Party, "id" | "ownerId">, change: Effect.Effect<A, E, R>) =>
    limits.noneMore("runs", party.ownerId, Effect.zipRight(refuse(party), change))
})
