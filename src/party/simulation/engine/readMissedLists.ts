/** A simulated party that could not reach its counterpart reads what it has missed as soon as it can reach it again. */
import { Clock, Effect, Option } from "effect"
import type { Exchange } from "../../../../schema/Exchange.ts"
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { quirksOf } from "../../wire/PartnerQuirks.ts"
import { activityModule } from "./activity.ts"
import { readLists } from "./readLists.ts"

/** Stored from the first push that the counterpart failed to take until the next one that it takes. */
const key = "cut-off"

/** Handles the result of the party's last push, `exchange`. Does nothing for parties that are not simulated. */
export const readMissedLists = Effect.fnUntraced(function* (party: Party, { response }: Exchange) {
  if (party.kind !== "sandbox") return
  const store = yield* PartyStore
  const since = yield* store.object(party.id, activityModule, "own", key)
  const isAway = response === null || response.httpStatus >= 500
  if (isAway && Option.isNone(since)) {
    const now = dateTimeOf(yield* Clock.currentTimeMillis)
    yield* store.putObject(party.id, {
      module: activityModule,
      key,
      side: "own",
      json: { since: now },
      lastUpdated: now
    })
  }
  if (isAway || Option.isNone(since)) return
  yield* store.removeObject(party.id, activityModule, "own", key)
  if ((yield* quirksOf(party))("never catches up")) return
  yield* readLists(party, { date_from: textIn(since.value.json["since"]) ?? "" })
})
