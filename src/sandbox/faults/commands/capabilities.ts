/** Faults of a CPO whose EVSEs do not do what their capabilities say. */
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

export const capabilitiesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "locations.connector-not-needed",
    versions: versionsWhere(({ startSessionConnector }) => startSessionConnector),
    description: "Says that its EVSEs need a connector_id, and starts without one",
    caughtBy: ["CMD-017"],
    behaviour: capabilities((known) => [...known, "START_SESSION_CONNECTOR_REQUIRED"])
  },
  {
    ...base,
    id: "locations.unlocks-in-secret",
    versions: allVersions,
    description: "Does not say that its connectors can be unlocked, and unlocks them",
    caughtBy: ["CMD-019"],
    behaviour: capabilities((known) => known.filter((one) => one !== "UNLOCK_CAPABLE"))
  }
]
