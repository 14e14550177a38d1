/** A conformant partner by the OCPI text: versions, credentials, the modules of its role. */
import { Addresses } from "./Addresses.ts"
import type { Bend } from "./Bend.ts"
import { chanceOf } from "./chance.ts"
import { CardHolders } from "./charging/CardHolders.ts"
import type { ChargePoints } from "./charging/ChargePoints.ts"
import { Drivers } from "./charging/Drivers.ts"
import type { Freedoms, StrangerRole, StrangerVersion } from "./Freedoms.ts"
import { HubClients } from "./hubs.ts"
import { Credentials } from "./interfaces/Credentials.ts"
import { Receivers } from "./interfaces/Receivers.ts"
import { Router } from "./interfaces/Router.ts"
import { Senders } from "./interfaces/Senders.ts"
import { OwnObjects } from "./OwnObjects.ts"
import { owned } from "./objects/Holdings.ts"
import type { Json } from "./objects/validity.ts"
import type { Peer } from "./Peer.ts"
import { Peers } from "./Peers.ts"
import { Requests } from "./Requests.ts"
import { Routine } from "./Routine.ts"
import type { Self } from "./Self.ts"
import type { StrangerWorld } from "./StrangerWorld.ts"
import { type Asked, listening, type Style } from "./wire.ts"

/** What a stranger is made of. */
export interface StrangerOptions {
  readonly version: StrangerVersion
  readonly role: StrangerRole
  readonly freedoms: Freedoms
  readonly world: StrangerWorld
  /** Absent: it keeps every rule. */
  readonly bend?: Bend | undefined
  /**
   * People act on what it is told of: drivers of an EMSP start, reserve, unlock, and set charging profiles and preferences; at a CPO's
   * charge points the holders of the EMSP's cards show them.
   */
  readonly hasDrivers?: boolean
}

/** Starts a stranger. */
export const startStranger = async (options: StrangerOptions): Promise<Stranger> => {
  const stranger = new Stranger(options)
  await stranger.open()
  return stranger
}

/** A partner that is up. */
export class Stranger {
  readonly #self: Self
  readonly #style: Style
  readonly #addresses: Addresses
  readonly #peers: Peers
  readonly #requests: Requests
  readonly #objects: OwnObjects
  readonly #routine: Routine
  readonly #credentials: Credentials
  readonly #router: Router
  readonly #close: Array<() => void> = []

