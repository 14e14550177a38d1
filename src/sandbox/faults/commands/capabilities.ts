/** Faults of a CPO whose EVSEs behave differently from the capabilities that they list. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { field, inEach, listed } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"

const base = { module: "locations", roles: cpo, strength: "should" } as const

/** Changes the capabilities of every EVSE in the list. */
const capabilities = (edit: (known: ReadonlyArray<unknown>) => ReadonlyArray<unknown>) => ({
  reply: listed(
    "locations",
    inEach(
      "evses",
      field("capabilities", (known) => (Array.isArray(known) ? edit(known) : known))
    )
  )
})

/** Faults in the capabilities that a CPO's EVSEs list for connectors and unlocking. */
export const capabilitiesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "locations.connector-not-needed",
    versions: versionsWhere(({ startSessionConnector }) => startSessionConnector),
    description: "Lists START_SESSION_CONNECTOR_REQUIRED and accepts START_SESSION without connector_id",
    caughtBy: ["CMD-017"],
    behaviour: capabilities((known) => [...known, "START_SESSION_CONNECTOR_REQUIRED"])
  },
  {
    ...base,
    id: "locations.unlocks-in-secret",
    versions: allVersions,
    description: "Unlocks connectors of EVSEs that do not list UNLOCK_CAPABLE",
    caughtBy: ["CMD-019"],
    behaviour: capabilities((known) => known.filter((one) => one !== "UNLOCK_CAPABLE"))
  }
]
