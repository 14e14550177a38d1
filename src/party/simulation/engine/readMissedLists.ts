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

/** Since when the party's counterpart takes no pushes; none while it takes them, and for parties that are not simulated. */
export const cutOffSince = Effect.fnUntraced(function* (party: Party) {
  if (party.kind !== "sandbox") return Option.none<string>()
  const known = yield* (yield* PartyStore).object(party.id, activityModule, "own", key)
  return Option.map(known, ({ json }) => textIn(json["since"]) ?? "")
})

/**
 * Handles the result of a push of the party. `since`: `cutOffSince` before it was sent. Does nothing for parties that are not
 * simulated.
 */
export const readMissedLists = Effect.fnUntraced(function* (
  party: Party,
  { response }: Exchange,
  since: Option.Option<string>
) {
  if (party.kind !== "sandbox") return
  const store = yield* PartyStore
  const isAway = response === null || response.httpStatus >= 500
  if (isAway && Option.isNone(since)) {
    const now = dateTimeOf(yield* Clock.currentTimeMillis)
    const json = { since: now }
    // The first of several pushes that failed at once stays.
    yield* store.replaceObject(
      party.id,
      { module: activityModule, key, side: "own", json, lastUpdated: now },
      null
    )
  }
  if (isAway || Option.isNone(since)) return
  yield* store.removeObject(party.id, activityModule, "own", key)
  if ((yield* quirksOf(party))("never catches up")) return
  yield* readLists(party, { date_from: since.value })
})
