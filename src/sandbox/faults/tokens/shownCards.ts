/** Faults of a CPO when a driver presents a card at a charge point. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectIn } from "../../../findings/json.ts"
import type { Push } from "../../../party/wire/PartnerQuirks.ts"
import { field, inside } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"

const base = { module: "tokens", versions: allVersions, roles: cpo, strength: "must" } as const
const later = versionsWhere(({ authorizationDetails }) => authorizationDetails)

/** Changes the sessions that the CPO pushes. */
const told = (edit: (session: JsonObject) => unknown) => ({
  push: (push: Push) => (push.module === "sessions" ? [{ ...push, body: edit(objectIn(push.body)) }] : [push])
})

/** Faults in how a CPO authorizes presented cards by whitelist or request, and in how its sessions report it. */
export const shownCardsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "tokens.asks-for-none",
    description: "Decides on every known token by its list, whatever the whitelist says",
    caughtBy: ["TOK-120", "JRN-001"],
    behaviour: { quirks: ["asks for no token that it knows"] }
  },
  {
    ...base,
    id: "tokens.asks-for-all",
    description: "Requests authorization for every token, whatever the whitelist says",
    caughtBy: ["TOK-121"],
    behaviour: { quirks: ["asks for every token"] }
  },
  {
    ...base,
    id: "tokens.list-before-verdict",
    versions: later,
    description: "Denies tokens that are invalid in its list although the EMSP allows them",
    caughtBy: ["TOK-123"],
    behaviour: { quirks: ["trusts its list more"] }
  },
  {
    ...base,
    id: "tokens.offline-as-asked",
    versions: later,
    description: "Writes auth_method AUTH_REQUEST where it decided by its list",
    caughtBy: ["TOK-125"],
    behaviour: told(field("auth_method", (method) => (method === "WHITELIST" ? "AUTH_REQUEST" : method)))
  },
  {
    ...base,
    id: "tokens.charges-card-numbers",
    versions: later,
    strength: "should",
    description: "Writes the token's uid into contract_id",
    caughtBy: ["TOK-126"],
    behaviour: told((session) =>
      inside(
        "cdr_token",
        field("contract_id", () => objectIn(session["cdr_token"])["uid"])
      )(session)
    )
  }
]
