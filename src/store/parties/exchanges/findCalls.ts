/** Which parties were called, by whichever process received the call: for wake-ups that were lost. */
import { Clock, Effect } from "effect"
import type { PartyId } from "../../../../schema/Ids.ts"
import type { Database } from "../../../database/Database.ts"

const every = "1 second"
/** A call is seen when it is committed, and dated by when it was written: seconds by which looks overlap. */
const overlapSeconds = 5

/**
 * Looks every second for calls of all parties, by one statement, and passes on each party with calls that it had not at the look before.
 * What it costs depends on how many calls there are, and not on how many wait for some. Never ends.
 */
export const findCalls = (
  { attempt }: Pick<Database["Type"], "attempt">,
  called: (id: PartyId) => void
): Effect.Effect<never> => {
  const clock = Clock.make() // between processes time is real, under a test's clock too
  // Not the time of day, which may be set back.
  const seconds = () => Number(clock.unsafeCurrentTimeNanos()) / 1e9
  let last = seconds()
  /** The newest call of each party at the last look. */
  let newest: ReadonlyMap<PartyId, number> = new Map()

  const look = Effect.gen(function* () {
    const began = seconds()
    const rows = yield* attempt<{ readonly party_id: PartyId; readonly position: number }>({
      name: "party-calls",
      text: `
        select party_id, max(position) as position from party_exchange
        where kept_at > now() - $1 * interval '1 second' and direction = 'inbound'
        group by party_id`,
      values: [began - last + overlapSeconds]
    })
    const before = newest
    last = began
    newest = new Map(rows.map(({ party_id, position }) => [party_id, position]))
    for (const [id, position] of newest) if (position > (before.get(id) ?? 0)) called(id)
  })
  return Effect.ignore(look).pipe(
    Effect.zipRight(Effect.sleep(every)),
    Effect.forever,
    Effect.withClock(clock)
  )
}
