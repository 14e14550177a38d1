/**
 * Requests to a partner behind a hub of ours: on behalf of the two parties behind the hub, and as the hub
 * (transport_and_format, Message Routing).
 */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { JsonObject } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, type ProbeStep, withheld } from "../../model/Probe.ts"
import { ourLocations, testLocation } from "../locations/receiver/testLocation.ts"
import { firstPage } from "../shared/lists.ts"
import { cleanUpOf, type OwnedObjects, objectRequest } from "../shared/receivers/receiverSteps.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { ourTokens, testToken } from "../tokens/testToken.ts"
import { firstList } from "../transport/formsProbes.ts"

/** Id of the probe that asks for a list on behalf of a party behind the hub. */
export const clientsList = "hub.list"
/** Id of the script that tells the partner of the parties behind the hub. */
const clientsTold = "hub.clients"
/** Id of the script that writes objects of the parties behind the hub. */
export const clientsWrites = "hub.writes"
/** Id of the script that reports the second party behind the hub as OFFLINE. */
export const outage = "hub.outage"
/** Id of the probe that watches the partner after that. */
export const afterOutage = "hub.after-outage"

/** How long the partner is watched after that, at most; no longer than the order listens. */
const mostSeconds = 60

type Client = Party["identity"]

const noHub = withheld(
  "not_applicable",
  "we are no hub in this connection: make one with hub: true, and run its suite hub"
)

/** The two parties behind the hub, X and Y; undefined where we are no hub. */
export const clientsOf = ({
  party
}: Pick<Evidence, "party">): { readonly x: Client; readonly y: Client } | undefined => {
  const [x, y] = party.hub?.clients ?? []
  return x === undefined || y === undefined ? undefined : { x, y }
}

/** On behalf of a party: the hub hands its request on, with its routing headers. */
const sentBy = ({ countryCode, partyId }: Client) => ({
  "OCPI-from-country-code": countryCode,
  "OCPI-from-party-id": partyId
})

/** The run as if that party were ours, so that objects are made as its own. */
const as = (evidence: Evidence, identity: Client): Evidence => ({
  ...evidence,
  party: { ...evidence.party, identity }
})

/** What a partner of that role receives of others. */
const received = ({
  party
}: Evidence): {
  readonly of: OwnedObjects
  readonly make: (evidence: Evidence, name: string) => JsonObject
} =>
  party.counterpart.role === "CPO"
    ? { of: ourTokens, make: testToken }
    : { of: ourLocations, make: testLocation }

/** The test object of a party behind the hub. `name`: the end of its id. */
export const objectOf = (evidence: Evidence, owner: Client, name: string): JsonObject =>
  received(evidence).make(as(evidence, owner), name)

/** Names of the objects; of TWIN both parties have one, with the same id. */
export const names = { own: "HUB", twin: "TWIN", broadcast: "ALL" } as const

interface Writing {
  readonly id: string
  readonly owner: "x" | "y"
  readonly name: string
  /** The hub itself sends it: a broadcast. */
  readonly isBroadcast?: true
}

/** The party behind the hub that the request comes from, as messages name it. */
const aboutOf = (owner: Writing["owner"]): string =>
  `by the ${owner === "x" ? "first" : "second"} party behind the hub`

const put = ({ id, isBroadcast, name, owner }: Writing): ProbeStep => ({
  id,
  act: (evidence) => {
    const clients = clientsOf(evidence)
    if (clients === undefined) return noHub
    const { of } = received(evidence)
    const seenAs = as(evidence, clients[owner])
    const object = objectOf(evidence, clients[owner], name)
    const headers = isBroadcast ? sentBy(evidence.party.identity) : sentBy(clients[owner])
    const undo = cleanUpOf(of, seenAs, object, { headers })
    return {
      send: objectRequest(of, seenAs, object, {
        method: "PUT",
        about: isBroadcast === true ? "broadcast by the hub" : aboutOf(owner),
        body: object,
        headers
      }),
      ...(undo === undefined ? {} : { undo })
    }
  }
})

