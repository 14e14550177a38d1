/** The objects of a charging session, as the party's version has them: the session as it begins, and its CDR. */
import { dateTimeToMillis } from "../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { Party } from "../../store/PartyStore.ts"
import { type JsonObject, objectIn, objectsIn, sameId, textIn } from "../json.ts"
import { costOf } from "./cost.ts"
import { numberOf } from "./decimals.ts"
import { hours, usageOf } from "./meter.ts"
import { nothing, priceOf } from "./prices.ts"
import { startOf } from "./sessionFields.ts"

/** Where a session takes place. */
export interface Place {
  readonly location: JsonObject
  readonly evse: JsonObject
  readonly connector: JsonObject
  /** Of the connector; undefined when it names none that we have. */
  readonly tariff: JsonObject | undefined
}

/** What stands in a string field whose value cannot exist. */
const notAvailable = "#NA"

/** Who charges, and how that was decided. */
export interface Authorized {
  readonly token: JsonObject
  /** An AuthMethod of the version. */
  readonly method: string
  readonly reference: string | undefined
}

/** As a command brought it. The EMSP answers for the token, so nobody is asked. */
export const authorizedBy = (profile: VersionProfile, command: JsonObject): Authorized => ({
  token: objectIn(command["token"]),
  method: profile.commandAuthMethod,
  reference: textIn(command["authorization_reference"])
})

/** A session in its first state. */
export const sessionOf = (
  party: Party,
  place: Place,
  details: {
    readonly id: string
    readonly status: "ACTIVE" | "RESERVATION"
    readonly start: string
    readonly authorized: Authorized
  }
): JsonObject => {
  const profile = profileOf(party.version)
  const { authorized, id, start, status } = details
  return {
    ...ownerOf(profile, party),
    id,
    [profile.sessionNames.start]: start,
    kwh: 0,
    ...tokenReferenceOf(profile, authorized.token),
    auth_method: authorized.method,
    ...(profile.authorizationDetails && authorized.reference !== undefined
      ? { authorization_reference: authorized.reference }
      : {}),
    ...(profile.place === "location"
      ? { location: onlyUsed(place) }
      : {
          location_id: place.location["id"],
          evse_uid: place.evse["uid"],
          connector_id: place.connector["id"]
        }),
    currency: place.tariff?.["currency"] ?? "EUR",
    charging_periods: [],
    status,
    last_updated: start
  }
}

const ownerOf = ({ ownerFields }: VersionProfile, { identity }: Party): JsonObject =>
  ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {}

/** The token as sessions and CDRs name it. */
const tokenReferenceOf = (profile: VersionProfile, token: JsonObject): JsonObject => {
  if (profile.tokenReference === "auth_id") return { auth_id: token[profile.contract] }
  const owner = profile.tokenReferenceOwner ? ["country_code", "party_id"] : []
  const fields = [...owner, "uid", "type", profile.contract].flatMap((name) =>
    token[name] === undefined ? [] : [[name, token[name]]]
  )
  return { [profile.tokenReference]: Object.fromEntries(fields) }
}

/** The location with nothing in it but the EVSE and the connector that are used. */
const onlyUsed = ({ connector, evse, location }: Place): JsonObject => ({
  ...location,
  evses: [{ ...evse, connectors: [connector] }]
})

/**
 * The CDR of a completed session: its totals are the sums of its periods, its costs those of the tariff. After a
 * reservation it begins with that.
 */
export const cdrOf = (
  party: Party,
  session: JsonObject,
  place: Place,
  reservedFrom: string | undefined
): JsonObject => {
  const profile = profileOf(party.version)
  const usage = usageOf(session["charging_periods"])
  const cost = place.tariff === undefined ? undefined : costOf(profile, place.tariff, usage)
  const costs = {
    total_fixed_cost: cost?.fixed,
    total_energy_cost: cost?.energy,
    total_time_cost: cost?.time,
    total_parking_cost: cost?.parking
  }
  const parts = Object.entries(costs).flatMap(([name, amount]) =>
    amount === undefined ? [] : [[name, priceOf(profile, amount)]]
  )
  return {
    ...ownerOf(profile, party),
    id: cdrIdOf(session),
    [profile.cdrNames.start]: reservedFrom ?? startOf(profile, session),
    [profile.cdrNames.end]: session[profile.sessionNames.end],
    ...(profile.cdrDetails ? { session_id: session["id"] } : {}),
    [profile.tokenReference]: session[profile.tokenReference],
    auth_method: session["auth_method"],
    ...("authorization_reference" in session
      ? { authorization_reference: session["authorization_reference"] }
      : {}),
    ...(profile.place === "location"
      ? { location: session["location"] }
      : { cdr_location: cdrLocationOf(place) }),
    currency: session["currency"],
    ...(place.tariff === undefined ? {} : { tariffs: [place.tariff] }),
    charging_periods: [
      ...(reservedFrom === undefined ? [] : [reservedPeriod(reservedFrom, startOf(profile, session))]),
      ...objectsIn(session["charging_periods"])
    ],
    total_cost: priceOf(profile, cost?.total ?? nothing),
    ...(profile.cdrDetails ? Object.fromEntries(parts) : {}),
    total_energy: numberOf(usage.energyUnits),
    total_time: hours(usage.chargingSeconds + usage.parkingSeconds),
    total_parking_time: hours(usage.parkingSeconds),
    last_updated: session["last_updated"]
  }
}

/** The time for which the EVSE was kept, up to the session's start. */
function reservedPeriod(from: string, start: unknown): JsonObject {
  const seconds = ((dateTimeToMillis(textIn(start) ?? "") ?? 0) - (dateTimeToMillis(from) ?? 0)) / 1000
  return {
    start_date_time: from,
    dimensions: [{ type: "RESERVATION_TIME", volume: hours(Math.max(0, seconds)) }]
  }
}

export const cdrIdOf = (session: JsonObject): string => `CDR-${session["id"]}`

function cdrLocationOf({ connector, evse, location }: Place): JsonObject {
  const optional = Object.fromEntries(
    ["name", "postal_code", "state"].flatMap((field) =>
      textIn(location[field]) === undefined ? [] : [[field, location[field]]]
    )
  )
  return {
    id: location["id"],
    ...optional,
    // Shorter here than in the location itself.
    address: String(location["address"]).slice(0, 45),
    city: location["city"],
    country: location["country"],
    coordinates: location["coordinates"],
    evse_uid: evse["uid"],
    evse_id: textIn(evse["evse_id"]) ?? notAvailable,
    connector_id: connector["id"],
    connector_standard: connector["standard"],
    connector_format: connector["format"],
    connector_power_type: connector["power_type"]
  }
}

/** The place that ids name, in a location of ours; undefined when it is not there (any more). */
export const placeIn = (
  profile: VersionProfile,
  location: JsonObject,
  tariffs: ReadonlyArray<JsonObject>,
  evseUid: unknown,
  connectorId: unknown
): Place | undefined => {
  const evse = objectsIn(location["evses"]).find(({ uid }) => sameId(uid, evseUid))
  if (evse === undefined) return undefined
  const connectors = objectsIn(evse["connectors"])
  const connector =
    connectorId === undefined ? connectors[0] : connectors.find(({ id }) => sameId(id, connectorId))
  if (connector === undefined) return undefined
  // One id, or a list of them.
  const ids = [connector[profile.connectorNames.tariffs]].flat()
  const tariff = tariffs.find((known) => ids.some((id) => sameId(id, known["id"])))
  return { location, evse, connector, tariff }
}
