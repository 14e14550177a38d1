/** Verdicts at a place of ours that cannot be used: the same question while it is open, out of order, and closed. */
import { dayMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { JsonObject } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, type ProbeStep, withheld, withheldBy } from "../../model/Probe.ts"
import { noList } from "../../model/unreadList.ts"
import { idOf, ourLocations, testEvse, testLocation, uidOf } from "../locations/receiver/testLocation.ts"
import { cleanUpOf, objectRequest, stamp } from "../shared/receivers/receiverSteps.ts"
import { askedToken, authorizing } from "./authorizeProbes.ts"

/** Id of the probe. */
const verdictPlaces = "tokens.places"
const name = "verdict"

/** The states of the location, in this order. */
const states = ["open", "inoperative", "closed"] as const
type State = (typeof states)[number]

/** The location is never published, so that no driver sees it. */
const placeIn = (evidence: Evidence, state: State): JsonObject => {
  const seconds = states.indexOf(state)
  const from = Date.parse(evidence.startedAt)
  const closing = { period_begin: dateTimeOf(from - dayMillis), period_end: dateTimeOf(from + dayMillis) }
  const status = state === "inoperative" ? "INOPERATIVE" : "AVAILABLE"
  return testLocation(evidence, name, {
    evses: [{ ...testEvse(evidence, name, 1, seconds), status }],
    opening_times: {
      twentyfourseven: true,
      ...(state === "closed" ? { exceptional_closings: [closing] } : {})
    },
    last_updated: stamp(evidence, seconds)
  })
}

const put = (state: State): ProbeStep => ({
  id: `put ${state}`,
  act: (evidence) => {
    if (askedToken(evidence) === undefined) {
      const unread = noList("tokens", evidence.answered("tokens.list")[0])
      return unread === undefined ? withheld("unobservable", "no listed token is valid") : withheldBy(unread)
    }
    const body = placeIn(evidence, state)
    const undo = cleanUpOf(ourLocations, evidence, body)
    return {
      send: objectRequest(ourLocations, evidence, body, { method: "PUT", body, about: state }),
      ...(undo === undefined ? {} : { undo })
    }
  }
})

const ask = (state: State): ProbeStep => ({
  id: state,
  act: (evidence) => {
    const token = askedToken(evidence)
    const body = { location_id: idOf(evidence, name), evse_uids: [uidOf(evidence, name, 1)] }
    return token === undefined
      ? undefined
      : { send: { ...authorizing(token), body, about: `at a place that is ${state}` } }
  }
})

/** The step that calls authorize while the location is open. */
export const openVerdict = `${verdictPlaces}#open`
/** Steps that call authorize while the location is INOPERATIVE, and while it is closed. */
export const poorVerdicts: ReadonlyArray<string> = [`${verdictPlaces}#inoperative`, `${verdictPlaces}#closed`]

/** PUT of an unpublished location of ours in three states, each followed by POST authorize there. */
export const verdictPlacesProbes: ReadonlyArray<Probe> = [
  {
    id: verdictPlaces,
    after: ["tokens.list", "tokens.crawl"],
    steps: states.flatMap((state) => [put(state), ask(state)])
  }
]
