/** The credentials module from both sides: a stranger registers, and is registered with. */
import type { Addresses } from "../Addresses.ts"
import { hubIn } from "../hubs.ts"
import type { Identity } from "../objects/Holdings.ts"
import { flawOf, isJson, type Json } from "../objects/validity.ts"
import { type Peer, type PeerEndpoint, partiesIn } from "../Peer.ts"
import type { Caller, Peers } from "../Peers.ts"
import type { Requests } from "../Requests.ts"
import type { Self } from "../Self.ts"
import { type Asked, parsed, type Said } from "../wire.ts"
import { given, invalid, notAllowed, unreadable } from "./replies.ts"

/** What credentials have to do with. */
export interface CredentialsParts {
  readonly addresses: Addresses
  readonly peers: Peers
  readonly requests: Requests
  /** It is registered with that platform from now on. */
  readonly registered: (peer: Peer) => void
}

/** The credentials of a stranger. */
export class Credentials {
  readonly #self: Self
  readonly #parts: CredentialsParts

  constructor(self: Self, parts: CredentialsParts) {
    this.#self = self
    this.#parts = parts
  }

  /** Registers with the partner that has given it a Token A (credentials, Registration). The reason when that failed. */
  async register(versionsUrl: string, tokenA: string): Promise<string | undefined> {
    const { freedoms, version } = this.#self
    const { peers, registered, requests } = this.#parts
    const peer: Peer = {
      version,
      token: tokenA,
      issued: peers.newToken(),
      versionsUrl,
      endpoints: [],
      parties: []
    }
    const endpoints = await this.#fetchEndpoints(peer)
    if (typeof endpoints === "number") return `their versions: ${endpoints}`
    if (freedoms.needsModules && endpoints.length < 2) return "their modules are too few"
    peer.endpoints = endpoints
    const endpoint = endpoints.find(({ identifier }) => identifier === "credentials")
    if (endpoint === undefined) return "they have no credentials endpoint"
    peers.only(peer)
    const heard = await requests.ask(
      "POST",
      endpoint.url,
      peer,
      requests.ids(peer),
      this.#object(peer.issued, version)
    )
    const answer = isJson(heard.json) ? heard.json["data"] : undefined
    const flaw = flawOf("Credentials", answer, version)
    if (heard.http >= 300 || flaw !== undefined || !isJson(answer))
      return `POST credentials: ${heard.http} ${JSON.stringify(heard.json)}`
    peer.token = String(answer["token"])
    peer.parties = partiesIn(answer, version, this.#theirRole)
    peer.hub = hubIn(answer, version)
    registered(peer)
    return undefined
  }

  /** Renews its credentials at whom it is registered with (credentials, PUT Method). The reason when that failed. */
  async renew(): Promise<string | undefined> {
    const { version } = this.#self
    const { peers, requests } = this.#parts
    const peer = peers.newest
    if (peer === undefined) return "it is not registered"
    const endpoints = await this.#fetchEndpoints(peer)
    if (typeof endpoints === "number") return `their versions: ${endpoints}`
    const endpoint = endpoints.find(({ identifier }) => identifier === "credentials")
    if (endpoint === undefined) return "they have no credentials endpoint"
    const next: Peer = { ...peer, endpoints, issued: peers.newToken() }
    // Until they have answered, they may call with either token.
    peers.replace({}, next)
    const credentials = this.#object(next.issued, version)
    const heard = await requests.ask("PUT", endpoint.url, next, requests.ids(next), credentials)
    const answer = isJson(heard.json) ? heard.json["data"] : undefined
    const isTaken = heard.http < 300 && flawOf("Credentials", answer, version) === undefined && isJson(answer)
    peers.remove(isTaken ? peer : next)
    if (!isTaken) return `PUT credentials: ${heard.http} ${JSON.stringify(heard.json)}`
    next.token = String(answer["token"])
    next.parties = partiesIn(answer, version, this.#theirRole)
    next.hub = hubIn(answer, version)
    return undefined
  }

  /** The answer of its credentials endpoint of that version. */
  async answer(asked: Asked, version: Self["version"], caller: Caller): Promise<Said> {
    const { peer, tokenA } = caller
    const { freedoms } = this.#self
    const { peers, registered } = this.#parts
    if (asked.method === "GET") return given(this.#self, this.#object(peer?.issued ?? tokenA ?? "", version))
    if (!["POST", "PUT", "DELETE"].includes(asked.method)) return notAllowed
    if ((asked.method === "POST") === (peer !== undefined)) return notAllowed
    if (asked.method === "DELETE") {
      peers.remove(peer)
      return { http: 200, code: freedoms.successCode }
    }
    const body = parsed(asked.body)
    if (body === undefined) return unreadable
    const flaw = flawOf("Credentials", body, version)
    if (flaw !== undefined || !isJson(body)) return invalid(flaw ?? "the body is no object")
    const next: Peer = {
      version,
      token: String(body["token"]),
      issued: peers.newToken(),
      versionsUrl: String(body["url"]),
      endpoints: [],
      parties: partiesIn(body, version, this.#theirRole),
      hub: hubIn(body, version)
    }
    const endpoints = await this.#fetchEndpoints(next)
    if (typeof endpoints === "number")
      return { http: 200, code: endpoints, message: "your versions cannot be used" }
    if (freedoms.needsModules && endpoints.length < 2)
      return { http: 200, code: 3003, message: "your modules are too few" }
    const { keepsOld } = this.#self.bend ?? {}
    next.endpoints = keepsOld?.endpoints === true && peer !== undefined ? peer.endpoints : endpoints
    next.offered = next.token
    if (keepsOld?.token === true && peer !== undefined) next.token = peer.offered ?? peer.token
    peers.replace(caller, next)
    registered(next)
    return given(this.#self, this.#object(next.issued, version))
  }

  get #theirRole(): string {
    return this.#self.role === "CPO" ? "EMSP" : "CPO"
  }

  /** Its Credentials object of that version, with that token. */
  #object(token: string, version: Self["version"]): Json {
    const { freedoms, making, role } = this.#self
    const { parties } = making
    const business = ({ name }: Identity): Json => ({
      name,
      ...(freedoms.optionals === "none" ? {} : { website: "https://stranger.example/" })
    })
    const first = parties[0]!
    const roles: ReadonlyArray<Json> = [
      ...parties.map((one) => ({
        role,
        country_code: one.country,
        party_id: one.party,
        business_details: business(one)
      })),
      ...(freedoms.moreRoles
        ? [{ role: "NSP", country_code: "DE", party_id: "STN", business_details: { name: "Stranger NSP" } }]
        : [])
    ]
    return {
      url: this.#parts.addresses.versionsUrl,
      token,
      ...(version === "2.1.1"
        ? { country_code: first.country, party_id: first.party, business_details: business(first) }
        : { roles })
    }
  }

  /** Their endpoints of our version, or the status code that says what is wrong (status_codes, 3xxx). */
  async #fetchEndpoints(peer: Peer): Promise<ReadonlyArray<PeerEndpoint> | number> {
    const { requests } = this.#parts
    const versions = await requests.ask("GET", peer.versionsUrl, peer, requests.ids(peer))
    const list = isJson(versions.json) ? versions.json["data"] : undefined
    if (versions.http !== 200 || !Array.isArray(list)) return 3001
    const found = list.find((one) => isJson(one) && one["version"] === peer.version)
    if (found === undefined) return 3002
    const details = await requests.ask("GET", String(found["url"]), peer, requests.ids(peer))
    const data = isJson(details.json) ? details.json["data"] : undefined
    if (details.http !== 200 || !isJson(data) || !Array.isArray(data["endpoints"])) return 3001
    return data["endpoints"].filter(isJson).map((one) => ({
      identifier: String(one["identifier"]),
      role: one["role"] === undefined ? undefined : String(one["role"]),
      url: String(one["url"])
    }))
  }
}
