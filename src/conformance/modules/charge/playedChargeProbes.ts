/** Pushes a whole charge to an EMSP: the session from its first state to its last, then the CDR. */
import type { JsonObject } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe } from "../../model/Probe.ts"
import { probeOf } from "../shared/receivers/receiver.ts"
import { objectSteps } from "../shared/receivers/receiverSteps.ts"
import { ourCdrs } from "./sentCdrs.ts"
import {
  began,
  ending,
  minutes,
  period,
  placeStep,
  testCdr,
  testPlace,
  testSession,
  tokenProbes
} from "./testCharge.ts"
import { addPeriods, ourSessions } from "./toldSessions.ts"

const { get, patch, put } = objectSteps(() => ourSessions)
const { post } = objectSteps(() => ourCdrs)

const first = (evidence: Evidence): JsonObject => ({
  ...testSession(evidence, "J1", { place: testPlace(evidence, "J") }),
  charging_periods: [period(evidence, 0)]
})

/** The session at its end, with all periods that were appended. */
export const playedSession = (evidence: Evidence): JsonObject => ({
  ...first(evidence),
  kwh: 4.5,
  ...ending(evidence),
  charging_periods: [0, 1, 2].map((index) => period(evidence, index))
})

/** Where the version does not say that periods of a PATCH are added, a PATCH has all periods. */
const more =
  (minute: number, index: number) =>
  (evidence: Evidence): JsonObject =>
    evidence.profile.patchAppendsPeriods === true
      ? { kwh: 1.5 * (index + 1), ...addPeriods(minute, index)(evidence) }
      : {
          kwh: 1.5 * (index + 1),
          charging_periods: [0, 1, 2].slice(0, index + 1).map((one) => period(evidence, one)),
          last_updated: minutes(evidence, began + minute)
        }

const cdr = (evidence: Evidence): JsonObject => testCdr(evidence, "J1", { place: testPlace(evidence, "J") })

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

/** The PATCHes of the session. */
export const playedPatches: ReadonlyArray<string> = ["go on", "go further", "end"].map(
  (id) => `charge.played#${id}`
)

/** The steps whose requests the partner has to accept. */
export const playedSteps: ReadonlyArray<string> = ["begin", "go on", "go further", "end", "cdr"].map(
  (id) => `charge.played#${id}`
)
