/** A conformant partner by the OCPI text: versions, credentials, the modules of its role. */
import type { Agent } from "node:http"
import type { Bend, Where } from "./Bend.ts"
import { type Chance, chanceOf } from "./chance.ts"
import { Drivers } from "./Drivers.ts"
import { type Freedoms, type StrangerRole, type StrangerVersion, strangerVersions } from "./Freedoms.ts"
import { type Address, clientKey, HubClients, hubIn, isParty } from "./hubs.ts"
import {
  absent,
  invalid,
  isSame,
  notAllowed,
  receive,
  receiveCdr,
  type Shelf,
  unreadable
} from "./interfaces/clientOwned.ts"
import { pageOf } from "./interfaces/lists.ts"
import { Operator } from "./Operator.ts"
import { tokenOf } from "./objects/cards.ts"
import { dressed, stamp } from "./objects/dress.ts"
import { type Identity, type Making, owned } from "./objects/Holdings.ts"
import { flawOf, isJson, type Json } from "./objects/validity.ts"
import { authorization, type Peer, type PeerEndpoint, partiesIn, tokenIn } from "./Peer.ts"
import type { StrangerWorld } from "./StrangerWorld.ts"
import {
  type Asked,
  agentOf,
  type Call,
  calling,
  type Heard,
  listening,
  parsed,
  type Said,
  type Style
} from "./wire.ts"

type Interface = "SENDER" | "RECEIVER"
interface Endpoint {
  readonly identifier: string
  readonly role: Interface
}

const modulesOf: Readonly<Record<StrangerRole, ReadonlyArray<readonly [string, Interface, since22?: true]>>> =
  {
    CPO: [
      ["locations", "SENDER"],
      ["sessions", "SENDER"],
      ["cdrs", "SENDER"],
      ["tariffs", "SENDER"],
      ["tokens", "RECEIVER"],
      ["commands", "RECEIVER"],
      ["chargingprofiles", "RECEIVER", true]
    ],
    EMSP: [
      ["locations", "RECEIVER"],
      ["sessions", "RECEIVER"],
      ["cdrs", "RECEIVER"],
      ["tariffs", "RECEIVER"],
      ["tokens", "SENDER"],
      ["commands", "SENDER"],
      ["chargingprofiles", "SENDER", true]
    ]
  }

const classOfList: Readonly<Record<string, string>> = {
  locations: "Location",
  sessions: "Session",
  cdrs: "CDR",
  tariffs: "Tariff",
  tokens: "Token"
}

const isUnlisted = (version: StrangerVersion, role: StrangerRole, identifier: string) =>
  version === "2.1.1" && role === "EMSP" && identifier === "commands"

const alphabets = {
  uuid: "0123456789abcdef-",
  letters: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  // Printable and no white space (credentials, Credentials object).
  all: Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join("")
}

/** What a stranger is made of. */
export interface StrangerOptions {
  readonly version: StrangerVersion
  readonly role: StrangerRole
  readonly freedoms: Freedoms
  readonly world: StrangerWorld
  /** Absent: it keeps every rule. */
  readonly bend?: Bend | undefined
  /** Drivers of the EMSP act on what it is told of: they start, reserve, unlock, and set charging profiles. */
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
  readonly #options: StrangerOptions
  readonly #chance: Chance
  readonly #style: Style
  readonly #agent: Agent
  readonly #making: Making
  readonly #operator: Operator | undefined
  readonly #drivers: Drivers | undefined
  readonly #tokens: Array<Json> = []
  readonly #stored = new Map<string, Json>()
  readonly #clients: HubClients
  readonly #close: Array<() => void> = []
  /** Token As that nobody has used up. */
  readonly #invited = new Set<string>()
  #peers: Array<Peer> = []
  /** What it does wrong from now on. */
  #bend: Bend | undefined
  #front = ""
  #back = ""
  #answers = 0
  #isClosed = false
  /** Who has ended the registration last, for a stranger that calls on all the same. */
  #left: Peer | undefined

