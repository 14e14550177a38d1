/** The objects that a stranger owns: how they look to others, what changes in them, and their pushes. */
import { chanceOf } from "./chance.ts"
import { Operator } from "./charging/Operator.ts"
import { tokenOf } from "./objects/cards.ts"
import { dressed, stamp } from "./objects/dress.ts"
import type { Identity } from "./objects/Holdings.ts"
import type { Json } from "./objects/validity.ts"
import type { Requests } from "./Requests.ts"
import type { Self } from "./Self.ts"

const classOfList: Readonly<Record<string, string>> = {
  locations: "Location",
  sessions: "Session",
  cdrs: "CDR",
  tariffs: "Tariff",
  tokens: "Token"
}

/** The class of the objects in the list of a module; undefined: it has no list. */
export const classIn = (module: string): string | undefined => classOfList[module]

/** What a stranger owns. */
export class OwnObjects {
  readonly #self: Self
  readonly #requests: Requests
  /** Of an EMSP. */
  readonly tokens: Array<Json> = []
  /** Of a CPO: it has charge points, sessions, CDRs and tariffs. */
  readonly operator: Operator | undefined
  #answers = 0
  readonly #places = new Map<
    string,
    { readonly length: number; readonly byId: ReadonlyMap<unknown, number> }
  >()

  constructor(self: Self, requests: Requests) {
    this.#self = self
    this.#requests = requests
    const { freedoms, making, role, world } = self
    if (role === "CPO")
      this.operator = new Operator({
        making,
        sleep: world.sleep,
        push: (method, module, owner, ids, json, dressAs) =>
          this.#push(method, module, owner, ids, json, dressAs),
        post: async (url, json, owner, module) => {
          await requests.call("POST", url, module, owner, json)
        }
      })
    else
      for (let number = 1; number <= freedoms.objects; number += 1)
        this.tokens.push(tokenOf(making, making.chance.of(making.parties), number))
  }

  /** What the list of a module holds. */
  of(module: string): ReadonlyArray<Json> {
    const { operator } = this
    if (module === "tokens") return this.tokens
    if (operator === undefined) return []
    if (module === "locations") return operator.points.locations
    if (module === "sessions") return operator.points.sessions
    return module === "cdrs" ? operator.points.cdrs : operator.points.tariffs
  }

  /** An object of that class as it looks to others. */
  shown(name: string, json: Json): Json {
    const { bend, freedoms, version, world } = this.#self
    // The same object always looks the same.
    const seed = [...`${json["id"] ?? json["uid"]}`].reduce(
      (sum, mark) => (sum * 31 + mark.charCodeAt(0)) | 0,
      7
    )
    const shown = dressed(name, json, version, freedoms, chanceOf(seed))
    if (bend?.shows === undefined) return shown
    const module = Object.keys(classOfList).find((one) => classOfList[one] === name)
    const place = module === undefined ? -1 : this.#placeOf(module, json)
    return bend.shows(shown, name, place, world.now())
  }

  /** A request of somebody else was answered: so often something changes by itself. */
  answered(): void {
    this.#answers += 1
    const { changesEach } = this.#self.freedoms
    if (changesEach > 0 && this.#answers % changesEach === 0) this.#change()
  }

  /** Something of its own changes, and is pushed. */
  changeAndTell(): void {
    const token = this.#change()
    if (token !== undefined)
      void this.#push("PUT", "tokens", this.#ownerOf(token), [String(token["uid"])], token, "Token")
  }

  /** Something of its own changes; the token, when it is one. */
  #change(): Json | undefined {
    if (this.operator !== undefined) {
      this.operator.points.change()
      return undefined
    }
    const { freedoms, making, version, world } = this.#self
    if (this.tokens.length === 0) return undefined
    const token = making.chance.of(this.tokens)
    token["last_updated"] = stamp(world.now(), freedoms, version)
    token["visual_number"] = `changed ${this.#answers}`
    return token
  }

  /** The place of the first object with that id in its list, from 0; -1: it is not there. */
  #placeOf(module: string, json: Json): number {
    const field = module === "tokens" ? "uid" : "id"
    const all = this.of(module)
    const known = this.#places.get(module)
    // A list may be long, and each of its objects is asked for at each reading.
    const places =
      known?.length === all.length
        ? known
        : {
            length: all.length,
            byId: new Map(all.map((one, place) => [one[field], place] as const).toReversed())
          }
    this.#places.set(module, places)
    return places.byId.get(json[field]) ?? -1
  }

  #ownerOf(object: Json): Identity {
    const { parties } = this.#self.making
    return parties.find(({ party }) => party === object["party_id"]) ?? parties[0]!
  }

  async #push(
    method: string,
    module: string,
    owner: Identity,
    ids: ReadonlyArray<string>,
    json: Json,
    dressAs: string | undefined
  ): Promise<void> {
    const { leftOut, pushes } = this.#self.freedoms
    if (pushes === "none" || leftOut.includes(module)) return
    const below = ids.length === 0 ? [] : [owner.country, owner.party, ...ids]
    const isRoot = ids.length < 2
    await this.#requests.toInterface("RECEIVER", method, module, owner, below, ({ version }) => ({
      ...(module === "tokens" && version !== "2.1.1" ? { query: { type: String(json["type"]) } } : {}),
      json: dressAs === undefined ? json : isRoot ? this.shown(dressAs, json) : this.#part(dressAs, ids, json)
    }))
  }

  /** An EVSE as its location shows it. */
  #part(name: string, [locationId, uid]: ReadonlyArray<string>, json: Json): Json {
    const { freedoms, making, version } = this.#self
    const location = this.of("locations").find((one) => one["id"] === locationId)
    if (location === undefined) return dressed(name, json, version, freedoms, making.chance)
    const evses = (this.shown("Location", location)["evses"] ?? []) as ReadonlyArray<Json>
    return evses.find((one) => one["uid"] === uid) ?? json
  }
}
