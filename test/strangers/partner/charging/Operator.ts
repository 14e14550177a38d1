/** A CPO's charge points: commands, charging profiles, the sessions that they make, and what changes by itself. */

import { isSame } from "../interfaces/clientOwned.ts"
import { invalid } from "../interfaces/replies.ts"
import { type Charge, cdrOf, sessionOf } from "../objects/charges.ts"
import { momentOf, tick } from "../objects/dress.ts"
import { type Identity, idFor, type Making, moment } from "../objects/Holdings.ts"
import { locationOf, tariffOf } from "../objects/places.ts"
import { flawOf, isJson, type Json } from "../objects/validity.ts"
import type { Said } from "../wire.ts"

/** What the operator asks of the platform that it is part of. */
export interface Platform {
  readonly making: Making
  readonly sleep: (millis: number) => Promise<void>
  /** Sends an object to the receiver of a module of the partner. */
  readonly push: (
    method: "PUT" | "PATCH" | "POST",
    module: string,
    owner: Identity,
    ids: ReadonlyArray<string>,
    json: Json,
    dressAs: string | undefined
  ) => Promise<void>
  /** Posts to a URL of the partner. */
  readonly post: (url: string, json: Json, owner: Identity, module: string) => Promise<void>
}

interface Reservation {
  readonly id: string
  readonly charge: Charge
  readonly expires: number
  readonly location: Json
}

interface Place {
  readonly owner: Identity
  location: Json
}

const seconds = 1000

/** The charge points of a stranger. */
export class Operator {
  readonly tariffs: Array<Json> = []
  readonly cdrs: Array<Json> = []
  readonly #charges: Array<Charge> = []
  readonly #places: Array<Place> = []
  readonly #profiles = new Map<string, Json>()
  #reservations: Array<Reservation> = []
  readonly #platform: Platform
  #numbers = 0

  constructor(platform: Platform) {
    this.#platform = platform
    const { chance, freedoms, parties } = platform.making
    const perParty = parties.map((owner, index) => {
      const tariffs = [1, 2].map((number) => tariffOf(platform.making, owner, index * 10 + number))
      this.tariffs.push(...tariffs)
      return { owner, tariffs }
    })
    for (let number = 1; number <= freedoms.objects; number += 1) {
      const { owner, tariffs } = chance.of(perParty)
      this.#places.push({ owner, location: locationOf(platform.making, owner, number, tariffs) })
    }
  }

  get locations(): ReadonlyArray<Json> {
    return this.#places.map(({ location }) => location)
  }

  get sessions(): ReadonlyArray<Json> {
    return this.#charges.map((charge) => sessionOf(this.#platform.making, charge))
  }

