/** Faults in the types of fields, in the objects of every list. */
import type { JsonObject } from "../../../findings/json.ts"
import { eitherField, field } from "../edits.ts"
import { allVersions, bothRoles, type Fault } from "../Fault.ts"
import { editObjects, answeredLists as lists } from "../replies.ts"

const base = { module: "transport", versions: allVersions, roles: bothRoles, strength: "must" } as const

const inLists = (edit: (object: JsonObject) => JsonObject) => ({ reply: lists(editObjects(edit)) })

/** Faults in dates, strings, numbers, booleans and required fields of listed objects (types). */
export const fieldsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "transport.local-time",
    description: "Writes last_updated in local time with its offset",
    caughtBy: ["TRANS-045"],
    behaviour: inLists(field("last_updated", (value) => String(value).replace(/Z?$/, "+02:00")))
  },
  {
    ...base,
    id: "transport.line-breaks",
    description: "Writes a line break into names and issuers",
    caughtBy: ["TRANS-046"],
    behaviour: inLists(eitherField(["name", "issuer"], (value) => `${String(value)}\n`))
  },
  {
    ...base,
    id: "transport.numbers-as-text",
    description: "Writes amounts and booleans as texts",
    caughtBy: ["TRANS-047"],
    behaviour: inLists(eitherField(["kwh", "total_energy", "valid"], String))
  },
  {
    ...base,
    id: "transport.required-left-out",
    description: "Leaves last_updated out",
    caughtBy: ["TRANS-048"],
    behaviour: inLists(({ last_updated: _, ...object }) => object)
  }
]
