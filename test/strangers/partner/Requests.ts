/** The requests that a stranger sends: their ids, their headers, and what a bend makes of them. */
import type { Agent } from "node:http"
import type { HubClients } from "./hubs.ts"
import type { Identity } from "./objects/Holdings.ts"
import type { Json } from "./objects/validity.ts"
import { authorization, type Peer } from "./Peer.ts"
import type { Peers } from "./Peers.ts"
import { requestRouting } from "./routing.ts"
import type { Self } from "./Self.ts"
import { agentOf, type Call, calling, type Heard, type Style } from "./wire.ts"

const unanswered: Heard = { http: 0, json: undefined, headers: {} }

/** What a stranger sends to its partners. */
export class Requests {
  readonly #self: Self
  readonly #style: Style
  readonly #agent: Agent
  readonly #peers: Peers
  readonly #clients: HubClients

  constructor(self: Self, style: Style, peers: Peers, clients: HubClients) {
    this.#self = self
    this.#style = style
    this.#agent = agentOf(self.freedoms)
    this.#peers = peers
    this.#clients = clients
  }

  /** Ids of a message (transport_and_format, Message tracing). */
  ids({ version }: Peer): Readonly<Record<string, string>> {
    const { chance } = this.#self.making
    return version === "2.1.1" ? {} : { "X-Request-ID": chance.uuid(), "X-Correlation-ID": chance.uuid() }
  }

  /** The answer to a request to that platform. */
  async ask(
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
    const carried = this.#self.bend?.carries?.(call) ?? call
    const sent = this.#self.bend?.asks?.(carried) ?? [carried]
    if ("http" in sent) return sent
    let heard = unanswered
    for (const one of this.#withOwnIds(sent)) {
      heard = await this.#hear(one)
      if (this.#self.bend?.retries?.(heard, one) === true) heard = await this.#hear(one)
    }
    return heard
  }

  /** A request in the name of one of its parties, to whom it is registered with; to each party behind a hub that it is meant for. */
  call(
    method: string,
    url: string,
    module: string,
    owner: Identity,
    json: Json | undefined
  ): Promise<Heard> | undefined {
    const peer = this.#peers.newest
    if (peer === undefined) return undefined
    const sends = this.#self.bend?.sends ?? ((one: Call): ReadonlyArray<Call> => [one])
    const heard = this.#clients.recipients(peer).flatMap((to) => {
      const headers = { ...this.ids(peer), ...requestRouting(this.#self, peer, owner, to) }
      const call: Call = { method, url, headers, ...(json === undefined ? {} : { json }) }
      return this.#withOwnIds(sends(call, module)).map((one) =>
        this.ask(one.method, one.url, peer, one.headers, one.json)
      )
    })
    return heard[0]
  }

  /**
   * A request to an interface of a module; `json` and `query` are made when there is one. The answer of the first to whom it was
   * meant; undefined: there is no such interface.
   */
  async toInterface(
    side: "SENDER" | "RECEIVER",
    method: string,
    module: string,
    owner: Identity,
    below: ReadonlyArray<string>,
    contents: (peer: Peer) => {
      readonly query?: Readonly<Record<string, string>>
      readonly json: Json | undefined
    }
  ): Promise<Heard | undefined> {
    const peer = this.#peers.newest
    const endpoint = peer?.endpoints.find(
      ({ identifier, role }) => identifier === module && (role === undefined || role === side)
    )
    if (peer === undefined || endpoint === undefined) return undefined
    const url = new URL(endpoint.url)
    url.pathname = [url.pathname.replace(/\/$/, ""), ...below.map(encodeURIComponent)].join("/")
    const { json, query = {} } = contents(peer)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return this.call(method, url.href, module, owner, json)
  }

  /** Closes its sockets. */
  close(): void {
    this.#agent.destroy()
  }

  /** Requests that are sent instead of one: each is a request of its own. */
  #withOwnIds(calls: ReadonlyArray<Call>): ReadonlyArray<Call> {
    const name = "X-Request-ID"
    return calls.map((one, index) =>
      one.headers[name] !== undefined &&
      calls.slice(0, index).some(({ headers }) => headers[name] === one.headers[name])
        ? { ...one, headers: { ...one.headers, [name]: this.#self.making.chance.uuid() } }
        : one
    )
  }

  /** The answer to a request, as far as it is waited for. */
  async #hear(call: Call): Promise<Heard> {
    const { hears, patienceMillis } = this.#self.bend ?? {}
    const answer = calling(this.#agent, call, this.#style)
    const heard =
      patienceMillis === undefined
        ? await answer
        : await Promise.race([answer, this.#self.world.sleep(patienceMillis).then(() => unanswered)])
    return hears?.(heard, call) ?? heard
  }
}
