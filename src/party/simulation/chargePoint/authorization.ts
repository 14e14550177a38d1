/** May this token charge here? Decided by the CPO's token list, or by asking the EMSP (mod_tokens, POST authorize). */
import { Effect, Option } from "effect"
import type { Exchange } from "../../../../schema/Exchange.ts"
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectIn, sameId, textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { performCall } from "../../outbound/performCall.ts"
import { hasQuirk, PartnerQuirks, type Quirk } from "../../wire/PartnerQuirks.ts"
import { counterpartOf } from "../../wire/routing.ts"
import { defaultTokenType, tokenKey } from "../../wire/tokenKey.ts"
import type { Authorized } from "./chargingObjects.ts"

/** A driver shows a token at one of our EVSEs. */
export interface Swipe {
  readonly tokenUid: string
  /** RFID unless said otherwise. */
  readonly tokenType?: string
  readonly locationId: string
  readonly evseUid: string
  readonly connectorId?: string
}

/**
 * Why a token may not charge: an AllowedType of the EMSP other than ALLOWED; UNKNOWN_TOKEN; UNREACHABLE: the EMSP had to
 * be asked and did not answer; NO_VERDICT: its answer has no verdict.
 */
interface Denied {
  readonly denied: string
}

/**
 * Decides by the token's whitelist field (mod_tokens, WhitelistType). ALWAYS and ALLOWED: without the EMSP.
 * ALLOWED_OFFLINE: by the EMSP, or by our list when it cannot be reached. NEVER, and unknown tokens: by the EMSP.
 */
export const authorize = traced("simulation.authorize")(function* (
  party: Party,
  swipe: Swipe,
  correlationId: string
) {
  const known = yield* knownToken(party, swipe)
  const whitelist = known?.["whitelist"]
  const quirks = yield* PartnerQuirks
  const has = (quirk: Quirk) => hasQuirk(quirks, party, quirk)
  const isListed = whitelist === "ALWAYS" || whitelist === "ALLOWED" || has("asks for no token that it knows")
  if (known !== undefined && isListed && !has("asks for every token")) return byList(known)
  const verdict = yield* askEmsp(party, swipe, known, correlationId)
  if (known?.["valid"] === false && has("trusts its list more")) return byList(known)
  const isOffline = "denied" in verdict && verdict.denied === unreachable
  return isOffline && known !== undefined && whitelist === "ALLOWED_OFFLINE" ? byList(known) : verdict
})

const unreachable = "UNREACHABLE"

const byList = (token: JsonObject): Authorized | Denied =>
  token["valid"] === true ? { token, method: "WHITELIST", reference: undefined } : { denied: "BLOCKED" }

/** The token as the EMSP has pushed it. */
const knownToken = Effect.fnUntraced(function* (party: Party, { tokenType, tokenUid }: Swipe) {
  const store = yield* PartyStore
  const emsp = counterpartOf(party)
  if (emsp === undefined) return undefined
  const path = `${emsp.countryCode}/${emsp.partyId}/${tokenUid}`
  const key = tokenKey(profileOf(party.version), path, tokenType ?? defaultTokenType)
  const found = yield* store.object(party.id, "tokens", "received", key)
  return Option.getOrUndefined(found)?.json
})

/** POST authorize, and the EMSP's verdict. `known`: the token as the EMSP has pushed it. */
export const askEmsp = Effect.fnUntraced(
  function* (party: Party, swipe: Swipe, known: JsonObject | undefined, correlationId: string) {
    const quirks = yield* PartnerQuirks
    const isPlaceless = hasQuirk(quirks, party, "authorizes without a place")
    const { exchange, json } = yield* performCall(party, {
      module: "tokens",
      interfaceRole: "SENDER",
      operation: "POST authorize",
      method: "POST",
      path: [swipe.tokenUid, "authorize"],
      query: { type: swipe.tokenType ?? defaultTokenType },
      ...(isPlaceless ? {} : { body: { location_id: swipe.locationId, evse_uids: [swipe.evseUid] } }),
      correlationId
    })
    const verdict = authorizedBy(exchange, objectIn(objectIn(json)["data"]), swipe, known)
    return "denied" in verdict && hasQuirk(quirks, party, "starts denied tokens")
      ? chargingAnyhow(party, swipe, known)
      : verdict
  },
  // An EMSP without this interface expects its tokens to be taken from the list.
  Effect.catchTag("NoEndpoint", () => Effect.succeed<Authorized | Denied>({ denied: unreachable }))
)

/** The authorization of a partner that lets everybody charge: the known token, or the fields that a session needs. */
function chargingAnyhow(party: Party, swipe: Swipe, known: JsonObject | undefined): Authorized {
  const { contract, ownerFields } = profileOf(party.version)
  const emsp = counterpartOf(party)
  const owner = ownerFields ? { country_code: emsp?.countryCode, party_id: emsp?.partyId } : {}
  const bare = {
    ...owner,
    uid: swipe.tokenUid,
    type: swipe.tokenType ?? defaultTokenType,
    [contract]: swipe.tokenUid
  }
  return { token: known ?? bare, method: "AUTH_REQUEST", reference: undefined }
}

function authorizedBy(
  { response }: Exchange,
  info: JsonObject,
  swipe: Swipe,
  known: JsonObject | undefined
): Authorized | Denied {
  if (response === null || response.httpStatus >= 500) return { denied: unreachable }
  if (response.httpStatus === 404 || response.ocpiStatusCode === ocpiStatus.unknownToken)
    return { denied: "UNKNOWN_TOKEN" }
  const allowed = textIn(info["allowed"])
  if (allowed === undefined) return { denied: "NO_VERDICT" }
  if (allowed !== "ALLOWED") return { denied: allowed }
  // If the answer names EVSEs, the driver may use only those.
  const places = objectIn(info["location"])["evse_uids"]
  if (Array.isArray(places) && places.length > 0 && !places.some((uid) => sameId(uid, swipe.evseUid)))
    return { denied: "NOT_ALLOWED" }
  const token = isObject(info["token"]) ? info["token"] : known
  // Without the token the session cannot be billed: the oldest version's answer does not contain it.
  if (token === undefined) return { denied: "UNKNOWN_TOKEN" }
  return { token, method: "AUTH_REQUEST", reference: textIn(info["authorization_reference"]) }
}
