/** A whole charge, as an EMSP is told of it: the session from its first state to its last, then the CDR. */
import type { Json } from "../../model/answers.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe, ProbeStep } from "../../model/Probe.ts"
import { sending } from "../cdrs/cdrWritesProbes.ts"
import { addPeriods, get, patch, placeStep, put } from "../sessions/sessionWritesProbes.ts"
import { began, ending, minutes, period, testCdr, testPlace, testSession, tokenProbes } from "./testCharge.ts"

const first = (evidence: Evidence): Json => ({
  ...testSession(evidence, "J1", { place: testPlace(evidence, "J") }),
  charging_periods: [period(evidence, 0)]
})

/** The session at its end, with all periods that were appended. */
export const playedSession = (evidence: Evidence): Json => ({
  ...first(evidence),
  kwh: 4.5,
  ...ending(evidence),
  charging_periods: [0, 1, 2].map((index) => period(evidence, index))
})

/** In a version that does not say that they are added, a PATCH has all periods. */
const more =
  (minute: number, index: number) =>
  (evidence: Evidence): Json =>
    evidence.profile.patchAppendsPeriods === true
      ? { kwh: 1.5 * (index + 1), ...addPeriods(minute, index)(evidence) }
      : {
          kwh: 1.5 * (index + 1),
          charging_periods: [0, 1, 2].slice(0, index + 1).map((one) => period(evidence, one)),
          last_updated: minutes(evidence, began + minute)
        }

const cdr: ProbeStep = {
  id: "cdr",
  act: (evidence) => ({ send: sending(testCdr(evidence, "J1", { place: testPlace(evidence, "J") }), "cdr") })
}

export const playedChargeProbes: ReadonlyArray<Probe> = [
  {
    id: "charge.played",
    after: tokenProbes,
    steps: [
      placeStep("location", "J"),
      put("begin", first),
      patch("go on", first, more(30, 1)),
      patch("go further", first, more(45, 2)),
      patch("end", first, ending, { undoes: "begin" }),
      get("read back", first),
      cdr
    ]
  }
]

/** What the partner has to take. */
export const playedSteps: ReadonlyArray<string> = ["begin", "go on", "go further", "end", "cdr"].map(
  (id) => `charge.played#${id}`
)
