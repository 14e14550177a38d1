/** Charging profiles (mod_charging_profiles): a CPO sets, reads and clears them; an EMSP receives the results. */
import { Effect, Option } from "effect"
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import type { ObjectName } from "../../../../schema/ocpi/VersionProfile.ts"
import { objectIn, textIn } from "../../../findings/json.ts"
import { readRouting } from "../../../ocpi/routing.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { ChargingSimulation } from "../../simulation/ChargingSimulation.ts"
import type { ProfileOrder } from "../../simulation/chargePoint/chargingProfiles.ts"
import { nowIso } from "../../wire/instants.ts"
import { canAt } from "../capabilities.ts"
import { type ModuleCall, type Route, refusal, success } from "../Route.ts"
import { valid, validBody } from "../requestBody.ts"
import { keepResult } from "./keepResult.ts"

/** The `timeout` in each answer: how long a result may take. */
const resultTimeoutSeconds = 30

const receiver = { module: "chargingprofiles", interfaceRole: "RECEIVER", pattern: ["{id}"] } as const
const sender = { module: "chargingprofiles", interfaceRole: "SENDER" } as const

const setProfile = Effect.fnUntraced(function* (call: ModuleCall) {
  const body = yield* validBody(call, "SetChargingProfile")
  return yield* take(call, {
    request: "set",
    responseUrl: String(body["response_url"]),
    profile: objectIn(body["charging_profile"])
  })
})

const readProfile = Effect.fnUntraced(function* (call: ModuleCall) {
  const duration = call.request.query.get("duration") ?? ""
  if (!/^\d{1,9}$/.test(duration))
    return yield* refusal(ocpiStatus.invalidParameters, "duration must be given, in whole seconds")
  const responseUrl = yield* responseUrlOf(call)
  return yield* take(call, { request: "read", responseUrl, durationSeconds: Number(duration) })
})

function clearProfile(call: ModuleCall) {
  return Effect.flatMap(responseUrlOf(call), (responseUrl) => take(call, { request: "clear", responseUrl }))
}

function responseUrlOf({ request }: ModuleCall) {
  const url = textIn(request.query.get("response_url"))
  return url !== undefined && URL.canParse(url)
    ? Effect.succeed(url)
    : Effect.fail(refusal(ocpiStatus.invalidParameters, "response_url must be given, an absolute URL"))
}

/** Decides whether the request is accepted, and passes an accepted one to the charge point. */
const take = Effect.fnUntraced(function* (
  call: ModuleCall,
  order: Omit<ProfileOrder, "sessionId" | "from" | "correlationId">
) {
  const simulation = yield* ChargingSimulation
  const sessionId = call.params["id"]!
  const result = yield* verdict(call, sessionId)
  if (result === "ACCEPTED")
    yield* simulation.carryOutProfile(call.party, {
      ...order,
      sessionId,
      from: readRouting(call.request.headers).from,
      correlationId: call.correlationId
    })
  return success({ result, timeout: resultTimeoutSeconds })
})

const verdict = Effect.fnUntraced(function* (call: ModuleCall, sessionId: string) {
  const store = yield* PartyStore
  const session = yield* store.object(call.party.id, "sessions", "own", sessionId)
  if (Option.isNone(session)) return "UNKNOWN_SESSION"
  const { json } = session.value
  if (!(yield* canAt(call, json, "CHARGING_PROFILE_CAPABLE"))) return "NOT_SUPPORTED"
  return json["status"] === "ACTIVE" || json["status"] === "PENDING" ? "ACCEPTED" : "REJECTED"
})

/** The second last segment of our response_url names the object that is to come. */
const results: ReadonlySet<string> = new Set<ObjectName>([
  "ChargingProfileResult",
  "ActiveChargingProfileResult",
  "ClearProfileResult"
])

const takeResult = Effect.fnUntraced(function* (call: ModuleCall) {
  const { key, result } = call.params as { result: string; key: string } // the pattern has these names
  yield* keepResult(call, result, key)
  if (results.has(result)) yield* valid(call.profile, result as ObjectName, call.json)
  return success()
})

/** Accepts an ActiveChargingProfile for a session about whose profile we asked. */
const takeActive = Effect.fnUntraced(function* (call: ModuleCall) {
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

/** Routes of the module chargingprofiles. */
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