  /** Charges of the past, for a token of the partner. */
  remember(token: Json): void {
    const { chance, freedoms, now } = this.#platform.making
    if (this.#charges.length > 0) return
    for (let number = 1; number <= freedoms.objects; number += 1) {
      const charge = this.#chargeAt(chance.of(this.#places), undefined, token, "WHITELIST", undefined)
      if (charge === undefined) continue
      const start = Math.floor(now() / 60_000) * 60_000 - chance.between(1, 30) * 86_400_000
      const past: Charge = { ...charge, start }
      past.end = start + chance.between(10, 120) * 60_000
      past.changed = past.end + 5 * seconds
      past.kwh = chance.between(1000, 40_000) / 1000
      past.status = "COMPLETED"
      this.#charges.push(past)
      this.cdrs.push(
        cdrOf(this.#platform.making, { ...past, changed: past.end + 60_000 }, this.#newId("CDR"))
      )
    }
  }

  /** Something changes by itself. */
  change(): void {
    const { chance } = this.#platform.making
    const place = chance.of(this.#places)
    const evses = place.location["evses"] as ReadonlyArray<Json>
    const evse = chance.of(evses)
    if (chance.next() < 0.2) {
      const { making } = this.#platform
      this.#numbers += 1
      const location = locationOf(making, place.owner, 1000 + this.#numbers, this.#tariffsOf(place.owner))
      const at = moment(making, 0)
      const fresh: Json = {
        ...location,
        evses: (location["evses"] as ReadonlyArray<Json>).map((one) => ({
          ...one,
          connectors: (one["connectors"] as ReadonlyArray<Json>).map((connector) => ({
            ...connector,
            last_updated: at
          })),
          last_updated: at
        })),
        last_updated: at
      }
      this.#places.push({ owner: place.owner, location: fresh })
      void this.#platform.push("PUT", "locations", place.owner, [String(fresh["id"])], fresh, "Location")
      return
    }
    if (this.#isBusy(evse)) return
    this.#setStatus(place, evse, evse["status"] === "AVAILABLE" ? "OUTOFORDER" : "AVAILABLE")
  }

  /** POST of a command. */
  command(name: string, body: unknown): Said | undefined {
    const { freedoms, version } = this.#platform.making
    const known = ["START_SESSION", "STOP_SESSION", "RESERVE_NOW", "UNLOCK_CONNECTOR"]
    if (version !== "2.1.1") known.push("CANCEL_RESERVATION")
    if (!known.includes(name)) return undefined
    const flaw = flawOf(name, body, version)
    if (flaw !== undefined || !isJson(body)) return invalid(flaw ?? "the body is no object")
    const url = String(body["response_url"])
    const answer = (result: string): Said => ({
      http: 200,
      code: freedoms.successCode,
      data: {
        result,
        ...(version === "2.1.1" ? {} : { timeout: 30 + freedoms.chargePointSeconds }),
        ...(version !== "2.1.1" && freedoms.optionals === "all"
          ? { message: [{ language: "en", text: "as you wish" }] }
          : {})
      }
    })
    const later = (result: string, owner: Identity, then: () => Promise<void> = async () => {}) => {
      void (async () => {
        await this.#platform.sleep(freedoms.chargePointSeconds * seconds)
        await this.#platform.post(url, { result }, owner, "commands")
        await then()
      })()
      return answer("ACCEPTED")
    }
    if (name === "STOP_SESSION") {
      const charge = this.#charges.find(({ id }) => this.#isSame(id, body["session_id"]))
      if (charge === undefined || charge.status === "RESERVATION") return answer("UNKNOWN_SESSION")
      if (charge.status === "COMPLETED") return answer("REJECTED")
      return later("ACCEPTED", charge.owner, () => this.#end(charge))
    }
    if (name === "CANCEL_RESERVATION") {
      const kept = this.#reservations.find(({ id }) => this.#isSame(id, body["reservation_id"]))
      if (kept === undefined) return later("UNKNOWN_RESERVATION", this.#platform.making.parties[0]!)
      return later("ACCEPTED", kept.charge.owner, () => this.#release(kept))
    }
    const place = this.#places.find(({ location }) => this.#isSame(location["id"], body["location_id"]))
    if (place === undefined) return { http: 200, code: 2003, message: "no such location" }
    const evses = place.location["evses"] as ReadonlyArray<Json>
    if (body["connector_id"] !== undefined && body["evse_uid"] === undefined)
      return invalid("connector_id without evse_uid")
    const evse =
      body["evse_uid"] === undefined || body["evse_uid"] === null
        ? evses.find(({ status }) => status === "AVAILABLE")
        : evses.find(({ uid }) => this.#isSame(uid, body["evse_uid"]))
    if (evse === undefined) return answer("REJECTED")
    const connectors = evse["connectors"] as ReadonlyArray<Json>
    const connectorId = body["connector_id"]
    if (typeof connectorId === "string" && !connectors.some(({ id }) => this.#isSame(id, connectorId)))
      return answer("REJECTED")
    if (name === "UNLOCK_CONNECTOR") return later("ACCEPTED", place.owner)
    const token = body["token"] as Json
    const authorization = body["authorization_reference"] as string | undefined
    if (name === "RESERVE_NOW") {
      const expires = momentOf(body["expiry_date"]) ?? 0
      if (expires <= this.#platform.making.now()) return answer("REJECTED")
      const id = String(body["reservation_id"])
      const same = this.#reservations.find(
        (one) => this.#isSame(one.id, id) && one.location["id"] === place.location["id"]
      )
      if (same !== undefined) {
        const again = { ...same, expires }
        this.#reservations = this.#reservations.map((one) => (one === same ? again : one))
        return later("ACCEPTED", place.owner, () => this.#expire(again))
      }
      if (evse["status"] !== "AVAILABLE") return answer("REJECTED")
      const charge = this.#chargeAt(place, evse, token, this.#method("COMMAND"), authorization)
      if (charge === undefined) return answer("REJECTED")
      charge.status = "RESERVATION"
      const made: Reservation = { id, charge, expires, location: place.location }
      this.#reservations.push(made)
      return later("ACCEPTED", place.owner, async () => {
        this.#setStatus(place, evse, "RESERVED")
        if (version !== "2.1.1") {
          this.#charges.push(charge)
          await this.#tell(charge, "PUT")
        }
        await this.#expire(made)
      })
    }
    const reservedHere = this.#reservations.find(
      ({ charge }) => charge.evse["uid"] === evse["uid"] && this.#isSame(charge.token["uid"], token["uid"])
    )
    if (evse["status"] !== "AVAILABLE" && reservedHere === undefined)
      return version === "2.1.1" ? answer("REJECTED") : later("EVSE_OCCUPIED", place.owner)
    const charge = this.#chargeAt(
      place,
      evse,
      token,
      this.#method("COMMAND"),
      authorization,
      typeof connectorId === "string" ? connectorId : undefined
    )
    if (charge === undefined) return answer("REJECTED")
    this.#setStatus(place, evse, "CHARGING")
    return later("ACCEPTED", place.owner, () => this.#begin(charge))
  }

  /** A request about a charging profile (mod_charging_profiles, Receiver Interface). */
  profile(method: string, sessionId: string, query: URLSearchParams, body: unknown): Said {
    const { freedoms, version } = this.#platform.making
    const url =
      method === "PUT" ? (isJson(body) ? body["response_url"] : undefined) : query.get("response_url")
    const flaw =
      method === "PUT"
        ? flawOf("SetChargingProfile", body, version)
        : typeof url !== "string" || !URL.canParse(url)
          ? "response_url is missing"
          : method === "GET" && !/^\d+$/.test(query.get("duration") ?? "")
            ? "duration is missing"
            : undefined
    if (flaw !== undefined) return invalid(flaw)
    const answer = (result: string): Said => ({
      http: 200,
      code: freedoms.successCode,
      data: { result, timeout: 30 + freedoms.chargePointSeconds }
    })
    const charge = this.#charges.find(({ id }) => this.#isSame(id, sessionId))
    if (charge === undefined) return answer("UNKNOWN_SESSION")
    const can = charge.evse["capabilities"] as ReadonlyArray<string>
    if (!can.includes("CHARGING_PROFILE_CAPABLE")) return answer("NOT_SUPPORTED")
    if (charge.status !== "ACTIVE") return answer("REJECTED")
    const later = (json: Json) => {
      void (async () => {
        await this.#platform.sleep(freedoms.chargePointSeconds * seconds)
        await this.#platform.post(String(url), json, charge.owner, "chargingprofiles")
      })()
      return answer("ACCEPTED")
    }
    if (method === "PUT") {
      this.#profiles.set(charge.id, (body as Json)["charging_profile"] as Json)
      return later({ result: "ACCEPTED" })
    }
    if (method === "DELETE")
      return later({ result: this.#profiles.delete(charge.id) ? "ACCEPTED" : "UNKNOWN" })
    return later({
      result: "ACCEPTED",
      profile: {
        start_date_time: moment(this.#platform.making, 0),
        charging_profile: {
          charging_rate_unit: "W",
          duration: Number(query.get("duration")),
          charging_profile_period: [{ start_period: 0, limit: 11_000 }]
        }
      }
    })
  }

  /** PUT of charging preferences: no EVSE of the stranger is capable of them. */
  preferences(body: unknown): Said {
    const flaw = flawOf("ChargingPreferences", body, this.#platform.making.version)
    return flaw === undefined
      ? { http: 404, code: this.#platform.making.version === "2.2" ? 2000 : 2001 }
      : invalid(flaw)
  }

  #method(word: string): string {
    return this.#platform.making.version === "2.1.1" ? "AUTH_REQUEST" : word
  }

  #isSame(one: unknown, other: unknown): boolean {
    return isSame(one, other, this.#platform.making)
  }

  #newId(kind: string): string {
    this.#numbers += 1
    return idFor(this.#platform.making, kind, this.#numbers).slice(0, 36)
  }

  #tariffsOf(owner: Identity): ReadonlyArray<Json> {
    const { version } = this.#platform.making
    return version === "2.1.1"
      ? this.tariffs
      : this.tariffs.filter((one) => one["party_id"] === owner.party && one["country_code"] === owner.country)
  }

  #isBusy(evse: Json): boolean {
    return evse["status"] === "CHARGING" || evse["status"] === "RESERVED"
  }

  #chargeAt(
    place: Place,
    given: Json | undefined,
    token: Json,
    method: string,
    authorization: string | undefined,
    connectorId?: string
  ): Charge | undefined {
    const { making } = this.#platform
    const evse = given ?? making.chance.of(place.location["evses"] as ReadonlyArray<Json>)
    const connectors = evse["connectors"] as ReadonlyArray<Json>
    const connector =
      connectorId === undefined ? connectors[0] : connectors.find(({ id }) => this.#isSame(id, connectorId))
    if (connector === undefined) return undefined
    const tariffId =
      (connector["tariff_ids"] as ReadonlyArray<string> | undefined)?.[0] ?? connector["tariff_id"]
    const now = tick(making.now(), making.freedoms, making.version)
    return {
      id: this.#newId("SESSION"),
      owner: place.owner,
      location: place.location,
      evse,
      connector,
      tariff: this.tariffs.find(({ id }) => this.#isSame(id, tariffId)),
      token,
      method,
      authorization,
      start: now,
      end: undefined,
      kwh: 0,
      status: "ACTIVE",
      changed: now
    }
  }

  /** Now, and later than the last time. */
  #touched(before: number): number {
    const { freedoms, now, version } = this.#platform.making
    const at = tick(now(), freedoms, version)
    return at > before ? at : before + 1000 / 10 ** (version === "2.1.1" ? 0 : freedoms.digits)
  }

  #setStatus(place: Place, evse: Json, status: string): void {
    const { making } = this.#platform
    const at = moment(making, 0)
    const uid = evse["uid"]
    place.location = {
      ...place.location,
      evses: (place.location["evses"] as ReadonlyArray<Json>).map((one) =>
        one["uid"] === uid ? { ...one, status, last_updated: at } : one
      ),
      last_updated: at
    }
    const ids = [String(place.location["id"]), String(uid)]
    if (making.freedoms.pushes === "patch")
      void this.#platform.push(
        "PATCH",
        "locations",
        place.owner,
        ids,
        { status, last_updated: at },
        undefined
      )
    else if (making.freedoms.pushes === "put") {
      const now = (place.location["evses"] as ReadonlyArray<Json>).find((one) => one["uid"] === uid)
      void this.#platform.push("PUT", "locations", place.owner, ids, now ?? {}, "EVSE")
    }
  }

  #free(charge: Charge): void {
    const place = this.#places.find(({ location }) => location["id"] === charge.location["id"])
    if (place !== undefined) this.#setStatus(place, charge.evse, "AVAILABLE")
  }

  async #begin(charge: Charge): Promise<void> {
    const reserved = this.#reservations.find((one) => one.charge.evse["uid"] === charge.evse["uid"])
    this.#reservations = this.#reservations.filter((one) => one !== reserved)
    const { beginsPending, meterSeconds } = this.#platform.making.freedoms
    // The session of a reservation goes on as that of the charge (mod_sessions, SessionStatus enum).
    const begun = reserved?.charge ?? charge
    begun.start = this.#touched(begun.changed)
    begun.changed = begun.start
    begun.status = beginsPending ? "PENDING" : "ACTIVE"
    if (!this.#charges.includes(begun)) this.#charges.push(begun)
    await this.#tell(begun, "PUT")
    if (beginsPending) {
      await this.#platform.sleep(8 * seconds)
      if (begun.status !== "PENDING") return
      begun.status = "ACTIVE"
      begun.changed = this.#touched(begun.changed)
      // From now on its start is the moment of activation (mod_sessions, Session Object).
      begun.start = begun.changed
      await this.#tell(begun, "PATCH")
    }
    while (begun.status === "ACTIVE") {
      await this.#platform.sleep(meterSeconds * seconds)
      if (begun.status !== "ACTIVE") return
      begun.kwh = Math.round((begun.kwh + 0.25) * 1000) / 1000
      begun.changed = this.#touched(begun.changed)
      await this.#tell(begun, "PATCH")
    }
  }

  async #end(charge: Charge): Promise<void> {
    // Two commands to stop may both be on their way to the charge point.
    if (charge.status === "COMPLETED") return
    charge.status = "COMPLETED"
    charge.end = this.#touched(charge.changed)
    charge.changed = charge.end
    this.#profiles.delete(charge.id)
    this.#free(charge)
    await this.#tell(charge, "PATCH")
    await this.#platform.sleep(2 * seconds)
    const cdr = cdrOf(
      this.#platform.making,
      { ...charge, changed: this.#touched(charge.changed) },
      this.#newId("CDR")
    )
    this.cdrs.push(cdr)
    if (this.#platform.making.freedoms.pushes !== "none")
      await this.#platform.push("POST", "cdrs", charge.owner, [], cdr, "CDR")
  }

  async #release({ charge, id }: Reservation): Promise<void> {
    // It may expire while the command that cancels it is on its way to the charge point.
    if (charge.status === "COMPLETED") return
    this.#reservations = this.#reservations.filter((one) => one.id !== id || one.charge !== charge)
    this.#free(charge)
    if (!this.#charges.includes(charge)) return
    charge.status = "COMPLETED"
    charge.end = this.#touched(charge.changed)
    charge.changed = charge.end
    await this.#tell(charge, "PATCH")
  }

  async #expire(reservation: Reservation): Promise<void> {
    await this.#platform.sleep(Math.max(0, reservation.expires - this.#platform.making.now()))
    if (this.#reservations.includes(reservation)) await this.#release(reservation)
  }

  async #tell(charge: Charge, method: "PUT" | "PATCH"): Promise<void> {
    const { making, push } = this.#platform
    if (making.freedoms.pushes === "none") return
    const json = sessionOf(making, charge)
    const isPart = method === "PATCH" && making.freedoms.pushes === "patch"
    const changed = [
      "kwh",
      "status",
      "total_cost",
      "charging_periods",
      "start_date_time",
      "start_datetime",
      "end_date_time",
      "end_datetime",
      "last_updated"
    ]
    const periods = json["charging_periods"] as ReadonlyArray<unknown>
    const patch = Object.fromEntries(
      changed
        .filter((name) => name in json && (name !== "charging_periods" || periods.length > 0))
        .map((name) => [name, json[name]])
    )
    await push(
      isPart ? "PATCH" : "PUT",
      "sessions",
      charge.owner,
      [charge.id],
      isPart ? patch : json,
      isPart ? undefined : "Session"
    )
  }
}
