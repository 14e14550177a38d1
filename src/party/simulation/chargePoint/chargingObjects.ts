/** Where a session takes place, and the session as it begins, as the party's version has it. */
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/PartyStore.ts"

/** Where a session takes place. */
export interface ChargingPlace {
  readonly location: JsonObject
  readonly evse: JsonObject
  readonly connector: JsonObject
  /** Of the connector; undefined when it names none that we have. */
  readonly tariff: JsonObject | undefined
  /** The tariff with which a charge there began, where the connector has got another one since. */
  readonly tariffBefore?: JsonObject
}

/**
 * The tariffs by which a charge there is billed. Where periods name their tariff, each of them counts for its own; where
 * they cannot, the charge is billed by the one with which it began.
 */
export const tariffsFor = (
  { periodTariff }: Pick<VersionProfile, "periodTariff">,
  { tariff, tariffBefore }: ChargingPlace
): ReadonlyArray<JsonObject> =>
  tariffBefore === undefined
    ? [tariff ?? []].flat()
    : [tariffBefore, ...(periodTariff ? [tariff ?? []].flat() : [])]

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

/** Whose an object is, where it says so itself. */
export const ownerOf = (
  { ownerFields }: VersionProfile,
  { identity }: Pick<Party, "identity">
): JsonObject => (ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {})

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
const onlyUsed = ({ connector, evse, location }: ChargingPlace): JsonObject => ({
  ...location,
  evses: [{ ...evse, connectors: [connector] }]
})

/** The place that ids name, in a location of ours; undefined when it is not there (any more). */
export const placeIn = (
  profile: VersionProfile,
  location: JsonObject,
  tariffs: ReadonlyArray<JsonObject>,
  evseUid: unknown,
  connectorId: unknown
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
