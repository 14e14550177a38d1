/** Who has registered with a stranger and who is invited to, and the tokens by which it knows them. */
import type { StrangerVersion } from "./Freedoms.ts"
import type { Peer } from "./Peer.ts"
import { tokenIn } from "./Peer.ts"
import type { Self } from "./Self.ts"
import type { Asked } from "./wire.ts"

/** Who sends a request: a platform that has registered, or who has a Token A that nobody has used up. */
export interface Caller {
  readonly peer?: Peer
  readonly tokenA?: string
}

const alphabets = {
  uuid: "0123456789abcdef-",
  letters: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  // Printable and no white space (credentials, Credentials object).
  all: Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join("")
}

/** The platforms that a stranger is registered with. */
export class Peers {
  readonly #self: Self
  /** Token As that nobody has used up. */
  readonly #invited = new Set<string>()
  #peers: ReadonlyArray<Peer> = []
  /** Who has ended the registration last, for a stranger that calls on all the same. */
  #left: Peer | undefined

  constructor(self: Self) {
    this.#self = self
  }

  /** Who has registered last; undefined: nobody. */
  get newest(): Peer | undefined {
    return this.#peers.at(-1)
  }

  /** Whom its routine calls: as `newest`, or who has left, where a bend goes on with that. */
  get called(): Peer | undefined {
    return this.newest ?? this.#left
  }

  newToken(): string {
    const { tokenAlphabet, tokenLength } = this.#self.freedoms
    const { chance } = this.#self.making
    return tokenAlphabet === "uuid" ? chance.uuid() : chance.text(alphabets[tokenAlphabet], tokenLength)
  }

  /** A new Token A. */
  invite(): string {
    const token = this.newToken()
    this.#invited.add(token)
    return token
  }

  /** Whose token a request has, read by the rules of one of these versions; undefined: nobody's. */
  callerIn(asked: Asked, versions: ReadonlyArray<StrangerVersion>): Caller | undefined {
    for (const version of versions) {
      const token = tokenIn(asked.headers["authorization"], version)
      if (token === undefined) continue
      const peer = this.#peers.find(({ issued }) => issued === token)
      if (peer !== undefined) return { peer }
      if (this.#invited.has(token)) return { tokenA: token }
    }
    return undefined
  }

  /** It is registered with that platform alone. */
  only(peer: Peer): void {
    this.#peers = [peer]
  }

  /** It is registered with that platform, in place of who it was by then, and of the Token A that it came with. */
  replace({ peer, tokenA }: Caller, next: Peer): void {
    if (tokenA !== undefined) this.#invited.delete(tokenA)
    this.#peers = [...this.#peers.filter((one) => one !== peer), next]
  }

  /** The registration of that platform is over. */
  remove(peer: Peer | undefined): void {
    this.#peers = this.#peers.filter((one) => one !== peer)
    if (this.#self.bend?.staysAfterDelete === true) this.#left = peer
  }
}
