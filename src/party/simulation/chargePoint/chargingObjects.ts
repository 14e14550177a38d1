/** The place of a session, and the session at its start, as the party's version has them. */
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import type { PlaceIds } from "./sessionFields.ts"

/** Where a session takes place. */
export interface ChargingPlace {
  readonly location: JsonObject
  readonly evse: JsonObject
  readonly connector: JsonObject
  /** The connector's tariff; undefined when it names none that we have. */
  readonly tariff: JsonObject | undefined
  /** The tariff at the start of the charge, if the connector's has changed since. */
  readonly tariffBefore?: JsonObject
}

/**
 * The tariffs that bill a charge there. If periods can name a tariff, each counts for its own periods; otherwise the one
 * at the start bills the whole charge.
 */
export const tariffsFor = (
  { periodTariff }: Pick<VersionProfile, "periodTariff">,
  { tariff, tariffBefore }: ChargingPlace
): ReadonlyArray<JsonObject> =>
  tariffBefore === undefined
    ? [tariff ?? []].flat()
    : [tariffBefore, ...(periodTariff ? [tariff ?? []].flat() : [])]

/** The token that charges, and how it was authorized. */
export interface Authorized {
  readonly token: JsonObject
  /** An AuthMethod of the version. */
  readonly method: string
  readonly reference: string | undefined
}

/** The authorization by a command: the EMSP itself vouches for the token. */
export const authorizedBy = (profile: VersionProfile, command: JsonObject): Authorized => ({
  token: objectIn(command["token"]),
  method: profile.commandAuthMethod,
  reference: textIn(command["authorization_reference"])
})

/** A session in its first state. */
export const sessionOf = (
  party: Pick<Party, "version" | "identity">,
  place: ChargingPlace,
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

/** The owner fields of an object, in versions whose objects have them. */
export const ownerOf = (
  { ownerFields }: VersionProfile,
  { identity }: Pick<Party, "identity">
): JsonObject => (ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {})

/** The reference to a token in sessions and CDRs. */
const tokenReferenceOf = (profile: VersionProfile, token: JsonObject): JsonObject => {
  if (profile.tokenReference === "auth_id") return { auth_id: token[profile.contract] }
  const owner = profile.tokenReferenceOwner ? ["country_code", "party_id"] : []
  const fields = [...owner, "uid", "type", profile.contract].flatMap((name) =>
    token[name] === undefined ? [] : [[name, token[name]]]
  )
  return { [profile.tokenReference]: Object.fromEntries(fields) }
}

/** The location with only the EVSE and connector that are used. */
const onlyUsed = ({ connector, evse, location }: ChargingPlace): JsonObject => ({
  ...location,
  evses: [{ ...evse, connectors: [connector] }]
})

/**
 * The place with these ids in a location of ours, with its tariff among `tariffs`; without the connector's id its first one.
 * Undefined when it does not exist (any more).
 */
export const placeIn = (
  profile: VersionProfile,
  location: JsonObject,
  { connector: connectorId, evse: evseUid }: Pick<PlaceIds, "evse" | "connector">,
  tariffs: ReadonlyArray<JsonObject> = []
): ChargingPlace | undefined => {
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
