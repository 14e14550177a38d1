/** What a stranger does by itself, again and again: something of its own changes, and it reads what is its partner's. */
import type { OwnObjects } from "./OwnObjects.ts"
import { stamp } from "./objects/dress.ts"
import type { Peer } from "./Peer.ts"
import type { Peers } from "./Peers.ts"
import type { Requests } from "./Requests.ts"
import { requestRouting } from "./routing.ts"
import type { Self } from "./Self.ts"

/** The routine of a stranger. */
export class Routine {
  readonly #self: Self
  readonly #peers: Peers
  readonly #requests: Requests
  readonly #objects: OwnObjects

  constructor(self: Self, peers: Peers, requests: Requests, objects: OwnObjects) {
    this.#self = self
    this.#peers = peers
    this.#requests = requests
    this.#objects = objects
  }

  /** Goes on until the stranger is closed, where it has a routine. */
  async begin(): Promise<void> {
    const { freedoms, world } = this.#self
    while (freedoms.routineSeconds > 0 && !this.#self.isClosed) {
      await world.sleep(freedoms.routineSeconds * 1000)
      const peer = this.#peers.called
      if (this.#self.isClosed || peer === undefined) continue
      this.#objects.changeAndTell()
      await this.#synchronise(peer)
    }
  }

  /** While it is behind that hub something changes by itself, and is pushed to the parties there. */
  async tellHub(peer: Peer): Promise<void> {
    for (;;) {
      await this.#self.world.sleep(7000)
      if (this.#self.isClosed || this.#peers.newest !== peer) return
      this.#objects.changeAndTell()
    }
  }

  /** Reads the lists of its partner, each from its first page to its last (transport_and_format, Pagination). */
  async #synchronise(peer: Peer): Promise<void> {
    const { freedoms, making, role, version, world } = this.#self
    const modules = role === "CPO" ? ["tokens"] : ["locations", "sessions", "cdrs", "tariffs"]
    const owner = making.parties[0]!
    for (const { identifier, role: side, url } of peer.endpoints) {
      if (!modules.includes(identifier) || (side !== undefined && side !== "SENDER")) continue
      const first = new URL(url)
      const year = 365 * 86_400_000
      first.searchParams.set("date_from", stamp(world.now() - year, { ...freedoms, digits: 0 }, version))
      first.searchParams.set("limit", "2")
      let next: string | undefined = first.href
      for (let pages = 0; next !== undefined && pages < 30; pages += 1) {
        const headers = { ...this.#requests.ids(peer), ...requestRouting(this.#self, peer, owner) }
        const heard = await this.#requests.ask("GET", next, peer, headers)
        next =
          heard.http === 200 ? /<([^>]+)>;\s*rel="?next/.exec(heard.headers["link"] ?? "")?.[1] : undefined
      }
    }
  }
}