  constructor(options: StrangerOptions) {
    const self = selfOf(options)
    const { freedoms } = self
    const stored = new Map<string, Json>()
    const clients = new HubClients(stored, freedoms)
    this.#self = self
    this.#style = { freedoms, chance: chanceOf(freedoms.contents + 1), world: self.world }
    this.#addresses = new Addresses(self)
    this.#peers = new Peers(self)
    this.#requests = new Requests(self, this.#style, this.#peers, clients)
    this.#objects = new OwnObjects(self, this.#requests)
    this.#routine = new Routine(self, this.#peers, this.#requests, this.#objects)
    this.#credentials = new Credentials(self, {
      addresses: this.#addresses,
      peers: this.#peers,
      requests: this.#requests,
      registered: (peer) => this.#registered(peer)
    })
    this.#router = new Router(self, {
      addresses: this.#addresses,
      peers: this.#peers,
      clients,
      objects: this.#objects,
      credentials: this.#credentials,
      senders: new Senders(self, this.#addresses, this.#objects),
      receivers: new Receivers(self, {
        addresses: this.#addresses,
        clients,
        stored,
        operator: this.#objects.operator,
        drivers: options.role === "EMSP" && options.hasDrivers === true ? this.#drivers() : undefined,
        cardHolders:
          this.#objects.operator !== undefined && options.hasDrivers === true
            ? this.#cardHolders(this.#objects.operator.points)
            : undefined
      })
    })
  }

  /** Listens. */
  async open(): Promise<void> {
    const answers = (asked: Asked) => this.#router.answer(asked)
    const front = await listening(answers, this.#style)
    const back = this.#self.freedoms.twoPorts ? await listening(answers, this.#style) : front
    this.#addresses.open(front.url, back.url)
    for (const { server } of new Set([front, back]))
      this.#close.push(() => {
        server.close()
        server.closeAllConnections()
      })
    void this.#routine.begin()
  }

  /** From now on it does that wrong. */
  bend(bend: Bend | undefined): void {
    this.#self.bend = bend
  }

  /** Where it is found. */
  get versionsUrl(): string {
    return this.#addresses.versionsUrl
  }

  /** A new Token A. */
  invite(): string {
    return this.#peers.invite()
  }

  /** Registers with the partner that has given it a Token A (credentials, Registration). The reason when that failed. */
  register(versionsUrl: string, tokenA: string): Promise<string | undefined> {
    return this.#credentials.register(versionsUrl, tokenA)
  }

  /** Renews its credentials at whom it is registered with. The reason when that failed. */
  renew(): Promise<string | undefined> {
    return this.#credentials.renew()
  }

  /** Closes its sockets. */
  close(): void {
    this.#self.isClosed = true
    for (const close of this.#close) close()
    this.#requests.close()
  }

  #drivers(): Drivers {
    const { freedoms, making, version, world } = this.#self
    return new Drivers({
      making,
      chance: chanceOf(freedoms.contents + 3),
      sleep: world.sleep,
      tokens: () => this.#objects.tokens,
      shown: (token) => this.#objects.shown("Token", token),
      resultUrl: (module, id) => {
        const url = this.#addresses.urlOf(version, { identifier: module, role: "SENDER" })
        url.pathname = `${url.pathname.replace(/\/$/, "")}/result/${id}`
        return url.href
      },
      ask: async (side, method, module, below, query, json) => {
        if (this.#self.isClosed) return
        const owner = making.parties[0]!
        await this.#requests.toInterface(side, method, module, owner, below, () => ({ query, json }))
      }
    })
  }

  #cardHolders(points: ChargePoints): CardHolders {
    const { freedoms, world } = this.#self
    return new CardHolders({
      points,
      chance: chanceOf(freedoms.contents + 4),
      sleep: world.sleep,
      meterSeconds: freedoms.meterSeconds,
      authorize: async (token, owner, references) =>
        this.#self.isClosed
          ? undefined
          : this.#requests.toInterface(
              "SENDER",
              "POST",
              "tokens",
              owner,
              [String(token["uid"]), "authorize"],
              () => ({ query: { type: String(token["type"]) }, json: references })
            )
    })
  }

  /** It begins what it does for a platform: changes behind a hub, and charges of the past. */
  #registered(peer: Peer): void {
    const { parties, version } = peer
    if (peer.hub !== undefined) void this.#routine.tellHub(peer)
    const party = parties.find(({ role }) => role === "EMSP") ?? parties[0]!
    this.#objects.operator?.points.remember({
      ...owned(this.#self.making, { ...party, name: "" }),
      uid: "0123456789ABCD",
      type: "RFID",
      [version === "2.1.1" ? "auth_id" : "contract_id"]: `${party.country}-${party.party}-C12345678`
    })
  }
}

const selfOf = ({ bend, freedoms, role, version, world: given }: StrangerOptions): Self => {
  const { skewMillis = 0 } = bend ?? {}
  const world = { ...given, now: () => given.now() + skewMillis }
  const parties = Array.from({ length: version === "2.1.1" ? 1 : freedoms.parties }, (_, index) => ({
    country: ["DE", "NL", "FR", "BE"][index % 4]!,
    party: `ST${index}`,
    name: `Stranger ${index}`
  }))
  const making = { version, freedoms, chance: chanceOf(freedoms.contents), parties, now: world.now }
  return { version, role, freedoms, world, making, bend, isClosed: false }
}
