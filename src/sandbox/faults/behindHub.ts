/** Faults of a partner behind a hub (owners of its objects, routing headers), and of a partner that is a hub (its list of parties). */
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectsIn, sameId } from "../../findings/json.ts"
import type { OcpiReply, OcpiRequest } from "../../party/wire/Request.ts"
import { isFunctional } from "../../party/wire/routing.ts"
import { bothRoles, cpo, type Fault } from "./Fault.ts"
import { aboutDetails, aboutList, aboutLists, editData, editEnvelope, when, withHeader } from "./replies.ts"

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

/** Announces the list of a hub, and answers it with this. */
const servesClients = (page: (request: OcpiRequest) => Partial<OcpiReply> & { readonly data: unknown }) => ({
  reply: (request: OcpiRequest, reply: OcpiReply): OcpiReply => {
    const announced = when(
      aboutDetails,
      editData((data) => {
        if (!isObject(data)) return data
        const endpoints = objectsIn(data["endpoints"])
        const receiver = endpoints.find(({ identifier }) => identifier === "hubclientinfo")
        return { ...data, endpoints: [...endpoints, { ...receiver, role: "SENDER" }] }
      })
    )(request, reply)
    return when(aboutList("hubclientinfo"), () => {
      const { data, headers } = page(request)
      const envelope = { data, status_code: 1000, timestamp: `${request.receivedAt.slice(0, 19)}Z` }
      const counted = { "x-total-count": "1", "x-limit": "50", ...headers }
      return {
        ...withHeader(reply, "Content-Type", "application/json"),
        headers: { ...reply.headers, "content-type": "application/json", ...counted },
        httpStatus: 200,
        body: JSON.stringify(envelope)
      }
    })(request, announced)
  }
})

const client: JsonObject = {
  country_code: "NL",
  party_id: "CLI",
  role: "EMSP",
  status: "CONNECTED",
  last_updated: "2026-01-01T00:00:00Z"
}
/** Those of the list that the dates of the request let through. */
const dated = (request: OcpiRequest, clients: ReadonlyArray<JsonObject>) =>
  request.query.has("date_from") || request.query.has("date_to") ? [] : clients

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
  },
  {
    ...base,
    id: "hubclientinfo.status-unknown",
    description: "Lists a connected party with a status that is no ConnectionStatus",
    caughtBy: ["HUB-001"],
    behaviour: servesClients((request) => ({ data: dated(request, [{ ...client, status: "Online" }]) }))
  },
  {
    ...base,
    id: "hubclientinfo.client-twice",
    strength: "should",
    description: "Lists a connected party twice",
    caughtBy: ["HUB-002"],
    behaviour: servesClients((request) => ({
      data: dated(request, [client, { ...client, status: "OFFLINE" }]),
      headers: { "x-total-count": "2" }
    }))
  },
  {
    ...base,
    id: "hubclientinfo.pages-uncounted",
    description: "Serves the list of connected parties without X-Total-Count",
    caughtBy: ["HUB-106"],
    behaviour: servesClients((request) => ({
      data: dated(request, [client]),
      headers: { "x-total-count": "" }
    }))
  },
  {
    ...base,
    id: "hubclientinfo.dates-ignored",
    description: "Serves all connected parties, whatever dates are asked for",
    caughtBy: ["HUB-107"],
    behaviour: servesClients(() => ({ data: [client] }))
  }
]
