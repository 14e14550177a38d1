/** Being behind a hub: who it is, which parties it connects, and to whom a message goes (transport_and_format, Message Routing). */
import type { Freedoms, StrangerVersion } from "./Freedoms.ts"
import { isSame } from "./interfaces/clientOwned.ts"
import { isJson, type Json } from "./objects/validity.ts"
import type { Peer } from "./Peer.ts"

/** A party, by its country code and party id. */
export interface Address {
  readonly country: string
  readonly party: string
}

/** The party of the hub that a Credentials object is of; undefined when it is of no hub. */
export const hubIn = (credentials: Json, version: StrangerVersion): Address | undefined => {
  const named = credentials["hub_party_id"]
  if (version === "2.3.0")
    return typeof named === "string" ? { country: named.slice(0, 2), party: named.slice(2) } : undefined
  const roles = Array.isArray(credentials["roles"]) ? credentials["roles"].filter(isJson) : []
  const hub = roles.find(({ role }) => role === "HUB")
  return hub === undefined
    ? undefined
    : { country: String(hub["country_code"]), party: String(hub["party_id"]) }
}

/** Are they the same party? */
export const isParty = (one: Address, other: Partial<Address>): boolean =>
  isSame(one.country, other.country, { version: "2.2" }) && isSame(one.party, other.party, { version: "2.2" })

/** The key under which a ClientInfo is stored. */
export const clientKey = (country: string, party: string): string =>
  `hubclientinfo ${country} ${party}`.toLowerCase()

/** What a stranger knows of the parties behind a hub. */
export class HubClients {
  readonly #stored: ReadonlyMap<string, Json>
  readonly #freedoms: Freedoms
  /** Parties that have asked something through the hub. */
  #heard: ReadonlyArray<Address> = []

  constructor(stored: ReadonlyMap<string, Json>, freedoms: Freedoms) {
    this.#stored = stored
    this.#freedoms = freedoms
  }

  /** A request came, from that party. False: it is refused, as the hub has told of no such party. */
  admit(peer: Peer, from: Partial<Address>): boolean {
    const { country, party } = from
    if (peer.hub === undefined || country === undefined || party === undefined || isParty(peer.hub, from))
      return true
    const address = { country, party }
    if (!this.#heard.some((one) => isParty(one, address))) this.#heard = [...this.#heard, address]
    return !this.#isStrict || this.#isConnected(peer, address)
  }

  /** Does the hub stand for that party? */
  isOwner(peer: Peer, owner: Address): boolean {
    return !this.#isStrict || this.#isConnected(peer, owner)
  }

  /** Whom a message for all is addressed to, one after another; `open`: nobody, so that the hub decides. */
  recipients(peer: Peer): ReadonlyArray<Address | "open"> {
    const { viaHub } = this.#freedoms
    if (peer.hub === undefined) return peer.parties.slice(0, 1)
    if (viaHub === "open") return ["open"]
    const connected = [...peer.parties, ...this.#heard, ...this.#told]
      .filter((one) => !isParty(one, peer.hub!) && this.#isConnected(peer, one))
      .filter((one, index, all) => all.findIndex((other) => isParty(one, other)) === index)
    return viaHub === "broadcast" || connected.length === 0 ? [peer.hub] : connected
  }

  get #isStrict(): boolean {
    return this.#freedoms.toldPartiesOnly && this.#freedoms.moreModules
  }

  get #told(): ReadonlyArray<Address> {
    return [...this.#stored]
      .filter(([key]) => key.startsWith("hubclientinfo "))
      .map(([, json]) => ({ country: String(json["country_code"]), party: String(json["party_id"]) }))
  }

  /** As the hub says; of what it has said nothing, a party that it names in its credentials or that has asked through it is. */
  #isConnected(peer: Peer, address: Address): boolean {
    const status = this.#stored.get(clientKey(address.country, address.party))?.["status"]
    if (status !== undefined) return status === "CONNECTED"
    return peer.parties.some((one) => isParty(one, address)) || !this.#isStrict
  }
}
