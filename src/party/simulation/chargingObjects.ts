/** The objects of a charging session: the session as it begins, and the CDR that settles it. */

import type { Party } from "../../store/PartyStore.ts"
import { type JsonObject, objectIn, objectsIn, sameId, textIn } from "../json.ts"
import { costOf, priceOf } from "./cost.ts"
import { numberOf } from "./decimals.ts"
import { hours, usageOf } from "./meter.ts"

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

/** A session in its first state, of the token and the reference that a command brought. */
export const sessionOf = (
  party: Party,
  place: Place,
  details: {
    readonly id: string
    readonly status: "ACTIVE" | "RESERVATION"
    readonly start: string
    readonly command: JsonObject
  }
): JsonObject => {
  const reference = textIn(details.command["authorization_reference"])
  return {
    country_code: party.identity.countryCode,
    party_id: party.identity.partyId,
    id: details.id,
    start_date_time: details.start,
    kwh: 0,
    cdr_token: cdrTokenOf(objectIn(details.command["token"])),
    auth_method: "COMMAND",
    ...(reference === undefined ? {} : { authorization_reference: reference }),
    location_id: place.location["id"],
    evse_uid: place.evse["uid"],
    connector_id: place.connector["id"],
    currency: place.tariff?.["currency"] ?? "EUR",
    charging_periods: [],
    status: details.status,
    last_updated: details.start
  }
}

const cdrTokenOf = (token: JsonObject): JsonObject =>
  Object.fromEntries(
    ["country_code", "party_id", "uid", "type", "contract_id"].flatMap((name) =>
      token[name] === undefined ? [] : [[name, token[name]]]
    )
  )

/** The CDR of a completed session: its totals are the sums of its periods, its costs those of the tariff. */
export const cdrOf = (session: JsonObject, place: Place): JsonObject => {
  const usage = usageOf(session["charging_periods"])
  const cost = place.tariff === undefined ? undefined : costOf(place.tariff, usage)
  const costs = {
    total_fixed_cost: cost?.fixed,
    total_energy_cost: cost?.energy,
    total_time_cost: cost?.time,
    total_parking_cost: cost?.parking
  }
  return {
    country_code: session["country_code"],
    party_id: session["party_id"],
    id: cdrIdOf(session),
    start_date_time: session["start_date_time"],
    end_date_time: session["end_date_time"],
    session_id: session["id"],
    cdr_token: session["cdr_token"],
    auth_method: session["auth_method"],
    ...("authorization_reference" in session
      ? { authorization_reference: session["authorization_reference"] }
      : {}),
    cdr_location: cdrLocationOf(place),
    currency: session["currency"],
    ...(place.tariff === undefined ? {} : { tariffs: [place.tariff] }),
    charging_periods: session["charging_periods"],
    total_cost: cost === undefined ? { excl_vat: 0 } : priceOf(cost.total),
    ...Object.fromEntries(
      Object.entries(costs).flatMap(([name, amount]) =>
        amount === undefined ? [] : [[name, priceOf(amount)]]
      )
    ),
    total_energy: numberOf(usage.energyUnits),
    total_time: hours(usage.chargingSeconds + usage.parkingSeconds),
    total_parking_time: hours(usage.parkingSeconds),
    last_updated: session["last_updated"]
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
  const ids = Array.isArray(connector["tariff_ids"]) ? connector["tariff_ids"] : []
  const tariff = tariffs.find((known) => ids.some((id) => sameId(id, known["id"])))
  return { location, evse, connector, tariff }
}
