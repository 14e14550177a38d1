/** An EMSP's drivers and its app: what they send about charge points and sessions that the EMSP was told of. */
import type { Chance } from "../chance.ts"
import { isSame } from "../interfaces/clientOwned.ts"
import { type Making, moment } from "../objects/Holdings.ts"
import { flawOf, isJson, type Json } from "../objects/validity.ts"
import type { Said } from "../wire.ts"

/** What the drivers ask of the platform that they belong to. */
export interface App {
  readonly making: Making
  readonly chance: Chance
  readonly sleep: (millis: number) => Promise<void>
  /** Its tokens. */
  readonly tokens: () => ReadonlyArray<Json>
  /** A token as it is shown to partners. */
  readonly shown: (token: Json) => Json
  /** A new URL of its own below that module, where results are received. */
  readonly resultUrl: (module: string, id: string) => string
  /** Sends a request to an interface of a module of the partner. */
  readonly ask: (
    side: "SENDER" | "RECEIVER",
    method: string,
    module: string,
    below: ReadonlyArray<string>,
    query: Readonly<Record<string, string>>,
    json: Json | undefined
  ) => Promise<void>
}

const pause = 2000

const listOf = (json: Json | undefined, field: string): ReadonlyArray<Json> => {
  const value = json?.[field]
  return Array.isArray(value) ? value.filter(isJson) : []
}
const can = (evse: Json | undefined, capability: string): boolean => {
  const all = evse?.["capabilities"]
  return Array.isArray(all) && all.includes(capability)
}

/** The drivers of a stranger. */
export class Drivers {
  readonly #app: App
  readonly #locations = new Map<string, Json>()
  /** What somebody has acted upon. */
  readonly #done = new Set<string>()
  /** Ids in the response_urls that were given away. */
  readonly #asked = new Set<string>()
  #last: Promise<void> = Promise.resolve()

  constructor(app: App) {
    this.#app = app
  }

  /** An object of the partner was stored. */
  told(module: string, json: unknown): void {
    if (!isJson(json)) return
    const key = `${module} ${json["id"]}`
    if (module === "locations") this.#locations.set(String(json["id"]), json)
    if (this.#done.has(key) || (module !== "locations" && module !== "sessions")) return
    this.#done.add(key)
    // One after another: a driver looks at the answer before the next tap.
    this.#last = this.#last.then(() => (module === "locations" ? this.#arrive(json) : this.#steer(json)))
  }

  /** The result of a command. */
  result(id: string | undefined, body: unknown): Said {
    return this.#resultOf("CommandResult", id, body)
  }

  /** The result of a request about a charging profile. */
  profileResult(id: string | undefined, body: unknown): Said {
    return this.#resultOf("ProfileResult", id, body)
  }

  #resultOf(name: string, id: string | undefined, body: unknown): Said {
    const { freedoms, version } = this.#app.making
    if (id === undefined || !this.#asked.has(id)) return { http: 404, code: 2000, message: "nobody asked" }
    const flaw = flawOf(name, body, version)
    return flaw === undefined
      ? { http: 200, code: freedoms.successCode }
      : { http: 200, code: 2001, message: flaw }
  }

  /** Starts, reserves and unlocks where there is a free EVSE, by what it can do. */
  async #arrive(location: Json): Promise<void> {
    const { making, sleep } = this.#app
    const { version } = making
    const location_id = location["id"]
    const evse = listOf(location, "evses").find(({ status }) => status === "AVAILABLE")
    const token = this.#token()
    if (evse === undefined || token === undefined) return
    const evse_uid = evse["uid"]
    const connector_id = listOf(evse, "connectors")[0]?.["id"]
    await sleep(pause)
    if (can(evse, "REMOTE_START_STOP_CAPABLE"))
      await this.#command("START_SESSION", {
        token,
        location_id,
        evse_uid,
        ...(can(evse, "START_SESSION_CONNECTOR_REQUIRED") ? { connector_id } : {}),
        ...(version === "2.1.1" ? {} : { authorization_reference: this.#app.chance.uuid() })
      })
    if (can(evse, "RESERVABLE")) {
      const number = this.#app.chance.between(1, 100_000)
      const reservation_id = version === "2.1.1" ? number : `R-${number}`
      await this.#command("RESERVE_NOW", {
        token,
        expiry_date: moment(making, 900),
        reservation_id,
        location_id,
        evse_uid
      })
      if (version !== "2.1.1") await this.#command("CANCEL_RESERVATION", { reservation_id })
    }
    if (can(evse, "UNLOCK_CAPABLE"))
      await this.#command("UNLOCK_CONNECTOR", { location_id, evse_uid, connector_id })
  }

  /** Names preferences for a session that is under way, and sets, reads and clears its charging profile, where its EVSE takes them. */
  async #steer(session: Json): Promise<void> {
    const { chance, making, resultUrl, sleep } = this.#app
    if (session["status"] !== "ACTIVE") return
    await sleep(pause)
    const location = this.#locations.get(String(session["location_id"]))
    const evse = listOf(location, "evses").find(({ uid }) => isSame(uid, session["evse_uid"], making))
    const id = String(session["id"])
    if (making.version === "2.1.1") return
    if (can(evse, "CHARGING_PREFERENCES_CAPABLE"))
      await this.#app.ask(
        "SENDER",
        "PUT",
        "sessions",
        [id, "charging_preferences"],
        {},
        {
          profile_type: "GREEN",
          departure_time: moment(making, 7200),
          energy_need: 20
        }
      )
    if (!can(evse, "CHARGING_PROFILE_CAPABLE")) return
    const about = async (
      method: string,
      query: Readonly<Record<string, string>>,
      json: ((response_url: string) => Json) | undefined
    ) => {
      const key = chance.uuid()
      this.#asked.add(key)
      const response_url = resultUrl("chargingprofiles", key)
      await this.#app.ask(
        "RECEIVER",
        method,
        "chargingprofiles",
        [id],
        json === undefined ? { ...query, response_url } : query,
        json?.(response_url)
      )
      await sleep(pause)
    }
    await about("PUT", {}, (response_url) => ({
      charging_profile: {
        charging_rate_unit: "W",
        charging_profile_period: [{ start_period: 0, limit: 7400 }]
      },
      response_url
    }))
    await about("GET", { duration: "600" }, undefined)
    await about("DELETE", {}, undefined)
  }

  async #command(name: string, fields: Json): Promise<void> {
    const { ask, chance, resultUrl, sleep } = this.#app
    const key = chance.uuid()
    this.#asked.add(key)
    await ask(
      "RECEIVER",
      "POST",
      "commands",
      [name],
      {},
      { response_url: resultUrl("commands", key), ...fields }
    )
    await sleep(pause)
  }

  #token(): Json | undefined {
    const token = this.#app.tokens().find(({ valid }) => valid === true)
    return token === undefined ? undefined : this.#app.shown(token)
  }
}
