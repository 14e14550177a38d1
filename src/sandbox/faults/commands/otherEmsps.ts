/** Faults of a CPO that does not check which EMSP a session or reservation belongs to. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"

const base = { module: "commands", roles: cpo } as const

/** Faults of a CPO with several registered EMSPs that lets one of them act on another's session or reservation. */
export const otherEmspsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "commands.stops-strangers-sessions",
    versions: allVersions,
    strength: "should",
    description: "Lets an EMSP stop another registered EMSP's session",
    caughtBy: ["CMD-027"],
    behaviour: { quirks: ["stops other EMSPs' sessions"] }
  },
  {
    ...base,
    id: "commands.cancels-strangers-reservations",
    versions: versionsWhere(({ commands }) => commands.includes("CANCEL_RESERVATION")),
    strength: "must",
    description: "Cancels every EMSP's reservation with the given reservation_id",
    caughtBy: ["CMD-036"],
    behaviour: { quirks: ["cancels other EMSPs' reservations"] }
  }
]
