/** Commands (mod_commands): a CPO accepts and carries them out; an EMSP receives their results. */
import { Clock, Effect, Option } from "effect"
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import type { ObjectName } from "../../../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { readRouting } from "../../../ocpi/routing.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { ChargingSimulation } from "../../simulation/ChargingSimulation.ts"
import { heldAnywhere } from "../../simulation/chargePoint/heldAnywhere.ts"
import { resultLeg } from "../../wire/commandLegs.ts"
import { quirksOf } from "../../wire/PartnerQuirks.ts"
import type { ModuleCall, Route } from "../Route.ts"
import { notFound, refusal, success } from "../Route.ts"
import { valid, validBody } from "../requestBody.ts"
import { scriptedAnswer } from "./commandScripts.ts"
import { keepResult } from "./keepResult.ts"

/** The `timeout` in each answer that has one: how long a result may take. */
const resultTimeoutSeconds = 30

type Verdict = "ACCEPTED" | "REJECTED" | "NOT_SUPPORTED" | "UNKNOWN_SESSION"

const takeCommand = Effect.fnUntraced(function* (call: ModuleCall) {
  const simulation = yield* ChargingSimulation
  const command = call.params["command"]!
  if (!call.profile.commands.includes(command))
    return yield* notFound(
      ocpiStatus.clientError,
      `${command} is no command of version ${call.profile.version}`
    )
  const body = yield* validBody(call, command as ObjectName) // every command of a profile is also a name of its objects
  const scripted = yield* scriptedAnswer(call.party.id, command)
  const { refused, subject } = yield* subjectOf(call, command, body)
  const { message, result } =
    refused ??
    (scripted === undefined ? yield* judge(command, body, subject) : { result: scripted, message: undefined })
  if (result === "ACCEPTED" && scripted === undefined)
    yield* simulation.carryOut(call.party, {
      command,
      body,
      from: readRouting(call.request.headers).from,
      correlationId: call.correlationId
    })
  if (!call.profile.commandTimeout) return success({ result })
  return success({
    result,
    timeout: resultTimeoutSeconds,
    ...(message === undefined ? {} : { message: [{ language: "en", text: message }] })
  })
})

/** What a command is about, as we hold it: a session, or a location with its EVSE; empty where it names nothing of ours. */
interface Subject {
  readonly session?: JsonObject
  readonly location?: JsonObject
  readonly evse?: JsonObject
}

const found = (subject: Subject) => ({ refused: undefined, subject })
const missing = (refused: ReturnType<typeof verdict>) => ({ refused, subject: {} as Subject })

/** What the command is about; or the answer that there is no such thing, also where an answer was prepared. */
const subjectOf = Effect.fnUntraced(function* (call: ModuleCall, command: string, body: JsonObject) {
  const store = yield* PartyStore
  const own = (module: string, key: unknown) =>
    Effect.map(
      store.object(call.party.id, module, "own", String(key)),
      Option.map(({ json }) => json)
    )
  if (command === "STOP_SESSION") {
    const [held] = yield* heldAnywhere(
      call.party,
      "stops other EMSPs' sessions",
      "sessions",
      body["session_id"]
    )
    const has = yield* quirksOf(call.party)
    const isFound =
      held !== undefined && (!has("minds the case of session ids") || held.json["id"] === body["session_id"])
    return isFound ? found({ session: held.json }) : missing(verdict("UNKNOWN_SESSION"))
  }
  // The asynchronous result reports an unknown reservation.
  if (body["location_id"] === undefined) return found({})
  const known = yield* own("locations", body["location_id"])
  if (Option.isNone(known))
    return yield* refusal(ocpiStatus.unknownLocation, `No location ${body["location_id"]}`)
  const location = known.value
  const evseUid = textIn(body["evse_uid"])
  if (evseUid === undefined) return found({ location })
  const evse = objectsIn(location["evses"]).find(({ uid }) => sameId(uid, evseUid))
  if (evse === undefined) return missing(verdict("REJECTED", `The location has no EVSE ${evseUid}`))
  const connectorId = textIn(body["connector_id"])
  const isKnown = objectsIn(evse["connectors"]).some(({ id }) => sameId(id, connectorId))
  return connectorId === undefined || isKnown
    ? found({ location, evse })
    : missing(verdict("REJECTED", `The EVSE has no connector ${connectorId}`))
})

const judge = Effect.fnUntraced(function* (
  command: string,
  body: JsonObject,
  { evse, location, session }: Subject
) {
  if (session !== undefined) {
    const { status } = session
    return status === "ACTIVE" || status === "PENDING"
      ? verdict("ACCEPTED")
      : verdict("REJECTED", `The session is ${status}`)
  }
  if (location === undefined) return verdict("ACCEPTED")
  if (command === "RESERVE_NOW" && (yield* isOver(body["expiry_date"])))
    return verdict("REJECTED", "expiry_date is in the past")
  return judgePlace(command, body, location, evse)
})

const isOver = (dateTime: unknown) =>
  Effect.map(Clock.currentTimeMillis, (now) => (dateTimeMillis(dateTime) ?? now) < now)

const neededCapability: Readonly<Record<string, string>> = {
  START_SESSION: "REMOTE_START_STOP_CAPABLE",
  RESERVE_NOW: "RESERVABLE",
  UNLOCK_CONNECTOR: "UNLOCK_CAPABLE"
}

function judgePlace(command: string, body: JsonObject, location: JsonObject, evse: JsonObject | undefined) {
  const needed = neededCapability[command]
  const able = (one: JsonObject) =>
    needed === undefined || (Array.isArray(one["capabilities"]) && one["capabilities"].includes(needed))
  const connectorId = textIn(body["connector_id"])
  const evses = objectsIn(location["evses"])
  if (evse === undefined) {
    if (connectorId !== undefined) return verdict("REJECTED", "connector_id was given without evse_uid")
    return evses.some(able) ? verdict("ACCEPTED") : verdict("NOT_SUPPORTED", `No EVSE there is ${needed}`)
  }
  if (!able(evse)) return verdict("NOT_SUPPORTED", `The EVSE is not ${needed}`)
  const wantsConnector =
    command === "START_SESSION" &&
    (evse["capabilities"] as ReadonlyArray<unknown>).includes("START_SESSION_CONNECTOR_REQUIRED") // `able` has checked that this is a list
  return wantsConnector && connectorId === undefined
    ? verdict("REJECTED", "This EVSE needs a connector_id")
    : verdict("ACCEPTED")
}

function verdict(result: Verdict, message?: string): { result: Verdict; message?: string } {
  return message === undefined ? { result } : { result, message }
}

const takeResult = Effect.fnUntraced(function* (call: ModuleCall) {
  const { command, key } = call.params as { command: string; key: string } // the pattern has these names
  yield* keepResult(call, command, key)
  // A bare word, or a result inside an envelope, is accepted and reported to the sender of the command.
  yield* valid(call.profile, "CommandResult", resultLeg(call.json).said ?? call.json)
  return success()
})

/** Routes of the module commands. */
export const commandRoutes: ReadonlyArray<Route> = [
  {
    module: "commands",
    interfaceRole: "RECEIVER",
    method: "POST",
    pattern: ["{command}"],
    operation: "{command}",
    handle: takeCommand
  },
  {
    module: "commands",
    interfaceRole: "SENDER",
    method: "POST",
    pattern: ["{command}", "{key}"],
    operation: "command result {command}",
    handle: takeResult
  }
]
