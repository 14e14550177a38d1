/** The cost of a session, and its CDR, as the party's version has them. */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { notAvailable } from "../../../../schema/ocpi/notAvailable.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectsIn, textIn } from "../../../findings/json.ts"
import { calculate } from "../../../findings/money/calculate.ts"
import { calculateCdr, costFields } from "../../../findings/money/compare.ts"
import { writePrice } from "../../../findings/money/price.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { type ChargingPlace, ownerOf, tariffsFor } from "./chargingObjects.ts"
import { numberOf } from "./decimals.ts"
import { hours, usageOf } from "./meter.ts"
import { startOf } from "./sessionFields.ts"

/** The cost of a session so far, with its reservation; undefined without a tariff. */
export const costSoFar = (
  profile: VersionProfile,
  session: JsonObject,
  place: ChargingPlace,
  reservedFrom?: string
): unknown => {
  const tariffs = tariffsFor(profile, place)
  if (tariffs.length === 0) return undefined
  const { total } = calculate({
    profile,
    tariffs,
    periods: billedPeriods(profile, session, place, reservedFrom),
    span: { start: dateTimeMillis(startOf(profile, session)), end: dateTimeMillis(session["last_updated"]) },
    timeZone: textIn(place.location["time_zone"])
  })
  return writePrice(profile, total)
}

/**
 * The CDR of a completed session: totals are the sums of its periods, costs follow the tariff. After a reservation its
 * first period is that.
 */
export const cdrOf = (
  party: Pick<Party, "version" | "identity">,
  session: JsonObject,
  place: ChargingPlace,
  reservedFrom?: string
): JsonObject => {
  const profile = profileOf(party.version)
  const usage = usageOf(session["charging_periods"])
  const tariffs = tariffsFor(profile, place)
  const unpriced = {
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
    ...(tariffs.length === 0 ? {} : { tariffs }),
    charging_periods: billedPeriods(profile, session, place, reservedFrom)
  }
  return {
    ...unpriced,
    ...costsOf(profile, unpriced, place),
    total_energy: numberOf(usage.energyUnits),
    total_time: hours(usage.chargingSeconds + usage.parkingSeconds),
    total_parking_time: hours(usage.parkingSeconds),
    last_updated: session["last_updated"]
  }
}

/**
 * The session of an unused, expired reservation as it is billed: a charge of no length at its end, after the reserved
 * time. Undefined when no element of the tariff prices that time, which makes the reservation free (mod_tariffs,
 * TariffRestrictions class).
 */
export const unusedOf = (
  party: Pick<Party, "version" | "identity">,
  ended: JsonObject,
  place: ChargingPlace,
  reservedFrom: string
): { readonly cdr: JsonObject; readonly totalCost: unknown } | undefined => {
  const profile = profileOf(party.version)
  const session = { ...ended, [profile.sessionNames.start]: ended[profile.sessionNames.end] }
  const cdr = cdrOf(party, session, place, reservedFrom)
  const { parts } = calculateCdr(profile, cdr, { timeZone: textIn(place.location["time_zone"]) })
  return parts.reservation === undefined ? undefined : { cdr, totalCost: cdr["total_cost"] }
}

/** The total cost, and its parts in versions that have them. */
function costsOf(profile: VersionProfile, cdr: JsonObject, { location }: ChargingPlace): JsonObject {
  const { parts, total } = calculateCdr(profile, cdr, { timeZone: textIn(location["time_zone"]) })
  const split = Object.entries(parts).flatMap(([part, amount]) =>
    amount === undefined ? [] : [[costFields[part as keyof typeof parts], writePrice(profile, amount)]]
  )
  return {
    total_cost: writePrice(profile, total),
    ...(profile.cdrDetails ? Object.fromEntries(split) : {})
  }
}

/** The periods to bill: that of the reservation, then those of the session. */
const billedPeriods = (
  profile: VersionProfile,
  session: JsonObject,
  { tariffBefore }: ChargingPlace,
  reservedFrom: string | undefined
) => {
  const named = profile.periodTariff && tariffBefore !== undefined ? { tariff_id: tariffBefore["id"] } : {}
  return [
    ...(reservedFrom === undefined
      ? []
      : [{ ...reservedPeriod(reservedFrom, startOf(profile, session)), ...named }]),
    ...objectsIn(session["charging_periods"])
  ]
}

/** The charging period of the reservation, up to the session's start. */
function reservedPeriod(from: string, start: unknown): JsonObject {
  const seconds = ((dateTimeMillis(start) ?? 0) - (dateTimeMillis(from) ?? 0)) / 1000
  return {
    start_date_time: from,
    dimensions: [{ type: "RESERVATION_TIME", volume: hours(Math.max(0, seconds)) }]
  }
}

/** The id of the one CDR of a session of ours. */
export const cdrIdOf = (session: JsonObject): string => `CDR-${session["id"]}`

function cdrLocationOf({ connector, evse, location }: ChargingPlace): JsonObject {
  const optional = Object.fromEntries(
    ["name", "postal_code", "state"].flatMap((field) =>
      textIn(location[field]) === undefined ? [] : [[field, location[field]]]
    )
  )
  return {
    id: location["id"],
    ...optional,
    // The CDR's field is shorter than the location's.
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
