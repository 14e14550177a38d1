/** Faults of a partner behind a hub: whose objects it takes and keeps, and whom it answers and addresses. */
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { sameId } from "../../findings/json.ts"
import type { OcpiRequest } from "../../party/wire/Request.ts"
import { isFunctional } from "../../party/wire/routing.ts"
import { bothRoles, cpo, type Fault } from "./Fault.ts"
import { aboutLists, editEnvelope, when, withHeader } from "./replies.ts"

const base = {
  module: "hubclientinfo",
  versions: versionsWhere(({ hub }) => hub !== "none"),
  roles: bothRoles,
  strength: "must"
} as const

const refusal = editEnvelope(({ data: _, ...envelope }) => ({ ...envelope, status_code: 2001 }))

/** Is it a PUT of an object that belongs to the party in OCPI-from, or to another one? */
const isOfSender =
  (isIt: boolean) =>
  ({ headers, method, path }: OcpiRequest): boolean =>
    method === "PUT" &&
    ["tokens", "locations"].includes(path[1] ?? "") &&
    sameId(path[3], headers["ocpi-from-party-id"]) === isIt

/** The header of the receiver, with another value. */
const addressed = (to: (partyId: string) => string) => ({
  call: <C extends { readonly module: string; readonly headers?: Readonly<Record<string, string>> }>(
    call: C
  ): C => {
    const found = Object.entries(call.headers ?? {}).find(([name]) => /^ocpi-to-party-id$/i.test(name))
    return found === undefined || !isFunctional(call.module)
      ? call
      : { ...call, headers: { ...call.headers, [found[0]]: to(found[1]) } }
  }
})

/** Faults of a partner behind a hub (transport_and_format, Message Routing; mod_hub_client_info). */
export const behindHubFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "hubclientinfo.offline-ignored",
    // A sandbox EMSP sends nothing by itself once its tokens are told.
    roles: cpo,
    strength: "should",
    description: "Addresses all that it sends to a party that the hub has reported as OFFLINE",
    caughtBy: ["HUB-004"],
    behaviour: addressed((partyId) => `${partyId.slice(0, -1)}Y`)
  },
  {
    ...base,
    id: "hubclientinfo.answers-itself",
    description: "Answers lists with its own party as the receiver of the answer",
    caughtBy: ["HUB-101"],
    behaviour: {
      reply: when(aboutLists, (request, reply) =>
        withHeader(reply, "OCPI-to-party-id", request.headers["ocpi-to-party-id"])
      )
    }
  },
  {
    ...base,
    id: "hubclientinfo.clients-refused",
    description: "Refuses the objects of parties that have not registered themselves",
    caughtBy: ["HUB-102"],
    behaviour: { reply: when(isOfSender(true), refusal) }
  },
  {
    ...base,
    id: "hubclientinfo.owners-mixed",
    description: "Keeps one object of each id, whichever party it belongs to",
    caughtBy: ["HUB-103"],
    behaviour: { quirks: ["keeps one object of each id"] }
  },
  {
    ...base,
    id: "hubclientinfo.broadcasts-refused",
    description: "Refuses an object whose owner is not the party that sends it",
    caughtBy: ["HUB-104"],
    behaviour: { reply: when(isOfSender(false), refusal) }
  },
  {
    ...base,
    id: "hubclientinfo.unknown-recipient",
    description: "Addresses all that it sends to a party that nobody is",
    caughtBy: ["HUB-105"],
    behaviour: addressed(() => "ZZZ")
  }
]
