/** A CPO's charge points: where they are, the charges at them with their sessions and CDRs, and what changes by itself. */
import { isSame } from "../interfaces/clientOwned.ts"
import { type Charge, cdrOf, sessionOf } from "../objects/charges.ts"
import { tick } from "../objects/dress.ts"
import { type Identity, idFor, type Making, moment } from "../objects/Holdings.ts"
import { locationOf, tariffOf } from "../objects/places.ts"
import type { Json } from "../objects/validity.ts"

/** What charge points ask of the platform that they are part of. */
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

/** A location of a party. */
export interface Place {
  readonly owner: Identity
  location: Json
}

const seconds = 1000

/** The charge points of a stranger. */
export class ChargePoints {
  readonly tariffs: Array<Json> = []
  readonly cdrs: Array<Json> = []
  readonly charges: Array<Charge> = []
  readonly places: Array<Place> = []
  /** Charging profiles, by the id of the session. */
  readonly profiles = new Map<string, Json>()
  readonly #platform: Platform
  #numbers = 0

  constructor(platform: Platform) {
    this.#platform = platform
    const { chance, freedoms, parties } = platform.making
    const perParty = parties.map((owner, index) => {
      const numbers = freedoms.leftOut.includes("tariffs") ? [] : [1, 2]
      const tariffs = numbers.map((number) => tariffOf(platform.making, owner, index * 10 + number))
      this.tariffs.push(...tariffs)
      return { owner, tariffs }
    })
    for (let number = 1; number <= freedoms.objects; number += 1) {
      const { owner, tariffs } = chance.of(perParty)
      this.places.push({ owner, location: locationOf(platform.making, owner, number, tariffs) })
    }
  }

  get locations(): ReadonlyArray<Json> {
    return this.places.map(({ location }) => location)
  }

  get sessions(): ReadonlyArray<Json> {
    return this.charges.map((charge) => sessionOf(this.#platform.making, charge))
  }

  /** Charges of the past, for a token of the partner. */
  remember(token: Json): void {
    const { chance, freedoms, now, version } = this.#platform.making
    if (this.charges.length > 0 || this.places.length === 0) return
    for (let number = 1; number <= freedoms.objects; number += 1) {
      const charge = this.chargeAt(chance.of(this.places), undefined, token, "WHITELIST", undefined)
      if (charge === undefined) continue
      const start = Math.floor(now() / 60_000) * 60_000 - chance.between(1, 30) * 86_400_000
      const past: Charge = { ...charge, start }
      past.end = start + chance.between(10, 120) * 60_000
      past.changed = past.end + 5 * seconds
      past.kwh = chance.between(1000, 40_000) / 1000
      if (freedoms.pauses) {
        past.idle = Math.floor((past.end - start) / 300_000) * 60_000
        past.parked = Math.floor((past.end - start) / 240_000) * 60_000
      }
      if (freedoms.reservedFirst && version !== "2.1.1" && number % 2 === 0)
        past.reserved = start - 20 * 60_000
      past.status = "COMPLETED"
      this.charges.push(past)
      this.cdrs.push(
        cdrOf(this.#platform.making, { ...past, changed: past.end + 60_000 }, this.#newId("CDR"))
      )
    }
  }

  /** Something changes by itself. */
  change(): void {
    const { chance } = this.#platform.making
    if (this.places.length === 0) return
    const place = chance.of(this.places)
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
      this.places.push({ owner: place.owner, location: fresh })
      void this.#platform.push("PUT", "locations", place.owner, [String(fresh["id"])], fresh, "Location")
      return
    }
    if (this.#isBusy(evse)) return
    this.setStatus(place, evse, evse["status"] === "AVAILABLE" ? "OUTOFORDER" : "AVAILABLE")
  }

  /** Are the two ids the same? */
  isSame(one: unknown, other: unknown): boolean {
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

  /** A charge at an EVSE of that place, which may be given, that has not begun; undefined: there is no such connector. */
  chargeAt(
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
      connectorId === undefined ? connectors[0] : connectors.find(({ id }) => this.isSame(id, connectorId))
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
      tariff: this.tariffs.find(({ id }) => this.isSame(id, tariffId)),
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
  touched(before: number): number {
    const { freedoms, now, version } = this.#platform.making
    const at = tick(now(), freedoms, version)
    return at > before ? at : before + 1000 / 10 ** (version === "2.1.1" ? 0 : freedoms.digits)
  }

  /** An EVSE has that status from now on, and the partner is told. */
  setStatus(place: Place, evse: Json, status: string): void {
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

  /** The EVSE of a charge is available again. */
  free(charge: Charge): void {
    const place = this.places.find(({ location }) => location["id"] === charge.location["id"])
    if (place !== undefined) this.setStatus(place, charge.evse, "AVAILABLE")
  }

  /** A charge begins, and goes on until it is ended; `reserved`: the one of the reservation that it makes use of. */
  async begin(charge: Charge, reserved: Charge | undefined): Promise<void> {
    const { beginsPending, meterSeconds } = this.#platform.making.freedoms
    // The session of a reservation goes on as that of the charge (mod_sessions, SessionStatus enum).
    const begun = reserved ?? charge
    begun.start = this.touched(begun.changed)
    begun.changed = begun.start
    begun.status = beginsPending ? "PENDING" : "ACTIVE"
    if (!this.charges.includes(begun)) this.charges.push(begun)
    await this.tell(begun, "PUT")
    if (beginsPending) {
      await this.#platform.sleep(8 * seconds)
      if (begun.status !== "PENDING") return
      begun.status = "ACTIVE"
      begun.changed = this.touched(begun.changed)
      // From now on its start is the moment of activation (mod_sessions, Session Object).
      begun.start = begun.changed
      await this.tell(begun, "PATCH")
    }
    while (begun.status === "ACTIVE") {
      await this.#platform.sleep(meterSeconds * seconds)
      if (begun.status !== "ACTIVE") return
      begun.kwh = Math.round((begun.kwh + 0.25) * 1000) / 1000
      begun.changed = this.touched(begun.changed)
      await this.tell(begun, "PATCH")
    }
  }

  /** A charge ends: the partner is told, and a CDR follows. */
  async end(charge: Charge): Promise<void> {
    // Two commands to stop may both be on their way to the charge point.
    if (charge.status === "COMPLETED") return
    charge.status = "COMPLETED"
    charge.end = this.touched(charge.changed)
    charge.changed = charge.end
    this.profiles.delete(charge.id)
    this.free(charge)
    await this.tell(charge, "PATCH")
    await this.#platform.sleep(2 * seconds)
    const cdr = cdrOf(
      this.#platform.making,
      { ...charge, changed: this.touched(charge.changed) },
      this.#newId("CDR")
    )
    this.cdrs.push(cdr)
    if (this.#platform.making.freedoms.pushes !== "none")
      await this.#platform.push("POST", "cdrs", charge.owner, [], cdr, "CDR")
  }

  /** Sends the session of a charge to the partner. */
  async tell(charge: Charge, method: "PUT" | "PATCH"): Promise<void> {
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
