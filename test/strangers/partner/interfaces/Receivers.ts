/** Receiver interfaces: commands, charging profiles, payments, client info, and the objects that a stranger stores for its partner. */
import type { Addresses, Endpoint } from "../Addresses.ts"
import type { CardHolders } from "../charging/CardHolders.ts"
import type { Drivers } from "../charging/Drivers.ts"
import type { Operator } from "../charging/Operator.ts"
import { clientKey, type HubClients, isParty } from "../hubs.ts"
import { flawOf, isJson, type Json } from "../objects/validity.ts"
import type { Peer } from "../Peer.ts"
import type { Self } from "../Self.ts"
import { type Asked, parsed, type Said } from "../wire.ts"
import { isSame, receive, receiveCdr, type Shelf } from "./clientOwned.ts"
import { receivePayment } from "./payments.ts"
import { absent, given, invalid, notAllowed, unreadable } from "./replies.ts"

/** What the receivers of a stranger work with. */
export interface ReceiverParts {
  readonly addresses: Addresses
  readonly clients: HubClients
  /** What partners have sent: by module, country code, party id and id. */
  readonly stored: Map<string, Json>
  /** Of a CPO. */
  readonly operator: Operator | undefined
  /** Of an EMSP that has them. */
  readonly drivers: Drivers | undefined
  /** Of a CPO to whose charge points they come. */
  readonly cardHolders: CardHolders | undefined
}

/** The receiver interfaces of a stranger. */
export class Receivers {
  readonly #self: Self
  readonly #parts: ReceiverParts

  constructor(self: Self, parts: ReceiverParts) {
    this.#self = self
    this.#parts = parts
  }

  /** The answer to a request of that platform; `below`: the segments after the endpoint. */
  answer(asked: Asked, peer: Peer, endpoint: Endpoint, below: ReadonlyArray<string>): Said {
    const { identifier } = endpoint
    const { addresses, cardHolders, drivers } = this.#parts
    const where = { module: identifier, version: peer.version, below, isSender: false }
    const lets = this.#self.bend?.lets?.(asked, where) === true
    const shelf = { ...this.#shelf(peer), lets }
    if (identifier === "cdrs") return receiveCdr(below, addresses.urlOf(peer.version, endpoint), asked, shelf)
    if (identifier === "commands") {
      const said = this.#command(asked, below)
      if (lets) this.#parts.operator?.commands.startAnyway(said, parsed(asked.body))
      return said
    }
    if (identifier === "chargingprofiles") {
      const said = this.#chargingProfile(asked, peer, below)
      if (lets) this.#parts.operator?.profiles.setAnyway(below[0] ?? "", parsed(asked.body))
      return said
    }
    if (identifier === "payments") return receivePayment(below, asked, shelf)
    if (identifier === "hubclientinfo") return this.#clientInfo(asked, below, shelf)
    const said = receive(identifier, below, asked, shelf)
    if (asked.method === "PUT" && said.http < 300 && (said.code ?? 2000) < 2000 && below.length === 3) {
      drivers?.told(identifier, parsed(asked.body))
      if (identifier === "tokens") cardHolders?.told(parsed(asked.body))
    }
    return said
  }

  #command(asked: Asked, below: ReadonlyArray<string>): Said {
    const { drivers, operator } = this.#parts
    const [name, id] = below
    if (name === undefined || below.length > (drivers === undefined ? 1 : 2)) return absent(this.#self)
    if (asked.method !== "POST") return notAllowed
    const body = parsed(asked.body)
    if (body === undefined) return unreadable
    if (drivers !== undefined) return drivers.result(id, body)
    return operator?.commands.answer(name, body) ?? absent(this.#self)
  }

  #chargingProfile(asked: Asked, { version }: Peer, below: ReadonlyArray<string>): Said {
    const { drivers, operator } = this.#parts
    const [session, id] = below
    if (drivers !== undefined && session === "result" && asked.method === "POST") {
      const body = parsed(asked.body)
      return body === undefined ? unreadable : drivers.profileResult(id, body)
    }
    if (session === undefined || below.length > 1) return absent(this.#self)
    const methods = operator === undefined ? ["PUT"] : ["GET", "PUT", "DELETE"]
    if (!methods.includes(asked.method)) return notAllowed
    const body = asked.method === "PUT" ? parsed(asked.body) : undefined
    if (asked.method === "PUT" && body === undefined) return unreadable
    if (operator !== undefined)
      return operator.profiles.answer(asked.method, session, asked.url.searchParams, body)
    const flaw = flawOf("ActiveChargingProfile", body, version)
    return flaw === undefined ? { http: 200, code: this.#self.freedoms.successCode } : invalid(flaw)
  }

  #clientInfo(asked: Asked, below: ReadonlyArray<string>, shelf: Shelf): Said {
    const key = clientKey(below[0] ?? "", below[1] ?? "")
    if (asked.method === "GET") {
      const stored = shelf.objects.get(key)
      return stored === undefined ? absent(this.#self) : given(this.#self, stored)
    }
    if (asked.method !== "PUT") return notAllowed
    const body = parsed(asked.body)
    if (body === undefined) return unreadable
    if (below.length !== 2) return absent(this.#self)
    const flaw = flawOf("ClientInfo", body, shelf.version)
    if (flaw !== undefined) return invalid(flaw)
    const isNew = !shelf.objects.has(key)
    shelf.objects.set(key, body as Json)
    return { http: isNew ? this.#self.freedoms.created : 200, code: this.#self.freedoms.successCode }
  }

  #shelf(peer: Peer): Omit<Shelf, "lets"> {
    const { version } = peer
    const { freedoms, making } = this.#self
    const { clients, stored } = this.#parts
    return {
      version,
      freedoms,
      objects: stored,
      keeps: this.#self.bend?.keeps ?? ((json) => json),
      isOwner: (owner) =>
        peer.hub === undefined
          ? peer.parties.some((one) => isParty(one, owner))
          : clients.isOwner(peer, owner),
      isOurs: (json) => {
        const token = json["cdr_token"]
        if (version === "2.1.1" || version === "2.2" || !isJson(token)) return true
        return making.parties.some(
          ({ country, party }) =>
            isSame(country, token["country_code"], making) && isSame(party, token["party_id"], making)
        )
      }
    }
  }
}
