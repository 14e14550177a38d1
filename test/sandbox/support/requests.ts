/** The requests of `wire.ts`: every kind that a partner of a role answers. */
import { Effect } from "effect"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { Parties } from "../../../src/party/Parties.ts"
import type { PartyObject } from "../../../src/store/parties/PartyStore.ts"
import type { Asked } from "./wire.ts"

interface Setting {
  readonly version: OcpiVersion
  readonly role: Role
  /** Objects like those that the partner holds, and like those that its counterpart sends it. */
  readonly own: ReadonlyArray<PartyObject>
  readonly theirs: ReadonlyArray<PartyObject>
  readonly ask: (asked: Asked) => Effect.Effect<unknown, never, Parties>
  /** Waits until the partner has pushed something of that operation, so many times. */
  readonly pushed: (operation: string, times?: number) => Effect.Effect<unknown>
}

const longAgo = "2020-01-01T00:00:00Z"
const never = "2099-01-01T00:00:00Z"

export const requestsTo = (setting: Setting) =>
  Effect.gen(function* () {
    const { ask, role, version } = setting
    const profile = profileOf(version)
    const versions = { module: "versions", path: ["versions"] }
    const details = { module: "versions", path: [version] }
    yield* ask({ ...versions, name: "versions" })
    for (const token of ["none", "wrong", "malformed", "other form"] as const)
      yield* ask({ ...versions, name: `versions, ${token} token`, token })
    yield* ask({ ...details, name: "details" })
    yield* ask({ ...details, name: "details, wrong token", token: "wrong" })
    yield* ask({ module: "credentials", name: "credentials", path: [version, "credentials"] })
    const lists =
      role === "CPO" ? (["locations", "sessions", "cdrs", "tariffs"] as const) : (["tokens"] as const)
    for (const module of lists) {
      const list = { module, path: [version, module] }
      const query = { date_from: longAgo }
      yield* ask({ ...list, name: `${module}`, query })
      yield* ask({ ...list, name: `${module}, one`, query: { ...query, limit: "1" } })
      yield* ask({ ...list, name: `${module}, none`, query: { date_from: never } })
      yield* ask({ ...list, name: `${module}, bad query`, query: { date_from: "yesterday" } })
      yield* ask({ ...list, name: `${module}, none token`, query, token: "none" })
      yield* ask({ ...list, name: `${module}, wrong token`, query, token: "wrong" })
    }
    yield* role === "CPO" ? toCpo(setting) : toEmsp(setting)
    yield* setting.pushed(role === "CPO" ? "PUT location" : "PUT token", role === "CPO" ? 8 : 14)
    if (profile.objects.ClientInfo !== undefined)
      yield* ask({
        module: "hubclientinfo",
        name: "PUT clientinfo",
        method: "PUT",
        path: [version, "hubclientinfo", "FR", "OTH"],
        body: {
          country_code: "FR",
          party_id: "OTH",
          role: "CPO",
          status: "CONNECTED",
          last_updated: longAgo
        }
      })
  })

const first = (objects: ReadonlyArray<PartyObject>, module: string): any =>
  // any: a test looks into JSON of any shape
  objects.find((object) => object.module === module)!.json