  constructor(given: StrangerOptions) {
    const { skewMillis = 0 } = given.bend ?? {}
    const world = { ...given.world, now: () => given.world.now() + skewMillis }
    this.#options = { ...given, world }
    const { freedoms, role, version } = given
    this.#bend = given.bend
    this.#chance = chanceOf(freedoms.contents)
    this.#style = { freedoms, chance: chanceOf(freedoms.contents + 1), world }
    this.#agent = agentOf(freedoms)
    this.#clients = new HubClients(this.#stored, freedoms)
    const parties = Array.from({ length: version === "2.1.1" ? 1 : freedoms.parties }, (_, index) => ({
      country: ["DE", "NL", "FR", "BE"][index % 4]!,
      party: `ST${index}`,
      name: `Stranger ${index}`
    }))
    this.#making = { version, freedoms, chance: this.#chance, parties, now: world.now }
    if (role === "CPO")
      this.#operator = new Operator({
        making: this.#making,
        sleep: world.sleep,
        push: (method, module, owner, ids, json, dressAs) =>
          this.#push(method, module, owner, ids, json, dressAs),
        post: async (url, json, owner, module) => {
          await this.#call("POST", url, module, owner, json)
        }
      })
    else
      for (let number = 1; number <= freedoms.objects; number += 1)
        this.#tokens.push(tokenOf(this.#making, this.#chance.of(parties), number))
    if (role === "EMSP" && given.hasDrivers === true)
      this.#drivers = new Drivers({
        making: this.#making,
        chance: chanceOf(freedoms.contents + 3),
        sleep: world.sleep,
        tokens: () => this.#tokens,
        shown: (token) => this.#shown("Token", token),
        resultUrl: (module, id) => {
          const url = this.#urlOf(version, { identifier: module, role: "SENDER" })
          url.pathname = `${url.pathname.replace(/\/$/, "")}/result/${id}`
          return url.href
        },
        ask: (method, module, below, query, json) => this.#askFor(method, module, below, query, json)
      })
  }

  /** Listens. */
  async open(): Promise<void> {
    const answers = (asked: Asked) => this.#fronted(asked)
    const front = await listening(answers, this.#style)
    const back = this.#options.freedoms.twoPorts ? await listening(answers, this.#style) : front
    this.#front = front.url
    this.#back = back.url
    for (const { server } of new Set([front, back]))
      this.#close.push(() => {
        server.close()
        server.closeAllConnections()
      })
    void this.#routine()
  }

  /** What it does by itself, again and again: something of its own changes, and it reads what is its partner's. */
  async #routine(): Promise<void> {
    const { freedoms, world } = this.#options
    while (freedoms.routineSeconds > 0 && !this.#isClosed) {
      await world.sleep(freedoms.routineSeconds * 1000)
      const peer = this.#peers.at(-1) ?? this.#left
      if (this.#isClosed || peer === undefined) continue
      this.#changeAndTell()
      await this.#synchronise(peer)
    }
  }

  /** Reads the lists of its partner, each from its first page to its last (transport_and_format, Pagination). */
  async #synchronise(peer: Peer): Promise<void> {
    const { freedoms, role, version, world } = this.#options
    const modules = role === "CPO" ? ["tokens"] : ["locations", "sessions", "cdrs", "tariffs"]
    const owner = this.#making.parties[0]!
    for (const { identifier, role: side, url } of peer.endpoints) {
      if (!modules.includes(identifier) || (side !== undefined && side !== "SENDER")) continue
      const first = new URL(url)
      const year = 365 * 86_400_000
      first.searchParams.set("date_from", stamp(world.now() - year, { ...freedoms, digits: 0 }, version))
      first.searchParams.set("limit", "2")
      let next: string | undefined = first.href
      for (let pages = 0; next !== undefined && pages < 30; pages += 1) {
        const heard: Heard = await this.#ask("GET", next, peer, {
          ...this.#ids(peer),
          ...this.#routing(peer, owner)
        })
        next =
          heard.http === 200 ? /<([^>]+)>;\s*rel="?next/.exec(heard.headers["link"] ?? "")?.[1] : undefined
      }
    }
  }

  /** From now on it does that wrong. */
  bend(bend: Bend | undefined): void {
    this.#bend = bend
  }

  /** Where it is found. */
  get versionsUrl(): string {
    return `${this.#front}${this.#options.freedoms.root}/versions`
  }

  /** A new Token A. */
  invite(): string {
    const token = this.#newToken()
    this.#invited.add(token)
    return token
  }

  /** Registers with the partner that has given it a Token A (credentials, Registration). The reason when that failed. */
  async register(versionsUrl: string, tokenA: string): Promise<string | undefined> {
    const { role, version } = this.#options
    const peer: Peer = {
      version,
      token: tokenA,
      issued: this.#newToken(),
      versionsUrl,
      endpoints: [],
      parties: []
    }
    const endpoints = await this.#fetchEndpoints(peer)
    if (typeof endpoints === "number") return `their versions: ${endpoints}`
    if (this.#options.freedoms.needsModules && endpoints.length < 2) return "their modules are too few"
    peer.endpoints = endpoints
    const credentials = endpoints.find(({ identifier }) => identifier === "credentials")
    if (credentials === undefined) return "they have no credentials endpoint"
    this.#peers = [peer]
    const heard = await this.#ask(
      "POST",
      credentials.url,
      peer,
      this.#ids(peer),
      this.#credentials(peer.issued)
    )
    const answer = isJson(heard.json) ? heard.json["data"] : undefined
    const flaw = flawOf("Credentials", answer, version)
    if (heard.http >= 300 || flaw !== undefined || !isJson(answer))
      return `POST credentials: ${heard.http} ${JSON.stringify(heard.json)}`
    peer.token = String(answer["token"])
    peer.parties = partiesIn(answer, version, role === "CPO" ? "EMSP" : "CPO")
    peer.hub = hubIn(answer, version)
    this.#remember(peer)
    return undefined
  }

  /** Closes its sockets. */
  close(): void {
    this.#isClosed = true
    for (const close of this.#close) close()
    this.#agent.destroy()
  }

  #newToken(): string {
    const { tokenAlphabet, tokenLength } = this.#options.freedoms
    return tokenAlphabet === "uuid"
      ? this.#chance.uuid()
      : this.#chance.text(alphabets[tokenAlphabet], tokenLength)
  }

  // --- where what is -------------------------------------------------------------------------------------------------

  /** Those of its version details; `isServed`: with what is reached by URLs that it gives away alone. */
  #endpoints(version: StrangerVersion, isServed = false): ReadonlyArray<Endpoint> {
    const { freedoms, role } = this.#options
    const usual = modulesOf[role].filter(([, , since22]) => version !== "2.1.1" || since22 !== true)
    // In 2.1.1 an EMSP offers no commands: it names a response_url with each (mod_commands).
    const own = usual.filter(([identifier]) => isServed || !isUnlisted(version, role, identifier))
    const more: ReadonlyArray<Endpoint> =
      freedoms.moreModules && version !== "2.1.1" ? [{ identifier: "hubclientinfo", role: "RECEIVER" }] : []
    const all = [
      { identifier: "credentials", role: freedoms.credentialsRole },
      ...own.map(([identifier, side]) => ({ identifier, role: side })),
      ...more
    ]
    return freedoms.listedBackwards ? all.toReversed() : all
  }

  #pathOf(version: StrangerVersion, { identifier, role: side }: Endpoint): string {
    const { freedoms, role } = this.#options
    const own = version === this.#options.version
    const name = role.toLowerCase()
    const below = {
      "version first": `/${version}/${identifier}`,
      "role first": `/${name}/${version}/${identifier}`,
      "no version": own ? `/${identifier}` : `/v${version.replaceAll(".", "")}/${identifier}`,
      opaque: `/x${Buffer.from(`${version}${identifier}${side}`).toString("hex")}`
    }[freedoms.paths]
    return `${freedoms.root}${below}${freedoms.suffix}`
  }

  #urlOf(version: StrangerVersion, endpoint: Endpoint): URL {
    const { freedoms } = this.#options
    const host = endpoint.identifier === "credentials" ? this.#front : this.#back
    const url = new URL(`${host}${this.#pathOf(version, endpoint)}${freedoms.endpointSlash ? "/" : ""}`)
    if (freedoms.endpointQuery) url.searchParams.set("tenant", "7")
    return url
  }

  #detailsPath(version: StrangerVersion): string {
    const { freedoms } = this.#options
    return freedoms.paths === "version first" || freedoms.paths === "role first"
      ? `${freedoms.root}/${version}`
      : `${freedoms.root}/details-${version.replaceAll(".", "-")}`
  }

  get #versions(): ReadonlyArray<StrangerVersion> {
    const { freedoms, version } = this.#options
    const all = strangerVersions.filter((one) => one === version || freedoms.otherVersions.includes(one))
    return freedoms.listedBackwards ? all.toReversed() : all
  }

  // --- answers -------------------------------------------------------------------------------------------------------

  async #fronted(asked: Asked): Promise<{ said: Said; version: StrangerVersion }> {
    const { version, world } = this.#options
    const fronts = this.#bend?.fronts
    if (fronts === undefined) return this.#answer(asked)
    let spoken = version
    const said = await fronts(asked, {
      isKnown: this.#callerIn(asked, this.#versions) !== undefined,
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

  async #answer(arrived: Asked): Promise<{ said: Said; version: StrangerVersion }> {
    const { freedoms } = this.#options
    const asked = this.#bend?.arrives?.(arrived) ?? arrived
    const path = asked.url.pathname
    const discovery: Where = {
      module: "versions",
      version: this.#options.version,
      below: [],
      isSender: true
    }
    if (path === `${freedoms.root}/versions`) {
      // A platform with several versions takes the forms of all of them, since none is agreed on yet.
      const caller = this.#admitted(asked, this.#versions, discovery)
      const said =
        caller === undefined
          ? this.#unauthorized()
          : asked.method !== "GET"
            ? notAllowed
            : this.#given(
                this.#versions.map((version) => ({
                  version,
                  url: `${this.#front}${this.#detailsPath(version)}`
                }))
              )
      return this.#told(asked, said, discovery)
    }
    const details = this.#versions.find((version) => path === this.#detailsPath(version))
    if (details !== undefined) {
      const where = { ...discovery, version: details, below: ["details"] }
      const caller = this.#admitted(asked, [details], where)
      const said =
        caller === undefined
          ? this.#unauthorized()
          : asked.method !== "GET"
            ? notAllowed
            : this.#given({
                version: details,
                endpoints: this.#endpoints(details).map((endpoint) => ({
                  identifier: endpoint.identifier,
                  ...(details === "2.1.1" ? {} : { role: endpoint.role }),
                  url: this.#urlOf(details, endpoint).href
                }))
              })
      return this.#told(asked, said, where)
    }
    for (const version of this.#versions)
      for (const endpoint of this.#endpoints(version, true)) {
        const below = this.#below(asked.url, version, endpoint)
        if (below === undefined) continue
        const where: Where = {
          module: endpoint.identifier,
          version,
          below,
          isSender: endpoint.role === "SENDER" && this.#isList(endpoint)
        }
        const read = this.#bend?.reads?.(asked, where) ?? asked
        return this.#told(asked, await this.#atEndpoint(read, endpoint, where), where)
      }
    const said: Said =
      this.#callerIn(asked, this.#versions) === undefined ? this.#unauthorized() : this.#absent()
    return this.#told(asked, said, { ...discovery, below: ["nowhere"] })
  }

  #admitted(
    asked: Asked,
    versions: ReadonlyArray<StrangerVersion>,
    where: Where
  ): { peer?: Peer; tokenA?: string } | undefined {
    const caller = this.#callerIn(asked, versions)
    if (caller !== undefined || this.#bend?.admits?.(asked, where) !== true) return caller
    const peer = this.#peers.at(-1)
    return peer === undefined ? {} : { peer }
  }

  /** The decoded segments below an endpoint; undefined when the URL is not below it. */
  #below(url: URL, version: StrangerVersion, endpoint: Endpoint): ReadonlyArray<string> | undefined {
    const { freedoms } = this.#options
    const path = this.#pathOf(version, endpoint)
    if (freedoms.endpointQuery && url.searchParams.get("tenant") !== "7") return undefined
    if (url.pathname === (freedoms.endpointSlash ? `${path}/` : path)) return []
    if (!url.pathname.startsWith(`${path}/`)) return undefined
    const below = url.pathname.slice(path.length + 1).split("/")
    try {
      return below.map(decodeURIComponent)
    } catch {
      return undefined
    }
  }

  #callerIn(
    asked: Asked,
    versions: ReadonlyArray<StrangerVersion>
  ): { peer?: Peer; tokenA?: string } | undefined {
    for (const version of versions) {
      const token = tokenIn(asked.headers["authorization"], version)
      if (token === undefined) continue
      const peer = this.#peers.find(({ issued }) => issued === token)
      if (peer !== undefined) return { peer }
      if (this.#invited.has(token)) return { tokenA: token }
    }
    return undefined
  }

  async #atEndpoint(asked: Asked, endpoint: Endpoint, where: Where): Promise<Said> {
    const { below, version } = where
    const caller = this.#admitted(asked, [version], where)
    if (caller === undefined) return this.#unauthorized()
    const other = this.#bend?.instead?.(asked, where)
    if (other !== undefined) return other
    if (endpoint.identifier === "credentials")
      return below.length > 0 ? this.#absent() : this.#atCredentials(asked, version, caller)
    if (caller.peer === undefined || caller.peer.version !== version) return this.#unauthorized()
    this.#answers += 1
    const { changesEach } = this.#options.freedoms
    if (changesEach > 0 && this.#answers % changesEach === 0) this.#change()
    const { peer } = caller
    const isRouted = version !== "2.1.1" && endpoint.identifier !== "hubclientinfo"
    const [from, to] = ["from", "to"].map((side) => ({
      country: asked.headers[`ocpi-${side}-country-code`],
      party: asked.headers[`ocpi-${side}-party-id`]
    })) as [Partial<Address>, Partial<Address>]
    const own = this.#making.parties.some((one) => isParty(one, to))
    if (isRouted && to.party !== undefined && !own) return invalid("OCPI-to names none of our parties")
    if (isRouted && !this.#clients.admit(peer, from)) return invalid("OCPI-from names nobody that we know")
    if (
      endpoint.role === "SENDER" &&
      classOfList[endpoint.identifier] !== undefined &&
      this.#isList(endpoint)
    )
      return this.#atSender(asked, version, endpoint.identifier, below)
    return this.#atReceiver(asked, peer, endpoint, below)
  }

  #isList({ identifier }: Endpoint): boolean {
    return (this.#options.role === "CPO") === (identifier !== "tokens")
  }

  #objects(module: string): ReadonlyArray<Json> {
    if (module === "tokens") return this.#tokens
    const operator = this.#operator
    if (operator === undefined) return []
    if (module === "locations") return operator.locations
    if (module === "sessions") return operator.sessions
    return module === "cdrs" ? operator.cdrs : operator.tariffs
  }

  #shown(name: string, json: Json): Json {
    const { freedoms } = this.#options
    // The same object always looks the same.
    const seed = [...`${json["id"] ?? json["uid"]}`].reduce(
      (sum, mark) => (sum * 31 + mark.charCodeAt(0)) | 0,
      7
    )
    const shown = dressed(name, json, this.#options.version, freedoms, chanceOf(seed))
    const bend = this.#bend
    if (bend?.shows === undefined) return shown
    const module = Object.keys(classOfList).find((one) => classOfList[one] === name)
    const place = module === undefined ? -1 : this.#placeOf(module, json)
    return bend.shows(shown, name, place, this.#options.world.now())
  }

  #placeOf(module: string, json: Json): number {
    const field = module === "tokens" ? "uid" : "id"
    return this.#objects(module).findIndex((one) => one[field] === json[field])
  }

  #atSender(asked: Asked, version: StrangerVersion, module: string, below: ReadonlyArray<string>): Said {
    const { freedoms } = this.#options
    const name = classOfList[module]!
    const all = this.#objects(module)
    const objects = this.#bend?.lists?.(all, module, this.#options.world.now()) ?? all
    if (below.length === 0) {
      if (asked.method !== "GET") return notAllowed
      if (module === "sessions" && freedoms.needsDateFrom && !asked.url.searchParams.has("date_from"))
        return invalid("date_from is missing")
      const page = pageOf(
        objects,
        asked.url.searchParams,
        this.#urlOf(version, { identifier: module, role: "SENDER" }),
        version,
        freedoms
      )
      return Array.isArray(page.data)
        ? { ...page, data: page.data.map((json: Json) => this.#shown(name, json)) }
        : page
    }
    const [id, second, third] = below
    if (module === "tokens" && second === "authorize" && below.length === 2)
      return asked.method === "POST" ? this.#authorize(asked, version, id ?? "") : notAllowed
    if (
      module === "sessions" &&
      second === "charging_preferences" &&
      below.length === 2 &&
      version !== "2.1.1"
    ) {
      if (asked.method !== "PUT") return notAllowed
      const body = parsed(asked.body)
      if (body === undefined) return unreadable
      return objects.some((json) => isSame(json["id"], id, this.#making))
        ? this.#operator!.preferences(body)
        : this.#absent()
    }
    if (module !== "locations" || below.length > 3)
      return asked.method === "GET" ? this.#absent() : notAllowed
    if (asked.method !== "GET") return notAllowed
    const location = objects.find((json) => isSame(json["id"], id, this.#making))
    if (location === undefined) return this.#absent()
    const shown = this.#shown(name, location)
    if (second === undefined) return this.#given(shown)
    const evse = ((shown["evses"] ?? []) as ReadonlyArray<Json>).find((one) =>
      isSame(one["uid"], second, this.#making)
    )
    if (evse === undefined || third === undefined)
      return evse === undefined ? this.#absent() : this.#given(evse)
    const connector = (evse["connectors"] as ReadonlyArray<Json>).find((one) =>
      isSame(one["id"], third, this.#making)
    )
    return connector === undefined ? this.#absent() : this.#given(connector)
  }

  /** Real-time authorization (mod_tokens, POST Method). */
  #authorize(asked: Asked, version: StrangerVersion, uid: string): Said {
    const type = asked.url.searchParams.get("type") ?? asked.url.searchParams.get("token_type") ?? "RFID"
    const body = asked.body === "" ? undefined : parsed(asked.body)
    if (asked.body !== "" && body === undefined) return unreadable
    const token = this.#tokens.find((one) => isSame(one["uid"], uid, this.#making) && one["type"] === type)
    if (token === undefined) return version === "2.1.1" ? this.#absent() : { http: 404, code: 2004 }
    const flaw = body === undefined ? undefined : flawOf("LocationReferences", body, version)
    if (flaw !== undefined) return invalid(flaw)
    if (body === undefined && this.#options.freedoms.needsLocation)
      return { http: 200, code: 2002, message: "for which location?" }
    const place = isJson(body) ? body : undefined
    return this.#given({
      allowed: token["valid"] === true ? "ALLOWED" : "BLOCKED",
      ...(version === "2.1.1" ? {} : { token: this.#shown("Token", token) }),
      ...(place !== undefined && this.#options.freedoms.optionals === "all"
        ? {
            location: {
              location_id: place["location_id"],
              ...(Array.isArray(place["evse_uids"]) ? { evse_uids: place["evse_uids"] } : {})
            }
          }
        : {}),
      ...(version !== "2.1.1" && token["valid"] === true && this.#options.freedoms.optionals !== "none"
        ? { authorization_reference: this.#chance.uuid() }
        : {})
    })
  }

  #atReceiver(asked: Asked, peer: Peer, endpoint: Endpoint, below: ReadonlyArray<string>): Said {
    const { identifier } = endpoint
    const { version } = peer
    const shelf = this.#shelf(peer)
    if (identifier === "cdrs") return receiveCdr(below, this.#urlOf(version, endpoint), asked, shelf)
    if (identifier === "commands") {
      const [name, id] = below
      if (name === undefined || below.length > (this.#drivers === undefined ? 1 : 2)) return this.#absent()
      if (asked.method !== "POST") return notAllowed
      const body = parsed(asked.body)
      if (body === undefined) return unreadable
      if (this.#drivers !== undefined) return this.#drivers.result(id, body)
      return this.#operator?.command(name, body) ?? this.#absent()
    }
    if (identifier === "chargingprofiles") {
      const [session, id] = below
      if (this.#drivers !== undefined && session === "result" && asked.method === "POST") {
        const body = parsed(asked.body)
        return body === undefined ? unreadable : this.#drivers.profileResult(id, body)
      }
      if (session === undefined || below.length > 1) return this.#absent()
      const methods = this.#operator === undefined ? ["PUT"] : ["GET", "PUT", "DELETE"]
      if (!methods.includes(asked.method)) return notAllowed
      const body = asked.method === "PUT" ? parsed(asked.body) : undefined
      if (asked.method === "PUT" && body === undefined) return unreadable
      if (this.#operator !== undefined)
        return this.#operator.profile(asked.method, session, asked.url.searchParams, body)
      const flaw = flawOf("ActiveChargingProfile", body, version)
      return flaw === undefined ? { http: 200, code: this.#options.freedoms.successCode } : invalid(flaw)
    }
    if (identifier === "hubclientinfo") return this.#atClientInfo(asked, below, shelf)
    const said = receive(identifier, below, asked, shelf)
    if (asked.method === "PUT" && said.http < 300 && (said.code ?? 2000) < 2000 && below.length === 3)
      this.#drivers?.told(identifier, parsed(asked.body))
    return said
  }

  #atClientInfo(asked: Asked, below: ReadonlyArray<string>, shelf: Shelf): Said {
    const key = clientKey(below[0] ?? "", below[1] ?? "")
    if (asked.method === "GET") {
      const stored = shelf.objects.get(key)
      return stored === undefined ? this.#absent() : this.#given(stored)
    }
    if (asked.method !== "PUT") return notAllowed
    const body = parsed(asked.body)
    if (body === undefined) return unreadable
    if (below.length !== 2) return this.#absent()
    const flaw = flawOf("ClientInfo", body, shelf.version)
    if (flaw !== undefined) return invalid(flaw)
    const isNew = !shelf.objects.has(key)
    shelf.objects.set(key, body as Json)
    return { http: isNew ? this.#options.freedoms.created : 200, code: this.#options.freedoms.successCode }
  }

  #shelf(peer: Peer): Shelf {
    const { version } = peer
    return {
      version,
      freedoms: this.#options.freedoms,
      objects: this.#stored,
      keeps: this.#bend?.keeps ?? ((json) => json),
      isOwner: (owner) =>
        peer.hub === undefined
          ? peer.parties.some((one) => isParty(one, owner))
          : this.#clients.isOwner(peer, owner),
      isOurs: (json) => {
        const token = json["cdr_token"]
        if (version === "2.1.1" || version === "2.2" || !isJson(token)) return true
        return this.#making.parties.some(
          ({ country, party }) =>
            isSame(country, token["country_code"], this.#making) &&
            isSame(party, token["party_id"], this.#making)
        )
      }
    }
  }

  // --- credentials ---------------------------------------------------------------------------------------------------

  #credentials(token: string): Json {
    const { freedoms, role, version } = this.#options
    const { parties } = this.#making
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
      url: this.versionsUrl,
      token,
      ...(version === "2.1.1"
        ? { country_code: first.country, party_id: first.party, business_details: business(first) }
        : { roles })
    }
  }

  async #atCredentials(
    asked: Asked,
    version: StrangerVersion,
    { peer, tokenA }: { peer?: Peer; tokenA?: string }
  ): Promise<Said> {
    const { role } = this.#options
    if (asked.method === "GET") return this.#given(this.#credentials(peer?.issued ?? tokenA ?? ""))
    if (!["POST", "PUT", "DELETE"].includes(asked.method)) return notAllowed
    if ((asked.method === "POST") === (peer !== undefined)) return notAllowed
    if (asked.method === "DELETE") {
      this.#peers = this.#peers.filter((one) => one !== peer)
      if (this.#bend?.staysAfterDelete === true) this.#left = peer
      return { http: 200, code: this.#options.freedoms.successCode }
    }
    const body = parsed(asked.body)
    if (body === undefined) return unreadable
    const flaw = flawOf("Credentials", body, version)
    if (flaw !== undefined || !isJson(body)) return invalid(flaw ?? "the body is no object")
    const next: Peer = {
      version,
      token: String(body["token"]),
      issued: this.#newToken(),
      versionsUrl: String(body["url"]),
      endpoints: [],
      parties: partiesIn(body, version, role === "CPO" ? "EMSP" : "CPO"),
      hub: hubIn(body, version)
    }
    const endpoints = await this.#fetchEndpoints(next)
    if (typeof endpoints === "number")
      return { http: 200, code: endpoints, message: "your versions cannot be used" }
    if (this.#options.freedoms.needsModules && endpoints.length < 2)
      return { http: 200, code: 3003, message: "your modules are too few" }
    const { keepsOld } = this.#bend ?? {}
    next.endpoints = keepsOld?.endpoints === true && peer !== undefined ? peer.endpoints : endpoints
    next.offered = next.token
    if (keepsOld?.token === true && peer !== undefined) next.token = peer.offered ?? peer.token
    if (tokenA !== undefined) this.#invited.delete(tokenA)
    this.#peers = [...this.#peers.filter((one) => one !== peer), next]
    this.#remember(next)
    return this.#given(this.#credentials(next.issued))
  }

  /** Their endpoints of our version, or the status code that says what is wrong (status_codes, 3xxx). */
  async #fetchEndpoints(peer: Peer): Promise<ReadonlyArray<PeerEndpoint> | number> {
    const versions = await this.#ask("GET", peer.versionsUrl, peer, this.#ids(peer))
    const list = isJson(versions.json) ? versions.json["data"] : undefined
    if (versions.http !== 200 || !Array.isArray(list)) return 3001
    const found = list.find((one) => isJson(one) && one["version"] === peer.version)
    if (found === undefined) return 3002
    const details = await this.#ask("GET", String(found["url"]), peer, this.#ids(peer))
    const data = isJson(details.json) ? details.json["data"] : undefined
    if (details.http !== 200 || !isJson(data) || !Array.isArray(data["endpoints"])) return 3001
    return data["endpoints"].filter(isJson).map((one) => ({
      identifier: String(one["identifier"]),
      role: one["role"] === undefined ? undefined : String(one["role"]),
      url: String(one["url"])
    }))
  }

  #remember(peer: Peer): void {
    const { parties, version } = peer
    if (peer.hub !== undefined) void this.#tellHub(peer)
    const party = parties.find(({ role }) => role === "EMSP") ?? parties[0]!
    this.#operator?.remember({
      ...owned(this.#making, { ...party, name: "" }),
      uid: "0123456789ABCD",
      type: "RFID",
      [version === "2.1.1" ? "auth_id" : "contract_id"]: `${party.country}-${party.party}-C12345678`
    })
  }

  /** Something of its own changes; the token, when it is one. */
  #change(): Json | undefined {
    if (this.#operator !== undefined) {
      this.#operator.change()
      return undefined
    }
    const token = this.#chance.of(this.#tokens)
    const { freedoms, version } = this.#options
    token["last_updated"] = stamp(this.#options.world.now(), freedoms, version)
    token["visual_number"] = `changed ${this.#answers}`
    return token
  }

  #changeAndTell(): void {
    const token = this.#change()
    if (token !== undefined)
      void this.#push("PUT", "tokens", this.#ownerOf(token), [String(token["uid"])], token, "Token")
  }

  #ownerOf(object: Json): Identity {
    const { parties } = this.#making
    return parties.find(({ party }) => party === object["party_id"]) ?? parties[0]!
  }

  /** While it is behind a hub something changes by itself, and is pushed to the parties there. */
  async #tellHub(peer: Peer): Promise<void> {
    for (;;) {
      await this.#options.world.sleep(7000)
      if (this.#isClosed || this.#peers.at(-1) !== peer) return
      this.#changeAndTell()
    }
  }

  // --- what it sends -------------------------------------------------------------------------------------------------

  /** Ids of a message (transport_and_format, Message tracing). */
  #ids({ version }: Peer): Readonly<Record<string, string>> {
    return version === "2.1.1"
      ? {}
      : { "X-Request-ID": this.#chance.uuid(), "X-Correlation-ID": this.#chance.uuid() }
  }

  async #ask(
    method: string,
    url: string,
    peer: Peer,
    headers: Readonly<Record<string, string>>,
    json?: unknown
  ): Promise<Heard> {
    const call: Call = {
      method,
      url,
      headers: { Authorization: authorization(peer.token, peer.version), ...headers },
      ...(json === undefined ? {} : { json })
    }
    const carried = this.#bend?.carries?.(call) ?? call
    const sent = this.#bend?.asks?.(carried) ?? [carried]
    if ("http" in sent) return sent
    let heard: Heard = { http: 0, json: undefined, headers: {} }
    for (const one of this.#withOwnIds(sent)) {
      heard = await this.#hear(one)
      if (this.#bend?.retries?.(heard, one) === true) heard = await this.#hear(one)
    }
    return heard
  }

  /** Requests that are sent instead of one: each is a request of its own. */
  #withOwnIds(calls: ReadonlyArray<Call>): ReadonlyArray<Call> {
    const name = "X-Request-ID"
    return calls.map((one, index) =>
      one.headers[name] !== undefined &&
      calls.slice(0, index).some(({ headers }) => headers[name] === one.headers[name])
        ? { ...one, headers: { ...one.headers, [name]: this.#chance.uuid() } }
        : one
    )
  }

  /** The answer to a request, as far as it is waited for. */
  async #hear(call: Call): Promise<Heard> {
    const { hears, patienceMillis } = this.#bend ?? {}
    const answer = calling(this.#agent, call, this.#style)
    const heard =
      patienceMillis === undefined
        ? await answer
        : await Promise.race([
            answer,
            this.#options.world
              .sleep(patienceMillis)
              .then((): Heard => ({ http: 0, json: undefined, headers: {} }))
          ])
    return hears?.(heard, call) ?? heard
  }

  /** Routing headers of a request (transport_and_format, Message Routing); `to`: the first party of the partner unless given. */
  #routing(
    peer: Peer,
    owner: Identity,
    to: Pick<Identity, "country" | "party"> | "open" = peer.parties[0]!
  ): Readonly<Record<string, string>> {
    const isBare = peer.version === "2.1.1" || (this.#isAlone(peer) && this.#options.freedoms.bareRouting)
    if (isBare) return {}
    return {
      "OCPI-from-country-code": owner.country,
      "OCPI-from-party-id": owner.party,
      ...(to === "open" ? {} : { "OCPI-to-country-code": to.country, "OCPI-to-party-id": to.party })
    }
  }

  #call(
    method: string,
    url: string,
    module: string,
    owner: Identity,
    json: Json | undefined
  ): Promise<Heard> | undefined {
    const peer = this.#peers.at(-1)
    if (peer === undefined) return undefined
    const sends = this.#bend?.sends ?? ((one: Call): ReadonlyArray<Call> => [one])
    const heard = this.#clients.recipients(peer).flatMap((to) => {
      const headers = { ...this.#ids(peer), ...this.#routing(peer, owner, to) }
      const call: Call = { method, url, headers, ...(json === undefined ? {} : { json }) }
      return this.#withOwnIds(sends(call, module)).map((one) =>
        this.#ask(one.method, one.url, peer, one.headers, one.json)
      )
    })
    return heard[0]
  }

  async #push(
    method: string,
    module: string,
    owner: Identity,
    ids: ReadonlyArray<string>,
    json: Json,
    dressAs: string | undefined
  ): Promise<void> {
    const { freedoms } = this.#options
    const peer = this.#peers.at(-1)
    if (peer === undefined || freedoms.pushes === "none") return
    const endpoint = peer.endpoints.find(
      ({ identifier, role }) => identifier === module && (role === undefined || role === "RECEIVER")
    )
    if (endpoint === undefined) return
    const url = new URL(endpoint.url)
    const below = ids.length === 0 ? [] : [owner.country, owner.party, ...ids]
    url.pathname = [url.pathname.replace(/\/$/, ""), ...below.map(encodeURIComponent)].join("/")
    if (module === "tokens" && peer.version !== "2.1.1") url.searchParams.set("type", String(json["type"]))
    const isRoot = ids.length < 2
    const shown =
      dressAs === undefined ? json : isRoot ? this.#shown(dressAs, json) : this.#part(dressAs, ids, json)
    await this.#call(method, url.href, module, owner, shown)
  }

  /** A request of the EMSP itself, to the receiver of a module. */
  async #askFor(
    method: string,
    module: string,
    below: ReadonlyArray<string>,
    query: Readonly<Record<string, string>>,
    json: Json | undefined
  ): Promise<void> {
    const endpoint = this.#peers
      .at(-1)
      ?.endpoints.find(
        ({ identifier, role }) => identifier === module && (role === undefined || role === "RECEIVER")
      )
    if (endpoint === undefined || this.#isClosed) return
    const url = new URL(endpoint.url)
    url.pathname = [url.pathname.replace(/\/$/, ""), ...below.map(encodeURIComponent)].join("/")
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    await this.#call(method, url.href, module, this.#making.parties[0]!, json)
  }

  /** An EVSE as its location shows it. */
  #part(name: string, [locationId, uid]: ReadonlyArray<string>, json: Json): Json {
    const location = this.#objects("locations").find((one) => one["id"] === locationId)
    if (location === undefined)
      return dressed(name, json, this.#options.version, this.#options.freedoms, this.#chance)
    const evses = (this.#shown("Location", location)["evses"] ?? []) as ReadonlyArray<Json>
    return evses.find((one) => one["uid"] === uid) ?? json
  }

  #isAlone({ hub, parties }: Peer): boolean {
    return (
      hub === undefined &&
      parties.length === 1 &&
      this.#making.parties.length === 1 &&
      !this.#options.freedoms.moreRoles
    )
  }

  // --- forms ---------------------------------------------------------------------------------------------------------

  #given(data: unknown): Said {
    return { http: 200, code: this.#options.freedoms.successCode, data }
  }

  #absent(): Said {
    return absent({ freedoms: this.#options.freedoms })
  }

  #unauthorized(): Said {
    return this.#options.freedoms.refused === "envelope"
      ? { http: 401, code: 2001, message: "unknown token" }
      : { http: 401 }
  }

  /** The answer with the headers that its version and module ask for. */
  #told(asked: Asked, given: Said, where: Where): { said: Said; version: StrangerVersion } {
    const { module, version } = where
    const bend = this.#bend
    const { freedoms } = this.#options
    const bent = (told: Said) => {
      const isBare = freedoms.refused === "empty" && [400, 405].includes(told.http)
      const said: Said = isBare
        ? { http: told.http, ...(told.headers === undefined ? {} : { headers: told.headers }) }
        : told
      const other = bend?.says?.(said, asked, where) ?? said
      return { said: bend?.wraps === undefined ? other : { ...other, wrap: bend.wraps }, version }
    }
    if (version === "2.1.1") return bent(given)
    const echoed = ["X-Request-ID", "X-Correlation-ID"].flatMap((name): ReadonlyArray<[string, string]> => {
      const value = asked.headers[name.toLowerCase()]
      return value === undefined ? [] : [[name, value]]
    })
    const peer = this.#callerIn(asked, [version])?.peer
    const isConfiguration = ["versions", "credentials", "hubclientinfo"].includes(module)
    const first = this.#making.parties[0]!
    const theirs = peer?.hub ?? peer?.parties[0] ?? first
    const heard = (name: string) => asked.headers[`ocpi-${name}`]
    const routing: ReadonlyArray<[string, string]> =
      isConfiguration || peer === undefined || (this.#isAlone(peer) && this.#options.freedoms.bareRouting)
        ? []
        : [
            ["OCPI-from-country-code", heard("to-country-code") ?? first.country],
            ["OCPI-from-party-id", heard("to-party-id") ?? first.party],
            ["OCPI-to-country-code", heard("from-country-code") ?? theirs.country],
            ["OCPI-to-party-id", heard("from-party-id") ?? theirs.party]
          ]
    return bent({
      ...given,
      headers: { ...Object.fromEntries([...echoed, ...routing]), ...given.headers }
    })
  }
}
