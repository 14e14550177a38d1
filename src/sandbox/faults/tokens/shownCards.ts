/** Faults of a CPO at whose charge points cards are shown. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectIn } from "../../../findings/json.ts"
import type { Push } from "../../../party/wire/PartnerQuirks.ts"
import { field, inside } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"

const base = { module: "tokens", versions: allVersions, roles: cpo, strength: "must" } as const
const later = versionsWhere(({ authorizationDetails }) => authorizationDetails)

/** Changes the sessions that it tells of. */
const told = (edit: (session: JsonObject) => unknown) => ({
  push: (push: Push) => (push.module === "sessions" ? [{ ...push, body: edit(objectIn(push.body)) }] : [push])
})

export const shownCardsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "tokens.asks-for-none",
    description: "Decides about every token that it knows by its list",
    caughtBy: ["TOK-120", "JRN-001"],
    behaviour: { quirks: ["asks for no token that it knows"] }
  },
  {
    ...base,
    id: "tokens.asks-for-all",
    description: "Asks about every token, whatever its whitelist",
    caughtBy: ["TOK-121"],
    behaviour: { quirks: ["asks for every token"] }
  },
  {
    ...base,
    id: "tokens.list-before-verdict",
    versions: later,
    description: "Denies tokens that its list has as invalid, although the EMSP allows them",
    caughtBy: ["TOK-123"],
    behaviour: { quirks: ["trusts its list more"] }
  },
  {
    ...base,
    id: "tokens.offline-as-asked",
    versions: later,
    description: "Says that it has asked where it decided by its list",
    caughtBy: ["TOK-125"],
    behaviour: told(field("auth_method", (method) => (method === "WHITELIST" ? "AUTH_REQUEST" : method)))
  },
  {
    ...base,
    id: "tokens.charges-card-numbers",
    versions: later,
    strength: "should",
    description: "Writes the number of the card where the contract belongs",
    caughtBy: ["TOK-126"],
    behaviour: told((session) =>
      inside(
        "cdr_token",
        field("contract_id", () => objectIn(session["cdr_token"])["uid"])
      )(session)
    )
  }
]
