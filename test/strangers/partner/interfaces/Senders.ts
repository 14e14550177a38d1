/** Sender interfaces: the lists of what a stranger owns, single locations, real-time authorization, charging preferences. */
import type { Addresses } from "../Addresses.ts"
import { classIn, type OwnObjects } from "../OwnObjects.ts"
import { flawOf, isJson, type Json } from "../objects/validity.ts"
import type { Self } from "../Self.ts"
import { type Asked, parsed, type Said } from "../wire.ts"
import { isSame } from "./clientOwned.ts"
import { pageOf } from "./lists.ts"
import { absent, given, invalid, notAllowed, unreadable } from "./replies.ts"

/** The sender interfaces of a stranger. */
export class Senders {
  readonly #self: Self
  readonly #addresses: Addresses
  readonly #objects: OwnObjects

  constructor(self: Self, addresses: Addresses, objects: OwnObjects) {
    this.#self = self
    this.#addresses = addresses
    this.#objects = objects
  }

  /** The answer of a module that has a list; `below`: the segments after the endpoint. */
  answer(asked: Asked, version: Self["version"], module: string, below: ReadonlyArray<string>): Said {
    const all = this.#objects.of(module)
    const objects = this.#self.bend?.lists?.(all, module, this.#self.world.now()) ?? all
    if (below.length === 0) return this.#list(asked, version, module, objects)
    const [id, second] = below
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
      return objects.some((json) => this.#isSame(json["id"], id))
        ? this.#objects.operator!.profiles.preferences(body)
        : absent(this.#self)
    }
    if (module !== "locations" || below.length > 3)
      return asked.method === "GET" ? absent(this.#self) : notAllowed
    return asked.method === "GET" ? this.#location(objects, below) : notAllowed
  }

  #list(asked: Asked, version: Self["version"], module: string, objects: ReadonlyArray<Json>): Said {
    const { freedoms } = this.#self
    if (asked.method !== "GET") return notAllowed
    if (module === "sessions" && freedoms.needsDateFrom && !asked.url.searchParams.has("date_from"))
      return invalid("date_from is missing")
    const page = pageOf(
      objects,
      asked.url.searchParams,
      this.#addresses.urlOf(version, { identifier: module, role: "SENDER" }),
      version,
      freedoms
    )
    return Array.isArray(page.data)
      ? { ...page, data: page.data.map((json: Json) => this.#objects.shown(classIn(module)!, json)) }
      : page
  }

  /** A location, or an EVSE or a connector of it. */
  #location(objects: ReadonlyArray<Json>, [id, evseId, connectorId]: ReadonlyArray<string>): Said {
    const location = objects.find((json) => this.#isSame(json["id"], id))
    if (location === undefined) return absent(this.#self)
    const shown = this.#objects.shown("Location", location)
    if (evseId === undefined) return given(this.#self, shown)
    const evse = ((shown["evses"] ?? []) as ReadonlyArray<Json>).find((one) =>
      this.#isSame(one["uid"], evseId)
    )
    if (evse === undefined || connectorId === undefined)
      return evse === undefined ? absent(this.#self) : given(this.#self, evse)
    const connector = (evse["connectors"] as ReadonlyArray<Json>).find((one) =>
      this.#isSame(one["id"], connectorId)
    )
    return connector === undefined ? absent(this.#self) : given(this.#self, connector)
  }

  /** Real-time authorization (mod_tokens, POST Method). */
  #authorize(asked: Asked, version: Self["version"], uid: string): Said {
    const { freedoms, making } = this.#self
    const type = asked.url.searchParams.get("type") ?? asked.url.searchParams.get("token_type") ?? "RFID"
    const body = asked.body === "" ? undefined : parsed(asked.body)
    if (asked.body !== "" && body === undefined) return unreadable
    const token = this.#objects.tokens.find((one) => this.#isSame(one["uid"], uid) && one["type"] === type)
    if (token === undefined) return version === "2.1.1" ? absent(this.#self) : { http: 404, code: 2004 }
    const flaw = body === undefined ? undefined : flawOf("LocationReferences", body, version)
    if (flaw !== undefined) return invalid(flaw)
    if (body === undefined && freedoms.needsLocation)
      return { http: 200, code: 2002, message: "for which location?" }
    const place = isJson(body) ? body : undefined
    return given(this.#self, {
      allowed: token["valid"] === true ? "ALLOWED" : "BLOCKED",
      ...(version === "2.1.1" ? {} : { token: this.#objects.shown("Token", token) }),
      ...(place !== undefined && freedoms.optionals === "all"
        ? {
            location: {
              location_id: place["location_id"],
              ...(Array.isArray(place["evse_uids"]) ? { evse_uids: place["evse_uids"] } : {})
            }
          }
        : {}),
      ...(version !== "2.1.1" && token["valid"] === true && freedoms.optionals !== "none"
        ? { authorization_reference: making.chance.uuid() }
        : {})
    })
  }

  #isSame(one: unknown, other: unknown): boolean {
    return isSame(one, other, this.#self)
  }
}
