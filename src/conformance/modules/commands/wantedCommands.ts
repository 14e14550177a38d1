/** The steps that send a command which the partner is to carry out, in all scripts of commands. */
import { resultStep } from "../shared/commandLegs.ts"
import { started } from "./commandBase.ts"
import { card, start } from "./remoteStartsProbes.ts"
import { expire, reserve } from "./reservations/reservingProbes.ts"
import { unlock } from "./unlockingProbes.ts"

const stopped = `${start}#stop`

/** Both commands of the script that starts and stops a session, with their results. */
export const startAndStop = [started, resultStep(started), stopped, resultStep(stopped)]

/** Every command that a script has for the partner to carry out, of all kinds. */
export const wanted = [
  started,
  stopped,
  ...["start", "stop", "stop otherwise"].map((id) => `${card}#${id}`),
  ...["first", "second"].map((id) => `${unlock}#${id}`),
  ...["reserve", "again", "cancel"].map((id) => `${reserve}#${id}`),
  `${expire}#reserve`
]

/** `sends` of the checks that judge them, in words. */
export const wantedSends =
  "START_SESSION and STOP_SESSION; where the run has them, UNLOCK_CONNECTOR, RESERVE_NOW and CANCEL_RESERVATION"

/** Those of other scripts, with their results: judged with the first ones where the run has them. */
export const othersWanted = wanted
  .flatMap((step) => [step, resultStep(step)])
  .filter((step) => !startAndStop.includes(step))