const read = ({ id, name, owner }: Writing): ProbeStep => ({
  id,
  act: (evidence) => {
    const clients = clientsOf(evidence)
    if (clients === undefined) return noHub
    const object = objectOf(evidence, clients[owner], name)
    const headers = sentBy(clients[owner])
    return {
      send: objectRequest(received(evidence).of, as(evidence, clients[owner]), object, {
        method: "GET",
        about: aboutOf(owner),
        headers,
        // The same URL may have been read before something else was written.
        again: true
      })
    }
  }
})

const clientInfo = (evidence: Evidence, { countryCode, partyId }: Client, status: string): ProbeRequest => ({
  module: "hubclientinfo",
  interfaceRole: "RECEIVER",
  operation: "PUT clientinfo",
  method: "PUT",
  path: [countryCode, partyId],
  body: {
    country_code: countryCode,
    party_id: partyId,
    role: evidence.party.role,
    status,
    last_updated: dateTimeOf(Date.parse(evidence.startedAt))
  }
})

const isTold = ({ party }: Evidence): boolean =>
  party.counterpart.endpoints.some(
    ({ identifier, role }) => identifier === "hubclientinfo" && role !== "SENDER"
  )

/** PUT of the ClientInfo of a party behind the hub; when the run is over it is SUSPENDED. */
const tell = (id: string, owner: "x" | "y", status: string): ProbeStep => ({
  id,
  act: (evidence) => {
    const clients = clientsOf(evidence)
    if (clients === undefined) return noHub
    if (!isTold(evidence))
      return withheld("not_applicable", "the partner has no RECEIVER endpoint of hubclientinfo")
    const undo = clientInfo(evidence, clients[owner], "SUSPENDED")
    return { send: clientInfo(evidence, clients[owner], status), undo }
  }
})

/** When the partner was told that the second party is OFFLINE, in milliseconds since 1970; undefined: it was not. */
export const outageSince = (evidence: Evidence): number | undefined => {
  const told = stepOf(evidence, `${outage}#offline`)
  return told === undefined ? undefined : Date.parse(told.exchange.startedAt) + told.exchange.durationMs
}

/** Requests of the parties behind the hub and of the hub itself, and ClientInfo about them. */
export const behindHubProbes: ReadonlyArray<Probe> = [
  {
    id: clientsList,
    after: [clientsTold],
    asks: (evidence) => {
      const list = firstList(evidence)
      const clients = clientsOf(evidence)
      if (clients === undefined) return noHub
      if (list === undefined) return withheld("not_applicable", "the partner serves no list")
      return [clients.x, clients.y].map((client) => ({
        ...firstPage(list, evidence),
        operation: "list, by a party behind the hub",
        about: client.partyId,
        headers: sentBy(client)
      }))
    }
  },
  {
    id: clientsTold,
    lasting: true,
    steps: [tell("first", "x", "CONNECTED"), tell("second", "y", "CONNECTED")]
  },
  {
    id: clientsWrites,
    after: [clientsTold],
    steps: [
      put({ id: "put", owner: "x", name: names.own }),
      read({ id: "read back", owner: "x", name: names.own }),
      put({ id: "put twin", owner: "x", name: names.twin }),
      put({ id: "put other twin", owner: "y", name: names.twin }),
      read({ id: "read twin", owner: "x", name: names.twin }),
      read({ id: "read other twin", owner: "y", name: names.twin }),
      put({ id: "broadcast", owner: "x", name: names.broadcast, isBroadcast: true }),
      read({ id: "read broadcast", owner: "x", name: names.broadcast })
    ]
  },
  {
    id: outage,
    after: [clientsTold],
    behind: [clientsWrites],
    lasting: true,
    steps: [
      tell("offline", "y", "OFFLINE"),
      {
        id: "meanwhile",
        // What the run listens for by itself is over by now.
        act: (evidence) => {
          const seconds = Math.min(evidence.listenSeconds ?? 0, mostSeconds)
          return seconds === 0 || outageSince(evidence) === undefined
            ? undefined
            : { pause: seconds, instruction: "The partner may address the parties behind the hub" }
        }
      }
    ]
  },
  { id: afterOutage, source: "inbound.run", after: [outage] }
]
