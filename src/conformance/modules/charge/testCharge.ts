/** A charge that we, as CPO, tell an EMSP of: where it took place, whose driver it was, its session and its CDR. */
import type { BlockedBy } from "../../../../schema/Assertion.ts"
import type { PartnerParty } from "../../../../schema/Connection.ts"
import { minuteMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { type JsonObject, keyText, sameId } from "../../../findings/json.ts"
import { tokenFlaw } from "../../../findings/tokenFlaw.ts"
import { cdrOf } from "../../../party/simulation/chargePoint/cdr.ts"
import {
  type ChargingPlace,
  ownerOf,
  sessionOf
} from "../../../party/simulation/chargePoint/chargingObjects.ts"
import { endingAt } from "../../../party/simulation/chargePoint/sessionFields.ts"
import { counterpartOf } from "../../../party/wire/routing.ts"
import type { Evidence, NotGathered } from "../../model/Evidence.ts"
import { type ProbeRequest, withheldBy } from "../../model/Probe.ts"
import { emspPartiesOf } from "../shared/emspParties.ts"
import { isHub } from "../shared/hubs.ts"
import { tokens } from "../shared/objects/ListedKind.ts"
import { objectsOf } from "../shared/objects/listedObjects.ts"
import type { ScriptStep } from "../shared/receivers/receiverSteps.ts"

/** The probes that read the partner's tokens. */
export const tokenProbes: ReadonlyArray<string> = ["tokens.list"]

/** The OCPI DateTime `offset` minutes after the start of the run, or before it if negative. */
export const minutes = (evidence: Evidence, offset: number): string =>
  dateTimeOf(Date.parse(evidence.startedAt) + offset * minuteMillis)

/** The start of the charge, in minutes relative to the start of the run. */
export const began = -60
/** The price of the test tariff per kWh, in euro. */
const perKwh = 0.02

/** A location of ours with one EVSE and one connector; `name` is part of its ids. */
export const testPlace = (evidence: Evidence, name: string): ChargingPlace => {
  const { mark, party, profile } = evidence
  const stamp = { last_updated: minutes(evidence, began - 60) }
  const owner = ownerOf(profile, party)
  const tariff = {
    ...owner,
    id: `${mark}-${name}-T`,
    currency: "EUR",
    ...(profile.tariffTax === "tax_included" ? { tax_included: "NO" } : {}),
    elements: [{ price_components: [{ type: "ENERGY", price: perKwh, step_size: 1 }] }],
    ...stamp
  }
  const names = profile.connectorNames
  const connector = {
    id: "1",
    standard: "IEC_62196_T2",
    format: "SOCKET",
    power_type: "AC_3_PHASE",
    [names.voltage]: 230,
    [names.amperage]: 16,
    ...stamp
  }
  const evse = {
    uid: `${mark}-${name}-E`,
    evse_id: `${party.identity.countryCode}*${party.identity.partyId}*E${mark.slice(-6)}${name}`,
    status: "AVAILABLE",
    capabilities: ["RFID_READER"],
    connectors: [connector],
    ...stamp
  }
  const location = {
    ...owner,
    id: `${mark}-${name}`,
    ...(profile.publish ? { publish: false } : {}),
    [profile.placeKind]: "PARKING_GARAGE",
    name: "plugfest test location",
    address: "Teststraat 1",
    city: "Utrecht",
    postal_code: "3511 AB",
    country: "NLD",
    coordinates: { latitude: "52.090142", longitude: "5.109665" },
    time_zone: "Europe/Amsterdam",
    evses: [evse],
    ...stamp
  }
  return { location, evse, connector, tariff }
}

/**
 * RFID tokens of the partner's list with valid = true, and why one cannot be named in sessions and CDRs. Those of its own parties
 * come first: a hub, or an EMSP with roaming partners, may list tokens of others.
 */
const cardsOf = (evidence: Evidence) =>
  evidence.once("tokens.cards", () => {
    const cards = objectsOf(evidence, "tokens")
      .filter(({ json }) => json["valid"] === true && json["type"] === "RFID")
      .map(({ json, seen }) => ({
        json,
        exchangeId: seen.exchange.id,
        flaw: tokenFlaw(evidence.profile, json),
        isOwn: isOwn(evidence, json),
        isAddressed: isAddressed(evidence, json)
      }))
    const rank = (one: (typeof cards)[number]) => (one.isOwn ? (one.isAddressed ? 0 : 1) : 2)
    return cards.toSorted((a, b) => rank(a) - rank(b))
  })

/**
 * Is the token of an EMSP of the partner's credentials, as far as the token and the credentials tell? Tokens belong to EMSPs, whatever
 * other roles a platform has (mod_tokens, Token Object).
 */
function isOwn(evidence: Evidence, token: JsonObject): boolean {
  const { party, profile } = evidence
  if (!profile.ownerFields || (party.counterpart.parties ?? []).length === 0) return true
  return emspPartiesOf(evidence).some(owns(token))
}

/** Is the token of the party that our requests are addressed to? A platform with several EMSPs may refuse it for another. */
function isAddressed({ party, profile }: Evidence, token: JsonObject): boolean {
  const them = counterpartOf(party)
  return !profile.ownerFields || them === undefined || owns(token)(them)
}

const owns =
  ({ country_code, party_id }: JsonObject) =>
  ({ countryCode, partyId }: PartnerParty): boolean =>
    sameId(countryCode, country_code) && sameId(partyId, party_id)

/** The card that sessions and CDRs of ours name, if the partner lists one that can be named. */
const chosenCard = (evidence: Evidence) => cardsOf(evidence).find(({ flaw }) => flaw === undefined)

/**
 * Why the partner may refuse sessions and CDRs of ours: they name a card of another party, because it lists none of its own.
 * Undefined: it may not.
 */
export const foreignCard = (evidence: Evidence): BlockedBy | undefined => {
  const card = chosenCard(evidence)
  if (card === undefined || (card.isOwn && card.isAddressed)) return undefined
  const owner = [card.json["country_code"], card.json["party_id"]].join("-")
  if (card.isOwn)
    return {
      exchangeId: card.exchangeId,
      what: `the session or CDR was refused, and names a listed token of ${owner}, while our requests are addressed to another EMSP of the partner's credentials`
    }
  const isOfAnotherRole = (evidence.party.counterpart.parties ?? []).some(owns(card.json))
  return {
    // A hub may list what others own, and PAGE-027 takes a party of any role for an owner.
    ...(isHub(evidence) || isOfAnotherRole ? {} : { check: "PAGE-027" }),
    exchangeId: card.exchangeId,
    what: `the session or CDR was refused, and names a listed token of ${owner}, which is no EMSP of the partner's credentials: none of the ${cardsOf(evidence).length} listed RFID tokens is of one`
  }
}

/** A valid token of the partner's list; one that only looks like it when there is none. */
export const partnersToken = (evidence: Evidence): JsonObject => {
  const listed = chosenCard(evidence)
  const [partner] = emspPartiesOf(evidence)
  return listed?.json ?? tokenOf(evidence, partner?.countryCode ?? "NL", partner?.partyId ?? "TST")
}

/** Why no session and no CDR can be sent: the partner lists cards, and none of them can be named in one. */
export const noUsableToken = (evidence: Evidence): NotGathered | undefined => {
  const cards = cardsOf(evidence)
  const [first] = cards
  if (first?.flaw === undefined || cards.some(({ flaw }) => flaw === undefined)) return undefined
  return withheldBy({
    check: tokens.form,
    exchangeId: first.exchangeId,
    what: `none of the ${cards.length} listed RFID tokens can be named in a session or a CDR: ${first.flaw.message}`
  })
}

/** A token of an EMSP that is not the partner: of a country without any. */
export const otherEmspsToken = (evidence: Evidence): JsonObject => tokenOf(evidence, "AQ", "TST")

function tokenOf({ mark, profile }: Evidence, countryCode: string, partyId: string): JsonObject {
  return {
    country_code: countryCode,
    party_id: partyId,
    uid: `${mark}-card`,
    type: "RFID",
    [profile.contract]: `${countryCode}-${partyId}-C${mark.slice(-6)}77`
  }
}

/** An ACTIVE session after 1.5 kWh; its id ends with `name`. */
export const testSession = (
  evidence: Evidence,
  name: string,
  { place = testPlace(evidence, "L"), token = partnersToken(evidence) } = {}
): JsonObject => ({
  ...sessionOf(evidence.party, place, {
    id: `${evidence.mark}-${name}`,
    status: "ACTIVE",
    start: minutes(evidence, began),
    authorized: { token, method: "WHITELIST", reference: undefined }
  }),
  kwh: 1.5,
  last_updated: minutes(evidence, began + 15)
})

/** What ends a session of ours. */
export const ending = (evidence: Evidence): JsonObject => {
  const end = minutes(evidence, -10)
  return { ...endingAt(evidence.profile, end), last_updated: end }
}

/** A charging period of half an hour; `index` counts from 0. */
export const period = (evidence: Evidence, index: number): JsonObject => ({
  start_date_time: minutes(evidence, began + 15 + index * 15),
  dimensions: [
    { type: "ENERGY", volume: 1.5 },
    { type: "TIME", volume: 0.25 }
  ]
})

/** The CDR of a charge of 1.5 kWh that cost three cents; its id ends with `name`. */
export const testCdr = (
  evidence: Evidence,
  name: string,
  { place = testPlace(evidence, "C"), token = partnersToken(evidence) } = {}
): JsonObject => {
  const start = minutes(evidence, began)
  const end = minutes(evidence, began + 15)
  const session = {
    ...testSession(evidence, `${name}-S`, { place, token }),
    ...endingAt(evidence.profile, end),
    charging_periods: [{ ...period(evidence, 0), start_date_time: start }],
    last_updated: end
  }
  return { ...cdrOf(evidence.party, session, place), id: `${evidence.mark}-${name}` }
}

/** PUTs the test location of this name if the partner receives locations; the clean-up sets its EVSE to REMOVED. */
export const placeStep = (id: string, name: string): ScriptStep => ({
  id,
  json: (evidence) => testPlace(evidence, name).location,
  act: (evidence) => {
    const place = testPlace(evidence, name)
    const send = putPlace(evidence, place)
    const undo = removePlace(evidence, place)
    return send === undefined ? undefined : { send, ...(undo === undefined ? {} : { undo }) }
  }
})

/** The PUT of a location of ours; undefined if the partner does not receive locations. */
function putPlace(
  evidence: Evidence,
  { location }: ChargingPlace,
  change: JsonObject = {}
): ProbeRequest | undefined {
  const { counterpart, identity } = evidence.party
  const told = counterpart.endpoints.some(
    ({ identifier, role }) => identifier === "locations" && role !== "SENDER"
  )
  return told
    ? {
        module: "locations",
        interfaceRole: "RECEIVER",
        operation: "PUT location",
        method: "PUT",
        path: [identity.countryCode, identity.partyId, keyText(location["id"])],
        body: { ...location, ...change }
      }
    : undefined
}

/** The clean-up of a location, which cannot be deleted: it sets the EVSE to REMOVED. */
function removePlace(evidence: Evidence, place: ChargingPlace): ProbeRequest | undefined {
  const last_updated = minutes(evidence, 0)
  return putPlace(evidence, place, {
    evses: [{ ...place.evse, status: "REMOVED", last_updated }],
    last_updated
  })
}
