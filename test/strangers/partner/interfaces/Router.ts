/** From a request to the interface that answers it: versions and details, who is let in, and the headers of every answer. */
import type { Addresses, Endpoint } from "../Addresses.ts"
import type { Where } from "../Bend.ts"
import type { StrangerVersion } from "../Freedoms.ts"
import { type Address, type HubClients, isParty } from "../hubs.ts"
import { classIn, type OwnObjects } from "../OwnObjects.ts"
import type { Caller, Peers } from "../Peers.ts"
import { answerRouting } from "../routing.ts"
import type { Self } from "../Self.ts"
import type { Asked, Said } from "../wire.ts"
import type { Credentials } from "./Credentials.ts"
import type { Receivers } from "./Receivers.ts"
import { absent, given, invalid, notAllowed, unauthorized } from "./replies.ts"
import type { Senders } from "./Senders.ts"

/** An answer, and the version by whose rules it is written. */
export interface Routed {
  readonly said: Said
  readonly version: StrangerVersion
}

/** What a router chooses among. */
export interface RouterParts {
  readonly addresses: Addresses
  readonly peers: Peers
  readonly clients: HubClients
  readonly objects: OwnObjects
  readonly credentials: Credentials
  readonly senders: Senders
  readonly receivers: Receivers
}

/** The router of a stranger. */
export class Router {
  readonly #self: Self
  readonly #parts: RouterParts

  constructor(self: Self, parts: RouterParts) {
    this.#self = self
    this.#parts = parts
  }

  /** The answer to a request; of the gateway before the service, where a bend puts one there. */
  async answer(asked: Asked): Promise<Routed> {
    const { bend, version, world } = this.#self
    const fronts = bend?.fronts
    if (fronts === undefined) return this.#answer(asked)
    const { addresses, peers } = this.#parts
    let spoken = version
    const said = await fronts(asked, {
      isKnown: peers.callerIn(asked, addresses.versions) !== undefined,
      now: world.now,
      sleep: world.sleep,
      proceed: async (through) => {
        const answered = await this.#answer(through)
        spoken = answered.version
        return answered.said
      }
    })
    return { said, version: spoken }
  }

  async #answer(arrived: Asked): Promise<Routed> {
    const { addresses, peers } = this.#parts
    const asked = this.#self.bend?.arrives?.(arrived) ?? arrived
    const path = asked.url.pathname
    const discovery: Where = {
      module: "versions",
      version: this.#self.version,
      below: [],
      isSender: true
    }
    if (path === addresses.versionsPath) {
      // A platform with several versions takes the forms of all of them, since none is agreed on yet.
      const list = addresses.versions.map((version) => ({ version, url: addresses.detailsUrl(version) }))
      return this.#told(asked, this.#discovered(asked, addresses.versions, discovery, list), discovery)
    }
    const details = addresses.versions.find((version) => path === addresses.detailsPath(version))
    if (details !== undefined) {
      const where = { ...discovery, version: details, below: ["details"] }
      const data = {
        version: details,
        endpoints: addresses.endpoints(details).map((endpoint) => ({
          identifier: endpoint.identifier,
          ...(details === "2.1.1" ? {} : { role: endpoint.role }),
          url: addresses.urlOf(details, endpoint).href
        }))
      }
      return this.#told(asked, this.#discovered(asked, [details], where, data), where)
    }
    for (const version of addresses.versions)
      for (const endpoint of addresses.endpoints(version, true)) {
        const below = addresses.below(asked.url, version, endpoint)
        if (below === undefined) continue
        const where: Where = {
          module: endpoint.identifier,
          version,
          below,
          isSender: endpoint.role === "SENDER" && this.#isOwner(endpoint)
        }
        const read = this.#self.bend?.reads?.(asked, where) ?? asked
        return this.#told(asked, await this.#atEndpoint(read, endpoint, where), where)
      }
    const isKnown = peers.callerIn(asked, addresses.versions) !== undefined
    const said = isKnown ? absent(this.#self) : unauthorized(this.#self)
    return this.#told(asked, said, { ...discovery, below: ["nowhere"] })
  }

