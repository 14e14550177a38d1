/** Charging profiles (mod_charging_profiles): as CPO they are set, read and cleared; as EMSP the results arrive. */
import { Effect, Option } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import type { ObjectName } from "../../../schema/ocpi/VersionProfile.ts"
import { objectIn, textIn } from "../../findings/json.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { ChargingSimulation } from "../simulation/ChargingSimulation.ts"
import type { ProfileOrder } from "../simulation/chargePoint/chargingProfiles.ts"
import { nowIso } from "../wire/instants.ts"
import { canAt } from "./capabilities.ts"
import { keepResult } from "./keepResult.ts"
import { type ModuleCall, type Route, refusal, success } from "./Route.ts"
import { valid, validBody } from "./requestBody.ts"

/** How long a result may take, as we promise in each answer. */
const resultTimeoutSeconds = 30

const receiver = { module: "chargingprofiles", interfaceRole: "RECEIVER", pattern: ["{id}"] } as const
const sender = { module: "chargingprofiles", interfaceRole: "SENDER" } as const

export const chargingProfileRoutes: ReadonlyArray<Route> = [
  { ...receiver, method: "GET", operation: "GET chargingprofile", handle: readProfile },
  { ...receiver, method: "PUT", operation: "PUT chargingprofile", handle: setProfile },
  { ...receiver, method: "DELETE", operation: "DELETE chargingprofile", handle: clearProfile },
  {
    ...sender,
    method: "POST",
    pattern: ["{result}", "{key}"],
    operation: "profile result {result}",
    handle: takeResult
  },
  { ...sender, method: "PUT", pattern: ["{id}"], operation: "PUT active profile", handle: takeActive }
]

function setProfile(call: ModuleCall) {
  return Effect.gen(function* () {
    const body = yield* validBody(call, "SetChargingProfile")
    return yield* take(call, {
      request: "set",
      responseUrl: String(body["response_url"]),
      profile: objectIn(body["charging_profile"])
    })
  })
}

function readProfile(call: ModuleCall) {
  return Effect.gen(function* () {
    const duration = call.request.query.get("duration") ?? ""
    if (!/^\d{1,9}$/.test(duration))
      return yield* refusal(ocpiStatus.invalidParameters, "duration must be given, in whole seconds")
    const responseUrl = yield* responseUrlOf(call)
    return yield* take(call, { request: "read", responseUrl, durationSeconds: Number(duration) })
  })
}

function clearProfile(call: ModuleCall) {
  return Effect.flatMap(responseUrlOf(call), (responseUrl) => take(call, { request: "clear", responseUrl }))
}

function responseUrlOf({ request }: ModuleCall) {
  const url = textIn(request.query.get("response_url"))
  return url !== undefined && URL.canParse(url)
    ? Effect.succeed(url)
    : Effect.fail(refusal(ocpiStatus.invalidParameters, "response_url must be given, an absolute URL"))
}

/** Answers whether the charge point is asked, and asks it. */
function take(call: ModuleCall, order: Omit<ProfileOrder, "sessionId" | "correlationId">) {
  return Effect.gen(function* () {
    const simulation = yield* ChargingSimulation
    const sessionId = call.params["id"]!
    const result = yield* verdict(call, sessionId)
    if (result === "ACCEPTED")
      yield* simulation.carryOutProfile(call.party, {
        ...order,
        sessionId,
        correlationId: call.correlationId
      })
    return success({ result, timeout: resultTimeoutSeconds })
  })
}

function verdict(call: ModuleCall, sessionId: string) {
  return Effect.gen(function* () {
    const store = yield* PartyStore
    const session = yield* store.object(call.party.id, "sessions", "own", sessionId)
    if (Option.isNone(session)) return "UNKNOWN_SESSION"
    const { json } = session.value
    if (!(yield* canAt(call, json, "CHARGING_PROFILE_CAPABLE"))) return "NOT_SUPPORTED"
    return json["status"] === "ACTIVE" || json["status"] === "PENDING" ? "ACCEPTED" : "REJECTED"
  })
}

/** The last segment but one of the response_url that we gave says which object is to come. */
const results: ReadonlySet<string> = new Set<ObjectName>([
  "ChargingProfileResult",
  "ActiveChargingProfileResult",
  "ClearProfileResult"
])

function takeResult(call: ModuleCall) {
  return Effect.gen(function* () {
    const { key, result } = call.params as { result: string; key: string } // names of the pattern
    yield* keepResult(call, result, key)
    if (results.has(result)) yield* valid(call.profile, result as ObjectName, call.json)
    return success()
  })
}

/** What the CPO knows of the profile that is in force, for a session of whose profile we have asked something. */
function takeActive(call: ModuleCall) {
  return Effect.gen(function* () {
    const store = yield* PartyStore
    const json = yield* validBody(call, "ActiveChargingProfile")
    yield* store.putObject(call.party.id, {
      module: "chargingprofiles",
      key: call.params["id"]!,
      side: "received",
      json,
      lastUpdated: yield* nowIso
    })
    return success()
  })
}