function toCpo({ ask, own, pushed, theirs, version }: Setting) {
  return Effect.gen(function* () {
    const profile = profileOf(version)
    const location = first(own, "locations")
    const evse = location.evses[0]
    const token = first(theirs, "tokens")
    yield* ask({ module: "locations", name: "GET location", path: [version, "locations", location.id] })
    yield* ask({ module: "locations", name: "GET evse", path: [version, "locations", location.id, evse.uid] })
    const tokens = { module: "tokens", path: [version, "tokens", "DE", "SBM", token.uid] }
    yield* ask({ ...tokens, name: "PUT token", method: "PUT", body: token })
    yield* ask({ ...tokens, name: "GET token" })
    yield* ask({
      ...tokens,
      name: "PATCH token",
      method: "PATCH",
      body: { valid: true, last_updated: longAgo }
    })
    yield* ask({
      module: "tokens",
      name: "PATCH token, unknown",
      method: "PATCH",
      path: [version, "tokens", "DE", "SBM", "NOBODY"],
      body: { valid: true, last_updated: longAgo }
    })

    const command = (name: string, word: string, body: object) =>
      ask({
        module: "commands",
        name,
        method: "POST",
        path: [version, "commands", word],
        body: { response_url: "https://partner.example/result", ...body }
      })
    const at = { location_id: location.id, evse_uid: evse.uid }
    const reservation = profile.reservationId === "number" ? 1 : "R1"
    const reference = profile.authorizationDetails ? { authorization_reference: "REF-1" } : {}
    yield* command("START_SESSION", "START_SESSION", { token, ...at, ...reference })
    yield* pushed("PATCH session", 3)
    const started = `SES-1-${own.filter(({ module }) => module === "sessions").length + 1}`
    if (profile.modules.includes("chargingprofiles")) {
      const profiles = { module: "chargingprofiles", path: [version, "chargingprofiles", started] }
      const response_url = "https://partner.example/profile"
      yield* ask({
        ...profiles,
        name: "PUT chargingprofile",
        method: "PUT",
        body: {
          response_url,
          charging_profile: {
            charging_rate_unit: "W",
            charging_profile_period: [{ start_period: 0, limit: 11000 }]
          }
        }
      })
      yield* pushed("PUT active-profile")
      yield* ask({ ...profiles, name: "GET chargingprofile", query: { response_url, duration: "900" } })
      yield* ask({ ...profiles, name: "DELETE chargingprofile", method: "DELETE", query: { response_url } })
      yield* pushed("profile-result", 3)
      yield* ask({
        ...profiles,
        name: "GET chargingprofile, unknown session",
        path: [version, "chargingprofiles", "NO-SUCH-SESSION"],
        query: { response_url, duration: "900" }
      })
    }
    yield* command("STOP_SESSION", "STOP_SESSION", { session_id: started })
    yield* pushed("POST cdr")
    yield* command("RESERVE_NOW", "RESERVE_NOW", {
      token,
      ...at,
      reservation_id: reservation,
      expiry_date: never
    })
    yield* command("START_SESSION, unknown location", "START_SESSION", { token, location_id: "NOWHERE" })
    yield* command("STOP_SESSION, unknown session", "STOP_SESSION", { session_id: "NO-SUCH-SESSION" })
    yield* ask({
      module: "sessions",
      name: "PUT charging_preferences, unknown session",
      method: "PUT",
      path: [version, "sessions", "NO-SUCH-SESSION", "charging_preferences"],
      body: { profile_type: "REGULAR" }
    })
    yield* ask({
      module: "sessions",
      name: "sessions, after charging",
      path: [version, "sessions"],
      query: { date_from: longAgo }
    })
    yield* ask({
      module: "cdrs",
      name: "cdrs, after charging",
      path: [version, "cdrs"],
      query: { date_from: longAgo }
    })
  })
}

function toEmsp({ ask, own, theirs, version }: Setting) {
  return Effect.gen(function* () {
    for (const valid of [true, false]) {
      const token = own.find(({ json }) => json["valid"] === valid && json["type"] === "RFID")!.json
      yield* ask({
        module: "tokens",
        name: valid ? "authorize" : "authorize, invalid token",
        method: "POST",
        path: [version, "tokens", String(token["uid"]), "authorize"]
      })
    }
    yield* ask({
      module: "tokens",
      name: "authorize, unknown token",
      method: "POST",
      path: [version, "tokens", "NOBODY", "authorize"]
    })
    const card = String(
      own.find(({ json }) => json["valid"] === true && json["type"] === "RFID")!.json["uid"]
    )
    const authorize = { module: "tokens", method: "POST", path: [version, "tokens", card, "authorize"] }
    const place = { location_id: "LOC-1", evse_uids: ["EVSE-1"] }
    yield* ask({ ...authorize, name: "authorize at a place", query: { type: "RFID" }, body: place })
    yield* ask({ ...authorize, name: "authorize, other type", query: { type: "OTHER" }, body: place })
    yield* ask({ ...authorize, name: "authorize, no location", body: { evse_uids: ["EVSE-1"] } })
    yield* ask({ ...authorize, name: "POST token", path: [version, "tokens", card] })
    for (const module of ["locations", "sessions", "tariffs"] as const) {
      const object = first(theirs, module)
      const one = module.slice(0, -1)
      const path = [version, module, "NL", "SBX", object.id]
      yield* ask({ module, name: `PUT ${one}`, method: "PUT", path, body: object })
      if (module === "sessions")
        yield* ask({
          module,
          name: "PATCH session",
          method: "PATCH",
          path,
          body: { charging_periods: object.charging_periods, last_updated: longAgo }
        })
      yield* ask({ module, name: `GET ${one}`, path })
      const unknown = [version, module, "NL", "SBX", "UNKNOWN"]
      if (module !== "tariffs")
        yield* ask({
          module,
          name: `PATCH ${one}, unknown`,
          method: "PATCH",
          path: unknown,
          body: { last_updated: longAgo }
        })
      else yield* ask({ module, name: `DELETE ${one}, unknown`, method: "DELETE", path: unknown })
    }
    const cdr = first(theirs, "cdrs")
    yield* ask({ module: "cdrs", name: "POST cdr", method: "POST", path: [version, "cdrs"], body: cdr })
    yield* ask({ module: "cdrs", name: "GET cdr", path: [version, "cdrs", "NL", "SBX", cdr.id] })
  })
}