  /** The answer of a page that only says where things are. */
  #discovered(asked: Asked, versions: ReadonlyArray<StrangerVersion>, where: Where, data: unknown): Said {
    if (this.#admitted(asked, versions, where) === undefined) return unauthorized(this.#self)
    return asked.method === "GET" ? given(this.#self, data) : notAllowed
  }

  #admitted(asked: Asked, versions: ReadonlyArray<StrangerVersion>, where: Where): Caller | undefined {
    const { peers } = this.#parts
    const caller = peers.callerIn(asked, versions)
    if (caller !== undefined || this.#self.bend?.admits?.(asked, where) !== true) return caller
    const peer = peers.newest
    return peer === undefined ? {} : { peer }
  }

  async #atEndpoint(asked: Asked, endpoint: Endpoint, where: Where): Promise<Said> {
    const { clients, credentials, objects, receivers, senders } = this.#parts
    const { below, version } = where
    const caller = this.#admitted(asked, [version], where)
    if (caller === undefined) return unauthorized(this.#self)
    const other = this.#self.bend?.instead?.(asked, where)
    if (other !== undefined) return other
    if (endpoint.identifier === "credentials")
      return below.length > 0 ? absent(this.#self) : credentials.answer(asked, version, caller)
    const { peer } = caller
    if (peer === undefined || peer.version !== version) return unauthorized(this.#self)
    objects.answered()
    const isRouted = version !== "2.1.1" && endpoint.identifier !== "hubclientinfo"
    const [from, to] = ["from", "to"].map((side) => ({
      country: asked.headers[`ocpi-${side}-country-code`],
      party: asked.headers[`ocpi-${side}-party-id`]
    })) as [Partial<Address>, Partial<Address>]
    const own = this.#self.making.parties.some((one) => isParty(one, to))
    if (isRouted && to.party !== undefined && !own) return invalid("OCPI-to names none of our parties")
    if (isRouted && !clients.admit(peer, from)) return invalid("OCPI-from names nobody that we know")
    return where.isSender && classIn(endpoint.identifier) !== undefined
      ? senders.answer(asked, version, endpoint.identifier, below)
      : receivers.answer(asked, peer, endpoint, below)
  }

  /** Is what a sender interface of that module would list its own? */
  #isOwner({ identifier }: Endpoint): boolean {
    return (this.#self.role === "CPO") === (identifier !== "tokens")
  }

  /** The answer with the headers that its version and module ask for. */
  #told(asked: Asked, answer: Said, where: Where): Routed {
    const { version } = where
    if (version === "2.1.1") return this.#bent(asked, answer, where)
    const echoed = ["X-Request-ID", "X-Correlation-ID"].flatMap((name): ReadonlyArray<[string, string]> => {
      const value = asked.headers[name.toLowerCase()]
      return value === undefined ? [] : [[name, value]]
    })
    const peer = this.#parts.peers.callerIn(asked, [version])?.peer
    const headers = {
      ...Object.fromEntries(echoed),
      ...answerRouting(this.#self, peer, where.module, asked),
      ...answer.headers
    }
    return this.#bent(asked, { ...answer, headers }, where)
  }

  #bent(asked: Asked, told: Said, where: Where): Routed {
    const { bend, freedoms } = this.#self
    const isBare = freedoms.refused === "empty" && [400, 405].includes(told.http)
    const said: Said = isBare
      ? { http: told.http, ...(told.headers === undefined ? {} : { headers: told.headers }) }
      : told
    const other = bend?.says?.(said, asked, where) ?? said
    return {
      said: bend?.wraps === undefined ? other : { ...other, wrap: bend.wraps },
      version: where.version
    }
  }
}
