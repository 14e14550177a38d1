/** Tokens (mod_tokens): an EMSP serves the list and real-time authorization; a CPO accepts what the EMSP pushes. */
import { Effect, Option } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { isObject, type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../findings/json.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { ChargingSimulation } from "../simulation/ChargingSimulation.ts"
import { nowDateTime } from "../wire/instants.ts"
import { freshUuid } from "../wire/messageId.ts"
import { hasQuirk, PartnerQuirks } from "../wire/PartnerQuirks.ts"
import { defaultTokenType, tokenKey } from "../wire/tokenKey.ts"
import { type ClientOwnedKind, getOwned, patchOwned, putOwned } from "./clientOwned.ts"
import { ownList } from "./ownList.ts"
import type { ModuleCall, Route } from "./Route.ts"
import { notFound, refusal, success } from "./Route.ts"
import { valid } from "./requestBody.ts"
import { cardOf, testCard } from "./testCards.ts"

/**
 * Module of the prepared verdicts on own tokens: own objects under the token's uid, with fields `allowed` (an
 * AllowedType), `needsLocation` (answer 2002 without LocationReferences), `outOfReach` (answer HTTP 503) and `info` (a
 * DisplayText). Without one, a valid token is ALLOWED and an invalid one BLOCKED.
 */
export const verdictsModule = "token-verdicts"

const kind: ClientOwnedKind = {
  module: "tokens",
  object: "Token",
  idField: "uid",
  unknown: ({ unknownTokenStatus }) => unknownTokenStatus,
  keyOf: (path, call, json) =>
    tokenKey(call.profile, path, call.request.query.get("type") ?? textIn(json?.["type"]) ?? defaultTokenType)
}

const receiver = {
  module: "tokens",
  interfaceRole: "RECEIVER",
  pattern: ["{country}", "{party}", "{id}"]
} as const

/** Stores the token and passes it to the charging simulation, which a card can script. */
const putToken = Effect.fnUntraced(function* (call: ModuleCall) {
  const answer = yield* putOwned(kind)(call)
  const simulation = yield* ChargingSimulation
  yield* simulation.tokenReceived(call.party, objectIn(call.json))
  return answer
})

const authorize = Effect.fnUntraced(function* (call: ModuleCall) {
  const store = yield* PartyStore
  const uid = call.params["uid"]!
  const { authorizationDetails } = call.profile
  const place = call.json
  if (place !== undefined) {
    if (!isObject(place))
      return yield* refusal(ocpiStatus.invalidParameters, "The request body must be a JSON object")
    yield* valid(call.profile, "LocationReferences", place)
  }
  const card = cardOf(call.party, uid)
  if (card?.name === "OFFLINE")
    return yield* refusal(ocpiStatus.serverError, "We are away for this card, to see what you do", 503)
  const found =
    card === undefined
      ? Option.map(yield* store.object(call.party.id, "tokens", "own", uid), ({ json }) => json)
      : Option.some(testCard(call.profile, call.party, card, yield* nowDateTime))
  // The oldest version's text uses both names for this parameter.
  const { query } = call.request
  const type = query.get("type") ?? query.get("token_type") ?? defaultTokenType
  if (Option.isNone(found) || found.value["type"] !== type)
    return yield* notFound(call.profile.unknownTokenStatus, `No token ${uid} of type ${type}`)
  const token = found.value
  const script = yield* store.object(call.party.id, verdictsModule, "own", uid)
  const verdict = Option.match(script, { onNone: () => ({}) as JsonObject, onSome: ({ json }) => json })
  if (verdict["outOfReach"] === true)
    return yield* refusal(ocpiStatus.serverError, "Out of reach, as a journey wants it", 503)
  if (verdict["needsLocation"] === true && place === undefined)
    return yield* refusal(
      ocpiStatus.notEnoughInformation,
      "This token is authorized per location only: send LocationReferences"
    )
  const isOutOfUse = yield* judgedByState(call, place)
  const isGood = card !== undefined || token["valid"] === true
  const said = textIn(verdict["allowed"]) ?? (isGood ? "ALLOWED" : "BLOCKED")
  const allowed = isOutOfUse ? "NOT_ALLOWED" : said
  return success({
    allowed,
    ...(authorizationDetails ? { token } : {}),
    ...(place === undefined ? {} : { location: place }),
    ...(authorizationDetails && allowed === "ALLOWED" ? { authorization_reference: yield* freshUuid } : {}),
    ...(isObject(verdict["info"]) ? { info: verdict["info"] } : {})
  })
})

/**
 * Is the place out of order or closed? Only an EMSP with that quirk decides by it; an honest one leaves it to the CPO.
 */
const judgedByState = Effect.fnUntraced(function* (call: ModuleCall, place: JsonObject | undefined) {
  if (!hasQuirk(yield* PartnerQuirks, call.party, "judges by the state of a place")) return false
  const { items } = yield* (yield* PartyStore).objects(call.party.id, "locations", "received", lookedThrough)
  const location = items.find(({ json }) => sameId(json["id"], place?.["location_id"]))?.json
  return (
    objectIn(location?.["opening_times"])["exceptional_closings"] !== undefined ||
    objectsIn(location?.["evses"]).some(({ status }) => status === "INOPERATIVE")
  )
})

const lookedThrough = { offset: 0, limit: 100 }

/** Routes of the module tokens. */
export const tokenRoutes: ReadonlyArray<Route> = [
  {
    module: "tokens",
    interfaceRole: "SENDER",
    method: "GET",
    pattern: [],
    operation: "list",
    handle: ownList("tokens")
  },
  {
    module: "tokens",
    interfaceRole: "SENDER",
    method: "POST",
    pattern: ["{uid}", "authorize"],
    operation: "POST authorize",
    handle: authorize
  },
  { ...receiver, method: "GET", operation: "GET token", handle: getOwned(kind) },
  { ...receiver, method: "PUT", operation: "PUT token", handle: putToken },
  { ...receiver, method: "PATCH", operation: "PATCH token", confirmsCaller: true, handle: patchOwned(kind) }
]
