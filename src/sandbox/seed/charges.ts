/** Past charges at the sandbox CPO: each is a COMPLETED session and its CDR, whose costs agree to the cent. */
import { dayMillis, minuteMillis } from "../../../schema/fields/durations.ts"
import { dateTimeOf } from "../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { objectIn, objectsIn } from "../../findings/json.ts"
import { cdrOf, costSoFar } from "../../party/simulation/chargePoint/cdr.ts"
import type { ChargingPlace } from "../../party/simulation/chargePoint/chargingObjects.ts"
import { idBody, type SeedBasis } from "./draw.ts"
import { locationObject, type Plug, type Site, type Station } from "./locations.ts"
import { tariffObject } from "./tariffs.ts"
import { guest, ownedBy, rounded, tokenReference } from "./wording.ts"

/** A past charge, from which its session and its CDR are written. */
interface Charge {
  readonly ordinal: number
  readonly site: Site
  readonly station: Station
  readonly plug: Plug
  /** Milliseconds since 1970. */
  readonly start: number
  readonly chargedMinutes: number
  readonly parkedMinutes: number
  readonly kwh: number
  readonly uid: string
  readonly contractId: string
}

interface Teller {
  readonly profile: VersionProfile
  readonly identity: { readonly countryCode: string; readonly partyId: string; readonly name: string }
  readonly seed: number
  /** `last_updated` of the tariffs. */
  readonly tariffsUpdated: number
}

/** `count` charges, about two days apart; the latest began at least three days before `now`. */
export const chargeList = (
  { draw, now, seed }: SeedBasis,
  sites: ReadonlyArray<Site>,
  count: number
): ReadonlyArray<Charge> =>
  Array.from({ length: count }, (_, ordinal) => {
    const site = sites[draw(sites.length)]!
    const station = site.stations[draw(2)]!
    const plug = station.plugs[0]!
    const chargedMinutes = (plug.direct ? 15 : 60) + draw(plug.direct ? 30 : 180)
    const kilowatts = plug.direct ? 60 + draw(60) : 7 + draw(4)
    const day = now - (count - ordinal + 1) * 2 * dayMillis
    return {
      ordinal,
      site,
      station,
      plug,
      // Whole seconds, because the objects' times are written without fractions.
      start: Math.floor((day + draw(dayMillis / 2)) / 1000) * 1000,
      chargedMinutes,
      parkedMinutes: plug.direct ? draw(10) : 0,
      kwh: Math.round((kilowatts * chargedMinutes * 1000) / 60) / 1000,
      uid: `04${idBody(seed, 500 + (ordinal % 3))}8A`,
      contractId: `${guest.countryCode}-${guest.partyId}-C${String(100_000_001 + (ordinal % 3))}`
    }
  })

/** The charge as a COMPLETED Session object of the version (`mod_sessions`, Session Object). */
export const sessionObject = (teller: Teller, charge: Charge): Record<string, unknown> => {
  const { identity, profile } = teller
  const { plug, site, station } = charge
  const unpriced = {
    ...ownedBy(profile, identity),
    id: sessionId(teller, charge),
    [profile.sessionNames.start]: dateTimeOf(charge.start),
    [profile.sessionNames.end]: dateTimeOf(endOf(charge)),
    kwh: charge.kwh,
    ...tokenReference(profile, charge.uid, charge.contractId),
    ...authorization(teller, charge),
    ...(profile.place === "ids"
      ? { location_id: site.id, evse_uid: station.uid, connector_id: plug.id }
      : { location: locationObject(profile, identity, site, { station, plug }) }),
    currency: "EUR",
    charging_periods: periods(profile, charge),
    status: "COMPLETED",
    last_updated: dateTimeOf(endOf(charge))
  }
  return { ...unpriced, total_cost: costSoFar(profile, unpriced, placeOf(teller, charge)) }
}

/** The charge as a CDR object of the version (`mod_cdrs`, CDR Object), dated five minutes after the end of the charge. */
export const cdrObject = (teller: Teller, charge: Charge): Record<string, unknown> => {
  const { identity, profile, seed } = teller
  const party = { version: profile.version, identity }
  return {
    ...cdrOf(party, sessionObject(teller, charge), placeOf(teller, charge)),
    id: `CDR-${idBody(seed, 1000 + charge.ordinal)}`,
    last_updated: dateTimeOf(cdrMade(charge))
  }
}

/** Every third charge was authorized by a request to the EMSP; its authorization reference is repeated where the version has that field. */
function authorization({ profile, seed }: Teller, { ordinal }: Charge): Record<string, unknown> {
  if (ordinal % 3 !== 0) return { auth_method: "WHITELIST" }
  const reference = { authorization_reference: `AUTH-${idBody(seed, 4000 + ordinal)}` }
  return { auth_method: "AUTH_REQUEST", ...(profile.authorizationDetails ? reference : {}) }
}

function placeOf(
  { identity, profile, tariffsUpdated }: Teller,
  { plug, site, station }: Charge
): ChargingPlace {
  const location = locationObject(profile, identity, site, { station, plug })
  const tariff = tariffObject(profile, identity, plug.plan, tariffsUpdated)
  const [evse] = objectsIn(location["evses"])
  const [connector] = objectsIn(evse?.["connectors"])
  return { location, evse: objectIn(evse), connector: objectIn(connector), tariff }
}

/** When the vehicle left: the session's end and `last_updated`, in milliseconds since 1970. */
export const endOf = (charge: Charge): number =>
  charge.start + (charge.chargedMinutes + charge.parkedMinutes) * minuteMillis
/** `last_updated` of the charge's CDR: five minutes after the end, in milliseconds since 1970. */
export const cdrMade = (charge: Charge): number => endOf(charge) + 5 * minuteMillis

function sessionId({ seed }: Teller, charge: Charge): string {
  return `SES-${idBody(seed, 2000 + charge.ordinal)}`
}

/** One charging period for the charging, and one for the parking time after it, if any. */
function periods(profile: VersionProfile, charge: Charge): ReadonlyArray<Record<string, unknown>> {
  const tariff = profile.periodTariff ? { tariff_id: charge.plug.plan.id } : {}
  const charging = {
    start_date_time: dateTimeOf(charge.start),
    dimensions: [
      { type: "ENERGY", volume: charge.kwh },
      { type: "TIME", volume: rounded(charge.chargedMinutes / 60) }
    ],
    ...tariff
  }
  if (charge.parkedMinutes === 0) return [charging]
  const parking = {
    start_date_time: dateTimeOf(charge.start + charge.chargedMinutes * minuteMillis),
    dimensions: [{ type: "PARKING_TIME", volume: rounded(charge.parkedMinutes / 60) }],
    ...tariff
  }
  return [charging, parking]
}
