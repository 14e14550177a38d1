/** The charging profiles and preferences that a CPO takes (mod_charging_profiles, Receiver Interface; mod_sessions). */
import { invalid } from "../interfaces/replies.ts"
import { moment } from "../objects/Holdings.ts"
import { flawOf, isJson, type Json } from "../objects/validity.ts"
import type { Said } from "../wire.ts"
import type { ChargePoints, Platform } from "./ChargePoints.ts"

const seconds = 1000

/** The charging profiles of a stranger's sessions. */
export class ChargingProfiles {
  readonly #platform: Platform
  readonly #points: ChargePoints

  constructor(platform: Platform, points: ChargePoints) {
    this.#platform = platform
    this.#points = points
  }

  /** A request about a charging profile (mod_charging_profiles, Receiver Interface). */
  answer(method: string, sessionId: string, query: URLSearchParams, body: unknown): Said {
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
    const charge = this.#points.charges.find(({ id }) => this.#points.isSame(id, sessionId))
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
      this.#points.profiles.set(charge.id, (body as Json)["charging_profile"] as Json)
      return later({ result: "ACCEPTED" })
    }
    if (method === "DELETE")
      return later({ result: this.#points.profiles.delete(charge.id) ? "ACCEPTED" : "UNKNOWN" })
    const known = this.#points.profiles.get(charge.id)
    return later({
      result: "ACCEPTED",
      profile: {
        start_date_time: moment(this.#platform.making, 0),
        charging_profile: {
          charging_rate_unit: known?.["charging_rate_unit"] ?? "W",
          duration: Number(query.get("duration")),
          charging_profile_period: known?.["charging_profile_period"] ?? [{ start_period: 0, limit: 11_000 }]
        }
      }
    })
  }

  /** Makes the profile active that a refused PUT has brought. */
  setAnyway(sessionId: string, body: unknown): void {
    const charge = this.#points.charges.find(({ id }) => this.#points.isSame(id, sessionId))
    const profile = isJson(body) ? body["charging_profile"] : undefined
    if (charge !== undefined && isJson(profile)) this.#points.profiles.set(charge.id, profile)
  }

  /** PUT of charging preferences: no EVSE of the stranger is capable of them. */
  preferences(body: unknown): Said {
    const flaw = flawOf("ChargingPreferences", body, this.#platform.making.version)
    return flaw === undefined
      ? { http: 404, code: this.#platform.making.version === "2.2" ? 2000 : 2001 }
      : invalid(flaw)
  }
}
