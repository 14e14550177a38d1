/** The commands that a CPO takes (mod_commands, Receiver Interface), and the reservations that they make. */
import { invalid } from "../interfaces/replies.ts"
import type { Charge } from "../objects/charges.ts"
import { momentOf } from "../objects/dress.ts"
import type { Identity } from "../objects/Holdings.ts"
import { flawOf, isJson, type Json } from "../objects/validity.ts"
import type { Said } from "../wire.ts"
import type { ChargePoints, Platform } from "./ChargePoints.ts"

interface Reservation {
  readonly id: string
  readonly charge: Charge
  readonly expires: number
  readonly location: Json
}

const seconds = 1000

/** The commands of a stranger. */
export class Commands {
  readonly #platform: Platform
  readonly #points: ChargePoints
  #reservations: Array<Reservation> = []

  constructor(platform: Platform, points: ChargePoints) {
    this.#platform = platform
    this.#points = points
  }

  /** POST of a command. */
  answer(name: string, body: unknown): Said | undefined {
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
      const charge = this.#points.charges.find(({ id }) => this.#points.isSame(id, body["session_id"]))
      if (charge === undefined || charge.status === "RESERVATION") return answer("UNKNOWN_SESSION")
      if (charge.status === "COMPLETED") return answer("REJECTED")
      return later("ACCEPTED", charge.owner, () => this.#points.end(charge))
    }
    if (name === "CANCEL_RESERVATION") {
      const kept = this.#reservations.find(({ id }) => this.#points.isSame(id, body["reservation_id"]))
      if (kept === undefined) return later("UNKNOWN_RESERVATION", this.#platform.making.parties[0]!)
      return later("ACCEPTED", kept.charge.owner, () => this.#release(kept))
    }
    const place = this.#points.places.find(({ location }) =>
      this.#points.isSame(location["id"], body["location_id"])
    )
    if (place === undefined) return { http: 200, code: 2003, message: "no such location" }
    const evses = place.location["evses"] as ReadonlyArray<Json>
    if (body["connector_id"] !== undefined && body["evse_uid"] === undefined)
      return invalid("connector_id without evse_uid")
    const evse =
      body["evse_uid"] === undefined || body["evse_uid"] === null
        ? evses.find(({ status }) => status === "AVAILABLE")
        : evses.find(({ uid }) => this.#points.isSame(uid, body["evse_uid"]))
    if (evse === undefined) return answer("REJECTED")
    const connectors = evse["connectors"] as ReadonlyArray<Json>
    const connectorId = body["connector_id"]
    if (typeof connectorId === "string" && !connectors.some(({ id }) => this.#points.isSame(id, connectorId)))
      return answer("REJECTED")
    if (name === "UNLOCK_CONNECTOR") return later("ACCEPTED", place.owner)
    const token = body["token"] as Json
    const authorization = body["authorization_reference"] as string | undefined
    if (name === "RESERVE_NOW") {
      const expires = momentOf(body["expiry_date"]) ?? 0
      if (expires <= this.#platform.making.now()) return answer("REJECTED")
      const id = String(body["reservation_id"])
      const same = this.#reservations.find(
        (one) => this.#points.isSame(one.id, id) && one.location["id"] === place.location["id"]
      )
      if (same !== undefined) {
        const again = { ...same, expires }
        this.#reservations = this.#reservations.map((one) => (one === same ? again : one))
        return later("ACCEPTED", place.owner, () => this.#expire(again))
      }
      if (evse["status"] !== "AVAILABLE") return answer("REJECTED")
      const charge = this.#points.chargeAt(place, evse, token, this.#method("COMMAND"), authorization)
      if (charge === undefined) return answer("REJECTED")
      charge.status = "RESERVATION"
      const made: Reservation = { id, charge, expires, location: place.location }
      this.#reservations.push(made)
      return later("ACCEPTED", place.owner, async () => {
        this.#points.setStatus(place, evse, "RESERVED")
        if (version !== "2.1.1") {
          this.#points.charges.push(charge)
          await this.#points.tell(charge, "PUT")
        }
        await this.#expire(made)
      })
    }
    const reservedHere = this.#reservations.find(
      ({ charge }) =>
        charge.evse["uid"] === evse["uid"] && this.#points.isSame(charge.token["uid"], token["uid"])
    )
    if (evse["status"] !== "AVAILABLE" && reservedHere === undefined)
      return version === "2.1.1" ? answer("REJECTED") : later("EVSE_OCCUPIED", place.owner)
    const charge = this.#points.chargeAt(
      place,
      evse,
      token,
      this.#method("COMMAND"),
      authorization,
      typeof connectorId === "string" ? connectorId : undefined
    )
    if (charge === undefined) return answer("REJECTED")
    this.#points.setStatus(place, evse, "CHARGING")
    return later("ACCEPTED", place.owner, () => this.#begin(charge))
  }

  /** Begins a charge for the token of a command that was refused, where it names one. */
  startAnyway(said: Said, body: unknown): void {
    const token = isJson(body) ? body["token"] : undefined
    const result = isJson(said.data) ? said.data["result"] : undefined
    const [first] = this.#points.places
    if (result === "ACCEPTED" || !isJson(body) || !isJson(token) || first === undefined) return
    const place =
      this.#points.places.find(({ location }) => this.#points.isSame(location["id"], body["location_id"])) ??
      first
    const evses = place.location["evses"] as ReadonlyArray<Json>
    const evse = evses.find(({ uid }) => this.#points.isSame(uid, body["evse_uid"])) ?? evses[0]
    const charge = this.#points.chargeAt(place, evse, token, this.#method("COMMAND"), undefined)
    if (charge !== undefined) void this.#points.begin(charge, undefined)
  }

  #method(word: string): string {
    return this.#platform.making.version === "2.1.1" ? "AUTH_REQUEST" : word
  }

  async #begin(charge: Charge): Promise<void> {
    const reserved = this.#reservations.find((one) => one.charge.evse["uid"] === charge.evse["uid"])
    this.#reservations = this.#reservations.filter((one) => one !== reserved)
    await this.#points.begin(charge, reserved?.charge)
  }

  async #release({ charge, id }: Reservation): Promise<void> {
    // It may expire while the command that cancels it is on its way to the charge point.
    if (charge.status === "COMPLETED") return
    this.#reservations = this.#reservations.filter((one) => one.id !== id || one.charge !== charge)
    this.#points.free(charge)
    if (!this.#points.charges.includes(charge)) return
    charge.status = "COMPLETED"
    charge.end = this.#points.touched(charge.changed)
    charge.changed = charge.end
    await this.#points.tell(charge, "PATCH")
  }

  async #expire(reservation: Reservation): Promise<void> {
    await this.#platform.sleep(Math.max(0, reservation.expires - this.#platform.making.now()))
    if (this.#reservations.includes(reservation)) await this.#release(reservation)
  }
}
