/** Faults of a CPO that does not look whose session or reservation a command is about. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"

const base = { module: "commands", roles: cpo } as const

export const strangersFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "commands.stops-strangers-sessions",
    versions: allVersions,
    strength: "should",
    description: "Lets an EMSP stop the session of another one that is registered with it",
    caughtBy: ["CMD-027"],
    behaviour: { quirks: ["stops strangers' sessions"] }
  },
  {
    ...base,
    id: "commands.cancels-strangers-reservations",
    versions: versionsWhere(({ commands }) => commands.includes("CANCEL_RESERVATION")),
    strength: "must",
    description: "Cancels the reservations of all EMSPs that have used the same reservation_id",
    caughtBy: ["CMD-036"],
    behaviour: { quirks: ["cancels strangers' reservations"] }
  }
]
