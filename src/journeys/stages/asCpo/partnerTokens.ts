/** Picks a token of the partner to charge with at one of our places. */
import { type JsonObject, keyText, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { tokenFlaw } from "../../../findings/tokenFlaw.ts"
import type { Authorized } from "../../../party/simulation/chargePoint/chargingObjects.ts"
import type { JourneyStage } from "../../model/JourneyTemplate.ts"
import {
  dataOf,
  exchangesOf,
  isPartners,
  listedObjects,
  listGoesOn,
  type RunHistory,
  unreadIn
} from "../../model/RunHistory.ts"
import { answeredWithList, misfit } from "../../model/rulings.ts"

const stageId = "read-tokens"

/** The `limit` of the request: as many as a page of most partners has. */
const pageSize = "50"

/** The tokens of the pages that were read, as they came. */
export const listedTokens = (history: RunHistory): ReadonlyArray<JsonObject> =>
  listedObjects(history, stageId)

const wantedUid = ({ inputs }: RunHistory): string | undefined => textIn(inputs["tokenUid"])

/**
 * The token that the inputs name, or the first valid RFID card of the list that a session can name: one of the partner's own
 * before those of others, which a hub or an EMSP with roaming partners may list, too.
 */
export function partnersToken(history: RunHistory): JsonObject | undefined {
  const wanted = wantedUid(history)
  const tokens = listedTokens(history)
  if (wanted !== undefined) return tokens.find(({ uid }) => sameId(uid, wanted))
  const cards = tokens.filter(
    (token) =>
      token["valid"] === true && token["type"] === "RFID" && tokenFlaw(history.profile, token) === undefined
  )
  return cards.find((card) => isTheirs(card, history)) ?? cards[0]
}

/** Is there a token on the pages that were read which no later page can have a better one than? */
function isFound(history: RunHistory): boolean {
  const { profile, them } = history
  const token = partnersToken(history)
  if (token === undefined) return false
  const hasOwner = profile.ownerFields && them !== undefined
  return wantedUid(history) !== undefined || !hasOwner || isTheirs(token, history)
}

/** A token of the pages that were read which the partner lists as invalid. */
export const invalidToken = (history: RunHistory): JsonObject | undefined =>
  listedTokens(history).find(({ valid }) => valid === false)

/** How many pages are read for an invalid token: a list may have none. */
const mostForInvalid = 10

/** Is it worth while to look for an invalid token on the next page? */
const mayBeInvalid = (history: RunHistory): boolean =>
  invalidToken(history) === undefined && exchangesOf(history, stageId).length < mostForInvalid

/** Why no token of the list can be used. */
function noToken(history: RunHistory): string {
  const unread = unreadIn(history, { id: stageId, module: "tokens" })
  if (unread !== undefined) return `The partner's tokens are too large for us to read: ${unread}`
  const wanted = wantedUid(history)
  const pages = exchangesOf(history, stageId)
  if (pages.some((page) => !Array.isArray(dataOf(page))))
    return "The partner's list of tokens could not be read to its end"
  if (listGoesOn(history, stageId))
    return wanted === undefined
      ? `No token on the ${pages.length} pages of the partner's list that were read can be used; name one of them in the inputs, or add a valid RFID token there`
      : `Token ${wanted} is not on the ${pages.length} pages of the partner's list that were read; name one that is there`
  return wanted === undefined
    ? "No token of the partner's can be used; name one in the inputs, or add a valid RFID token to the list"
    : `The partner's list has no token ${wanted}; name another one in the inputs, or add it to the list`
}

/** Why there is no token to look at: the list has none, or it was not to be had. */
export const whyNoTokens = (history: RunHistory): string =>
  exchangesOf(history, stageId).every((page) => Array.isArray(dataOf(page)))
    ? "The partner lists no tokens"
    : "The partner's list of tokens could not be read"

const isTheirs = (token: JsonObject, history: RunHistory): boolean => isPartners(history, token) === true

/**
 * Why the partner may refuse sessions and CDRs with the token of that driver: its list alone speaks for the token, and it is of
 * another party than the partner's. Undefined: it may not.
 */
export function foreignToken(history: RunHistory, driver: Authorized | undefined): string | undefined {
  const { profile, them } = history
  if (driver?.method !== "WHITELIST" || !profile.ownerFields || them === undefined) return undefined
  const { country_code, party_id } = driver.token
  return isTheirs(driver.token, history)
    ? undefined
    : `The request names a listed token of ${keyText(country_code)}-${keyText(party_id)}, and the partner is ${them.countryCode}-${them.partyId}: add a valid RFID token of the partner's own to its list`
}

/** The driver with that token, authorized by the partner's list. */
export function listedDriver(history: RunHistory): Authorized | undefined {
  const token = partnersToken(history)
  return token === undefined ? undefined : { token, method: "WHITELIST", reference: undefined }
}

/**
 * Stage `read-tokens`. `needsOne`: the list is read until there is a token to use, and the run ends if there is none. `andInvalid`: and
 * until there is an invalid one, on the first pages. `readsOn`: when the next page is read of a list that needs no such token.
 */
export const readTokens = (
  needsOne = true,
  {
    andInvalid = false,
    readsOn
  }: { readonly andInvalid?: boolean; readonly readsOn?: (history: RunHistory) => boolean } = {}
): JourneyStage => ({
  id: stageId,
  name: "Read tokens",
  actor: "us",
  module: "tokens",
  description: needsOne
    ? "Read the partner's tokens until there is a valid RFID card of its own, or the token of the inputs."
    : readsOn === undefined
      ? "Read the first page of the partner's tokens."
      : "Read the first pages of the partner's tokens.",
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "GET tokens",
    call: () => ({
      module: "tokens",
      interfaceRole: "SENDER",
      operation: "list",
      method: "GET",
      query: { limit: pageSize }
    }),
    ...(needsOne
      ? { readsOn: (history) => !isFound(history) || (andInvalid && mayBeInvalid(history)) }
      : readsOn === undefined
        ? {}
        : { readsOn })
  },
  writes: false,
  idempotent: true,
  optionalForLater: !needsOne,
  expect: [
    {
      id: `${stageId}.answered`,
      title: "GET tokens returns a list",
      strength: "must",
      reference: "mod_tokens, Sender Interface, GET Method",
      judge: answeredWithList(stageId)
    },
    {
      id: `${stageId}.valid`,
      title: "Each token is valid in this version",
      strength: "must",
      reference: "mod_tokens, Token Object",
      judge: (history) => {
        for (const page of exchangesOf(history, stageId)) {
          for (const [index, token] of objectsIn(dataOf(page)).entries()) {
            const flaw = misfit(history.profile, "Token", token)
            if (flaw !== undefined) return { ...flaw, pointer: `/data/${index}${flaw.pointer ?? ""}` }
          }
        }
        if (needsOne && partnersToken(history) === undefined && listGoesOn(history, stageId))
          return { unobservable: noToken(history) }
        return listedTokens(history).length === 0 ? { notTested: whyNoTokens(history) } : undefined
      }
    }
  ],
  ...(needsOne
    ? {
        stopsIf: (history: RunHistory) =>
          partnersToken(history) === undefined ? noToken(history) : undefined
      }
    : {})
})
