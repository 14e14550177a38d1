/** Faults of a partner behind a hub: whose objects it takes and keeps, whom it answers and addresses. */
import { isParty } from "../../partner/hubs.ts"
import { isJson, type Json } from "../../partner/objects/validity.ts"
import { type Asked, type Call, parsed } from "../../partner/wire.ts"
import { at, both, deep, header, isList, refusing, sending, writing } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

interface Party {
  readonly country: string
  readonly party: string
}

const from = ({ headers }: Asked): Partial<Party> => ({
  country: headers["ocpi-from-country-code"] ?? "",
  party: headers["ocpi-from-party-id"] ?? ""
})
const isOfSender =
  (isIt: boolean) =>
  (asked: Asked, { below: [country = "", party = ""] }: { readonly below: ReadonlyArray<string> }): boolean =>
    isParty({ country, party }, from(asked)) === isIt
const addressed =
  (to: Party) =>
  (call: Call): Call => ({
    ...call,
    headers: { ...call.headers, "OCPI-to-country-code": to.country, "OCPI-to-party-id": to.party }
  })
const isAddressed = ({ headers }: Call): boolean => headers["OCPI-to-party-id"] !== undefined

/** Addresses everything to the party that is OFFLINE. */
const toWhoIsOffline = () => {
  let gone: Party | undefined
  return {
    reads: (asked: Asked, { below, module }: { below: ReadonlyArray<string>; module: string }) => {
      const json = module === "hubclientinfo" ? parsed(asked.body) : undefined
      if (isJson(json) && json["status"] === "OFFLINE") gone = { country: below[0]!, party: below[1]! }
      return asked
    },
    sends: (call: Call) => [gone !== undefined && isAddressed(call) ? addressed(gone)(call) : call]
  }
}

/** Has one object of each id, the last one that came, whoever owns it. */
const ownersMixed = () => {
  const last = new Map<string, Json>()
  const isOwned = both(writing("GET"), deep(3))
  return {
    keeps: (json: Json) => {
      last.set(String(json["uid"] ?? json["id"]), json)
      return json
    },
    instead: (asked: Asked, where: Parameters<typeof isOwned>[1]) => {
      const kept = isOwned(asked, where) ? last.get(where.below[2]!) : undefined
      return kept === undefined ? undefined : { http: 200, code: 1000, data: kept }
    }
  }
}

/** Rows of a partner behind a hub. */
export const hubFaults: ReadonlyArray<Mutation> = withAll({ order: { part: "hub", listenSeconds: 90 } }, [
  fault("hub.offline-addressed", "HUB-004", toWhoIsOffline, {
    needs: { moreModules: true, pushes: "put", viaHub: "each" }
  }),
  fault(
    "hub.answers-itself",
    "HUB-101",
    header("OCPI-to-party-id", isList, () => "HUB")
  ),
  fault("hub.clients-refused", "HUB-102", refusing(both(writing("PUT"), isOfSender(true)))),
  fault("hub.owners-mixed", "HUB-103", ownersMixed),
  fault("hub.broadcasts-refused", "HUB-104", refusing(both(writing("PUT"), isOfSender(false)))),
  fault("hub.broadcasts-answered-to-owner", "HUB-104", () => {
    let owner = ""
    const isBroadcast = both(writing("PUT"), isOfSender(false))
    return header(
      "OCPI-to-party-id",
      (asked, where) => {
        owner = where.below[1] ?? ""
        return isBroadcast(asked, where)
      },
      () => owner
    )
  }),
  fault(
    "hub.unknown-recipient",
    "HUB-105",
    sending(isAddressed, addressed({ country: "NL", party: "ZZZ" })),
    { needs: { pushes: "put", viaHub: "each" } }
  ),
  fault("hub.client-info-refused", "HUB-003", refusing(at("hubclientinfo", "PUT")), {
    needs: { moreModules: true, toldPartiesOnly: false }
  })
])
