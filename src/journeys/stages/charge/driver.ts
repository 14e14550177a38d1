/** The driver of a run, with a fresh token, so that runs are not confused. */

import type { Exchange } from "../../../../schema/Exchange.ts"
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { pathSegments, uninvited } from "../../../findings/calledPath.ts"
import { type JsonObject, objectIn, sameId, textIn } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import type { Ruling } from "../../model/JourneyTemplate.ts"
import { dataOf, inboundOf, intentOf, jsonOf, type RunHistory } from "../../model/RunHistory.ts"

/** The driver's kind of token. */
export interface Driver {
  readonly kind: "app" | "card"
  /** A WhitelistType. */
  readonly whitelist: string
  /** The number printed on the card; at most 64 characters. */
  readonly visualNumber?: string
}

/** A driver who starts from our app: its token needs no authorization request. */
export const appDriver: Driver = { kind: "app", whitelist: "NEVER" }

const suffix = (history: RunHistory, length: number) =>
  history.runId.replace(/[^A-Za-z0-9]/g, "").slice(-length)

/** The uid of the driver's token: that of the inputs, or one of this run only. */
export const tokenUidOf = (history: RunHistory): string =>
  textIn(history.inputs["cardUid"]) ?? `PF-${suffix(history, 20)}`

/** The contract id of the driver, of this run only. */
export const contractOf = (history: RunHistory): string =>
  `${history.us.countryCode}-${history.us.partyId}-C${suffix(history, 16).toUpperCase()}`

/** The TokenType of the driver's token in the version. */
const tokenTypeOf = ({ profile }: RunHistory, { kind }: Driver): string =>
  kind === "card" ? "RFID" : profile.appToken

/** The driver's Token object in the version. */
export function tokenOf(history: RunHistory, driver: Driver = appDriver): JsonObject {
  const { profile, us } = history
  return {
    ...(profile.ownerFields ? { country_code: us.countryCode, party_id: us.partyId } : {}),
    uid: tokenUidOf(history),
    type: tokenTypeOf(history, driver),
    [profile.contract]: contractOf(history),
    ...(driver.visualNumber === undefined ? {} : { visual_number: driver.visualNumber }),
    issuer: us.name.slice(0, 64),
    valid: true,
    whitelist: driver.whitelist,
    last_updated: dateTimeOf(Date.parse(history.createdAt))
  }
}

/** The query of a token's URL, in versions that have it. */
export const tokenQuery = (history: RunHistory, driver: Driver) =>
  history.profile.tokenTypeInUrl ? { query: { type: tokenTypeOf(history, driver) } } : {}

/** What remains at the partner: the driver's token, because OCPI cannot delete one. */
export const tokenStays = (history: RunHistory): ReadonlyArray<string> =>
  ["push-token", "offer-token"].some((stageId) => intentOf(history, stageId) !== undefined)
    ? [`token ${tokenUidOf(history)} in its list`]
    : []

/** The authorization_reference of our commands, at most 36 characters; the partner must repeat it in session and CDR. */
export const referenceOf = (history: RunHistory): string => `PF-REF-${suffix(history, 24)}`

/**
 * The authorization_reference that session and CDR must have: that of our command, or of our answer to the partner's
 * authorization request. Undefined: there was none.
 */
export function givenReference(history: RunHistory): string | undefined {
  if (!history.profile.authorizationDetails) return undefined
  if (intentOf(history, "reserve") !== undefined || intentOf(history, "start-session") !== undefined)
    return referenceOf(history)
  return authorizationsOf(history).flatMap((asked) => {
    const answer = objectIn(dataOf(asked))
    return textIn(answer["authorization_reference"]) ?? []
  })[0]
}

/** The partner's authorization requests for our driver's token, oldest first. */
export const authorizationsOf = (history: RunHistory) =>
  inboundOf(history).filter((exchange) => {
    const { module, request } = exchange
    if (module !== "tokens" || request.method !== "POST" || !isRead(exchange, history)) return false
    const segments = pathSegments(request.url)
    return segments.at(-1) === "authorize" && sameId(segments.at(-2), tokenUidOf(history))
  })

/** Could we read the request? What we say of the token, also that we do not know it, is an answer to it. */
const isRead = (exchange: Exchange, { profile }: RunHistory): boolean => {
  const { ourFault, response } = exchange
  const isInvalid = response?.ocpiStatusCode === ocpiStatus.invalidParameters && response.httpStatus !== 404
  return ourFault !== undefined || (!isInvalid && uninvited(exchange, profile) === undefined)
}

/** The LocationReferences of the first of these requests. */
export const askedPlace = (history: RunHistory): JsonObject =>
  objectIn(jsonOf(authorizationsOf(history)[0]?.request))

/** Does the session, or the CDR, name the driver's token? */
export const namesDriver = (history: RunHistory, json: JsonObject): boolean =>
  history.profile.tokenReference === "auth_id"
    ? sameId(json["auth_id"], contractOf(history))
    : sameId(objectIn(json["cdr_token"])["uid"], tokenUidOf(history))

/** A flaw if the two values differ. */
export const differs = (what: string, pointer: string, actual: unknown, expected: unknown): Ruling =>
  sameId(actual, expected) || actual === expected
    ? undefined
    : {
        message: `${what} differs`,
        pointer,
        expected: inWords(expected),
        actual: actual === undefined ? "missing" : JSON.stringify(actual)
      }

/** A flaw if the token of a session or CDR is not the driver's. */
export const tokenDiffers = (what: string, json: JsonObject, history: RunHistory): Ruling => {
  if (history.profile.tokenReference === "auth_id")
    return differs(`The contract of ${what}`, "/auth_id", json["auth_id"], contractOf(history))
  const { contract_id, uid } = objectIn(json["cdr_token"])
  return (
    differs(`The uid of ${what}`, "/cdr_token/uid", uid, tokenUidOf(history)) ??
    differs(`The contract of ${what}`, "/cdr_token/contract_id", contract_id, contractOf(history))
  )
}
