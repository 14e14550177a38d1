/** What sessions and CDRs have in common: times, periods, energy, tokens, prices and places, in the version's words. */

import { dateTimeMillis, unknownTime } from "../../../../schema/ocpi/DateTime.ts"
import { notAvailable } from "../../../../schema/ocpi/notAvailable.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unless } from "../../../findings/finding.ts"
import { type JsonObject, objectIn, objectsIn, sameId } from "../../../findings/json.ts"
import {
  type Decimal,
  decimal,
  isMore,
  minus,
  numberOf,
  over,
  sumOf,
  times,
  zero
} from "../../../findings/money/decimal.ts"
import { periodsOf } from "../../../findings/money/periods.ts"
import { grossOf, readPrice } from "../../../findings/money/price.ts"
import { tokenOwner } from "../../../findings/tokenOwner.ts"
import { flawedPlaces } from "../../../findings/violations/flawedPlaces.ts"
import { inWords } from "../../../findings/words.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { ListedKind } from "../shared/objects/ListedKind.ts"
import { isFlawed, type SchemaFlaw } from "../shared/objects/objectFlaws.ts"
import { wrong } from "../shared/objects/objectRules.ts"
import { type Placed, withId } from "../shared/objects/Placed.ts"
import { unknownEvse } from "../shared/unknownEvse.ts"

/** Does the time say that it is not known? Both ways of writing the day count (mod_cdrs, CDR Object, note). */
export const isEpoch = (time: unknown): boolean => time === unknownTime || dateTimeMillis(time) === 0

const known = (time: unknown) => (isEpoch(time) ? undefined : dateTimeMillis(time))

/** Start and end of a session or a CDR, in milliseconds since 1970; undefined when they cannot be read or are not known. */
export const spanOf = (json: JsonObject, names: { readonly start: string; readonly end: string }) => ({
  start: known(json[names.start]),
  end: known(json[names.end])
})

/** Start after end. */
export const backwards = (item: Placed, names: VersionProfile["cdrNames"]): ReadonlyArray<Finding> => {
  const { end, start } = spanOf(item.json, names)
  return unless(start === undefined || end === undefined || start <= end, () =>
    wrong(item, names.end, `${names.end} is before ${names.start}`, {
      expected: `not before ${inWords(item.json[names.start])}`,
      actual: item.json[names.end]
    })
  )
}

/** Charging periods out of order, or outside the span; those with one of the dimensions `before` may begin before it. */
export const outOfOrder = (
  item: Placed,
  names: VersionProfile["cdrNames"],
  before: ReadonlyArray<string> = []
): ReadonlyArray<Finding> => {
  const span = spanOf(item.json, names)
  const periods = periodsOf(item.json["charging_periods"], span)
  return periods.flatMap(({ index, start, volumes }, place) => {
    const former = periods[place - 1]?.start
    const isEarly = before.some((type) => volumes.has(type))
    if (start === undefined) return []
    const finding = (message: string, expected: string) =>
      wrong(item, `charging_periods/${index}/start_date_time`, message, {
        expected,
        actual: new Date(start).toISOString()
      })
    if (former !== undefined && start <= former)
      return [finding("the charging period is not after the one before it", "strictly ascending starts")]
    if (span.start !== undefined && start < span.start && !isEarly)
      return [
        finding(
          "the charging period begins before the start",
          `not before ${inWords(item.json[names.start])}`
        )
      ]
    if (span.end !== undefined && start > span.end)
      return [
        finding("the charging period begins after the end", `not after ${inWords(item.json[names.end])}`)
      ]
    return []
  })
}

/** All dimensions of all charging periods; `at` is the path of each in the object. */
export const dimensionsOf = (
  json: JsonObject
): ReadonlyArray<{ readonly dimension: JsonObject; readonly at: string }> =>
  objectsIn(json["charging_periods"]).flatMap((period, index) =>
    objectsIn(period["dimensions"]).map((dimension, place) => ({
      dimension,
      at: `charging_periods/${index}/dimensions/${place}`
    }))
  )

/** Sum of a dimension over all periods, and whether every period has it. */
export const summed = (json: JsonObject, type: string) => {
  const periods = periodsOf(json["charging_periods"], { start: undefined, end: undefined })
  const volumes = periods.map((period) => period.volumes.get(type))
  return {
    sum: sumOf(volumes.map((volume) => volume ?? zero)),
    some: volumes.some((volume) => volume !== undefined),
    every: volumes.length > 0 && volumes.every((volume) => volume !== undefined)
  }
}

/** Are they the same within `absolute`, or within a hundredth of the second one? */
export const isNear = (value: Decimal, of: Decimal, absolute: number): boolean => {
  const off = minus(value, of)
  const distance = isMore(zero, off) ? minus(zero, off) : off
  const size = isMore(zero, of) ? minus(zero, of) : of
  return !isMore(distance, decimal(absolute)) || !isMore(distance, times(size, decimal(0.01)))
}

/** The factor by which one value is a multiple of the other, within 1 %: a sign of a wrong unit. */
export const factorOf = (value: Decimal, of: Decimal, factors: ReadonlyArray<number>): number | undefined =>
  factors.find((factor) => {
    if (!isMore(of, zero)) return false
    const ratio = numberOf(over(value, of))
    return Math.abs(ratio - factor) <= factor / 100 || Math.abs(ratio * factor - 1) <= 0.01
  })

