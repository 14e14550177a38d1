/** Pushes a whole charge to an EMSP: the session from its first state to its last, then the CDR. */
import type { JsonObject } from "../../../findings/json.ts"
import { cdrOf } from "../../../party/simulation/chargePoint/cdr.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe } from "../../model/Probe.ts"
import { probeOf } from "../shared/receivers/receiver.ts"
import { objectSteps } from "../shared/receivers/receiverSteps.ts"
import { ourCdrs } from "./sentCdrs.ts"
import { began, ending, minutes, placeStep, testPlace, testSession, tokenProbes } from "./testCharge.ts"
import { ourSessions } from "./toldSessions.ts"

const { get, patch, put } = objectSteps(() => ourSessions)
const { post } = objectSteps(() => ourCdrs)

/** Hours of the three charging periods: together they last from the beginning of the session to its end. */
const hours = [0.25, 0.25, 0.3333]

const period = (evidence: Evidence, index: number): JsonObject => ({
  start_date_time: minutes(evidence, began + index * 15),
  dimensions: [
    { type: "ENERGY", volume: 1.5 },
    { type: "TIME", volume: hours[index] }
  ]
})

/** The charging periods up to the one with this index. */
const until = (evidence: Evidence, last: number): ReadonlyArray<JsonObject> =>
  [0, 1, 2].slice(0, last + 1).map((index) => period(evidence, index))

const first = (evidence: Evidence): JsonObject => ({
  ...testSession(evidence, "J1", { place: testPlace(evidence, "J") }),
  charging_periods: until(evidence, 0)
})

/** The session at its end, with all periods that were appended. */
export const playedSession = (evidence: Evidence): JsonObject => ({
  ...first(evidence),
  kwh: 4.5,
  ...ending(evidence),
  charging_periods: until(evidence, 2)
})

/** Where the version does not say that periods of a PATCH are added, a PATCH has all periods. */
const more =
  (minute: number, index: number) =>
  (evidence: Evidence): JsonObject => ({
    kwh: 1.5 * (index + 1),
    charging_periods:
      evidence.profile.patchAppendsPeriods === true ? [period(evidence, index)] : until(evidence, index),
    last_updated: minutes(evidence, began + minute)
  })

const cdr = (evidence: Evidence): JsonObject => ({
  ...cdrOf(evidence.party, playedSession(evidence), testPlace(evidence, "J")),
  id: `${evidence.mark}-J1`
})

const begun = put("begin", first)

/** PUT of a session, PATCHes until it is COMPLETED, GET of it, POST of its CDR. */
export const playedChargeProbes: ReadonlyArray<Probe> = [
  probeOf(
    {
      id: "charge.played",
      items: [
        placeStep("location", "J"),
        begun,
        patch("go on", first, more(30, 1)),
        patch("go further", first, more(45, 2)),
        patch("end", first, ending, { undoes: begun }),
        get("read back", first),
        post("cdr", cdr, { isCleanedUp: false })
      ]
    },
    tokenProbes
  )
]

/** The first PUT of the session. */
export const playedPut = "charge.played#begin"

/** The PATCHes of the session. */
export const playedPatches: ReadonlyArray<string> = ["go on", "go further", "end"].map(
  (id) => `charge.played#${id}`
)

/** The POST of the CDR. */
export const playedCdr = "charge.played#cdr"

/** The steps whose requests the partner has to accept. */
export const playedSteps: ReadonlyArray<string> = [playedPut, ...playedPatches, playedCdr]
