/** Unlocking connectors at a CPO (mod_commands): two commands that are open at the same time. */

import type { Evidence } from "../../model/Evidence.ts"
import type { Probe, ProbeStep } from "../../model/Probe.ts"
import { resultOfStep } from "../shared/commandLegs.ts"
import { recentSessions } from "./commandSessions.ts"
import { atTarget, command, evseOf, targetFor, targetProbes, withoutTarget } from "./commandTargets.ts"

/** Id of the probe. */
export const unlock = "commands.unlock"

/** The EVSE whose connector is unlocked. */
export const unlockTarget = (evidence: Evidence) => targetFor(evidence, "unlocking")

const send = (id: string): ProbeStep => ({
  id,
  act: (evidence) => {
    const place = unlockTarget(evidence)
    return place === undefined
      ? withoutTarget(evidence, "UNLOCK_CAPABLE")
      : { send: command("UNLOCK_CONNECTOR", { ...evseOf(place), connector_id: place.connectorId }) }
  }
})

/** UNLOCK_CONNECTOR twice, the second before the result of the first, then GET sessions. */
export const unlockProbes: ReadonlyArray<Probe> = [
  {
    id: unlock,
    after: targetProbes,
    ...atTarget("unlocking"),
    steps: [
      send("first"),
      send("second"),
      resultOfStep(unlock, "first"),
      resultOfStep(unlock, "second"),
      { id: "sessions", act: (evidence) => ({ send: recentSessions(evidence) }) }
    ]
  }
]
