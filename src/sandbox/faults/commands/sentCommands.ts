/**
 * Faults in requests that a partner sends of its own accord: an EMSP's commands and tokens, a CPO's requests for
 * authorization.
 */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import type { Push } from "../../../party/wire/PartnerQuirks.ts"
import { field, without } from "../edits.ts"
import { allVersions, cpo, emsp, type Fault, withRoles } from "../Fault.ts"
import { isResult } from "../pushes.ts"
import { aboutList, editData, when } from "../replies.ts"

const base = { module: "commands", versions: allVersions, roles: emsp, strength: "must" } as const
const token = { module: "tokens", versions: allVersions, roles: emsp } as const

/** Changes the body of the commands that the EMSP sends. */
const sent = (edit: (body: JsonObject) => unknown) => ({
  push: (push: Push) =>
    push.module === "commands" && !isResult(push) ? [{ ...push, body: edit(objectIn(push.body)) }] : [push]
})

/** The second EVSE of the same location; in our seed data it is not UNLOCK_CAPABLE. */
const secondEvse = field("evse_uid", (uid) => String(uid).replace(/-\d+$/, "-2"))

/** Faults in an EMSP's commands and token pushes, and in how a CPO requests and respects authorization. */
export const sentCommandsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "commands.token-in-part",
    description: "Leaves the issuer out of the tokens in its commands",
    caughtBy: ["CMD-101"],
    behaviour: sent(field("token", (value) => without("issuer")(objectIn(value))))
  },
  {
    ...base,
    id: "commands.one-url-for-all",
    strength: "should",
    description: "Gives all its commands the same response_url",
    caughtBy: ["CMD-102"],
    behaviour: sent(
      field("response_url", (url) => [...String(url).split("/").slice(0, -2), "any/result"].join("/"))
    )
  },
  {
    ...base,
    id: "commands.foreign-token",
    versions: withRoles,
    description: "Sends commands with tokens of another EMSP",
    caughtBy: ["CMD-103"],
    behaviour: sent(field("token", (value) => ({ ...objectIn(value), party_id: "OTH" })))
  },
  {
    ...base,
    id: "commands.nowhere",
    description: "Sends commands for locations that the CPO does not have",
    caughtBy: ["CMD-104"],
    behaviour: sent(field("location_id", () => "NOWHERE"))
  },
  {
    ...base,
    id: "commands.connector-alone",
    versions: versionsWhere(({ startSessionConnector }) => startSessionConnector),
    description: "Sends connector_id without evse_uid",
    caughtBy: ["CMD-105"],
    behaviour: sent((body) => without("evse_uid")({ ...body, connector_id: "1" }))
  },
  {
    ...base,
    id: "commands.stops-another-session",
    description: "Sends STOP_SESSION with a session_id that the CPO never gave",
    caughtBy: ["JRN-012"],
    behaviour: {
      push: (push) =>
        push.operation === "STOP_SESSION"
          ? [{ ...push, body: field("session_id", (id) => `${id}X`)(objectIn(push.body)) }]
          : [push]
    }
  },
  {
    ...base,
    id: "commands.any-evse",
    strength: "should",
    description: "Sends UNLOCK_CONNECTOR to EVSEs that do not list UNLOCK_CAPABLE",
    caughtBy: ["CMD-106"],
    behaviour: {
      push: (push) =>
        push.operation === "UNLOCK_CONNECTOR" ? [{ ...push, body: secondEvse(objectIn(push.body)) }] : [push]
    }
  },
  {
    ...token,
    id: "tokens.other-uid-in-body",
    strength: "must",
    description: "Pushes tokens with another uid in the body than in the URL",
    caughtBy: ["TOK-028"],
    behaviour: {
      push: (push) =>
        push.module === "tokens"
          ? [{ ...push, body: field("uid", (uid) => `${uid}X`)(objectIn(push.body)) }]
          : [push]
    }
  },
  {
    ...token,
    id: "tokens.invalid-not-listed",
    strength: "should",
    description: "Leaves invalid tokens out of its list",
    caughtBy: ["TOK-029"],
    behaviour: {
      reply: when(
        aboutList("tokens"),
        editData((data) =>
          Array.isArray(data) ? objectsIn(data).filter(({ valid }) => valid !== false) : data
        )
      )
    }
  },
  {
    ...token,
    id: "tokens.asks-without-place",
    roles: cpo,
    strength: "should",
    description: "Requests authorization without LocationReferences",
    caughtBy: ["TOK-122"],
    behaviour: { quirks: ["authorizes without a place"] }
  },
  {
    ...token,
    id: "tokens.denied-starts",
    roles: cpo,
    strength: "must",
    description: "Lets drivers charge although the EMSP denied their token",
    caughtBy: ["TOK-124", "JRN-001"],
    behaviour: { quirks: ["starts denied tokens"] }
  }
]