/** An amount after taxes that is less than before them. */
export const grossBelowNet = (
  item: Placed,
  profile: VersionProfile,
  fields: ReadonlyArray<string>
): ReadonlyArray<Finding> =>
  fields.flatMap((field) => {
    const amount = readPrice(profile, item.json[field])
    const gross = amount === undefined ? undefined : grossOf(amount)
    return amount === undefined ||
      gross === undefined ||
      isMore(zero, amount.net) ||
      !isMore(amount.net, gross)
      ? []
      : wrong(item, field, `${field} is lower with tax than without`, {
          expected: `at least ${numberOf(amount.net)}`,
          actual: numberOf(gross),
          strength: "should"
        })
  })

const ofTokenOwner = ({ pointer }: SchemaFlaw): boolean =>
  /^\/(auth_id|cdr_token(\/(country_code|party_id|contract_id))?)$/.test(pointer)

/**
 * The finding that an object of that kind names a token of another EMSP, by its owner where the version has it, else by its contract.
 */
export const foreignToken = (kind: ListedKind) => (item: Placed, evidence: Evidence) => {
  if (isFlawed(evidence, kind, item, ofTokenOwner)) return undefined
  const { party, profile } = evidence
  const ours = `${party.identity.countryCode}-${party.identity.partyId}`
  const owner = tokenOwner(profile, item.json)
  return unless(owner === undefined || sameId(owner, ours), () =>
    wrong(item, profile.tokenReference, `the token belongs to ${owner}, not to us`, {
      expected: `a token of ${ours}`,
      actual: owner
    })
  )
}

/** Ids of location, EVSE and connector, from wherever the version has them. */
export const placeIdsOf = (json: JsonObject, profile: VersionProfile, module: "sessions" | "cdrs") => {
  if (profile.place === "location") {
    const location = objectIn(json["location"])
    const evse = objectsIn(location["evses"])[0]
    const connector = objectsIn(evse?.["connectors"])[0]
    return { location: location["id"], evse: evse?.["uid"], connector: connector?.["id"] }
  }
  const place = module === "sessions" ? json : objectIn(json["cdr_location"])
  return {
    location: module === "sessions" ? place["location_id"] : place["id"],
    evse: place["evse_uid"],
    connector: place["connector_id"]
  }
}

const evsePlaces = [
  "evse_uid",
  "location",
  "location/id",
  "location/evses",
  "location/evses/0",
  "location/evses/0/uid"
]

/** Does what a session says of its EVSE break the schema, so that it is not known which one it is? */
export const isPlaceFlawed = (session: JsonObject, { profile }: Evidence): boolean =>
  evsePlaces.map((place) => `/${place}`).some(flawedPlaces(profile.objects.Session, session))

/** Does the id name something? One that is left out is a finding about the form of its object. */
const isNamed = (id: unknown): boolean => typeof id === "string" && id !== "" && id !== notAvailable

/**
 * The connector that ids name in the list of locations, with its EVSE and location as far as they are named; or what is
 * not there.
 */
export const resolve = (
  locations: ReadonlyArray<Placed>,
  ids: ReturnType<typeof placeIdsOf>
):
  | { readonly missing: string }
  | { readonly location: JsonObject; readonly evse?: JsonObject; readonly connector?: JsonObject } => {
  if (!isNamed(ids.location)) return { location: {} }
  const location = withId(locations, ids.location)?.json
  if (location === undefined) return { missing: `location ${inWords(ids.location)}` }
  // A charge at the EVSE that a command of ours made up is the finding of the check of that command.
  if (!isNamed(ids.evse) || sameId(ids.evse, unknownEvse)) return { location }
  const evse = objectsIn(location["evses"]).find(({ uid }) => sameId(uid, ids.evse))
  if (evse === undefined) return { missing: `EVSE ${inWords(ids.evse)} of location ${inWords(ids.location)}` }
  if (!isNamed(ids.connector)) return { location, evse }
  const connector = objectsIn(evse["connectors"]).find(({ id }) => sameId(id, ids.connector))
  return connector === undefined
    ? { missing: `connector ${inWords(ids.connector)} of EVSE ${inWords(ids.evse)}` }
    : { location, evse, connector }
}

/** What is wrong with the embedded location as a whole, or with its lists of EVSEs and connectors: they cannot be counted. */
export const ofUsedParts = ({ pointer }: SchemaFlaw): boolean =>
  /^\/location(\/evses(\/\d+(\/connectors(\/\d+)?)?)?)?$/.test(pointer)

/** An embedded location that is not exactly the EVSE and the connector that were used. */
export const notOnlyUsed = (item: Placed): ReadonlyArray<Finding> => {
  const evses = objectsIn(objectIn(item.json["location"])["evses"])
  const connectors = evses.flatMap((evse) => objectsIn(evse["connectors"]))
  return unless(evses.length === 1 && connectors.length === 1, () =>
    wrong(
      item,
      "location/evses",
      "location does not have exactly the EVSE and the connector that were used",
      {
        expected: "one EVSE with one connector",
        actual: `${evses.length} EVSEs with ${connectors.length} connectors`
      }
    )
  )
}
