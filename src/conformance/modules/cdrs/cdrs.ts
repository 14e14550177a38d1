/** CDRs for themselves: form, words, times and identity. */

import { dateTimeMillis, latestMillis } from "../../../../schema/ocpi/DateTime.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unless } from "../../../findings/finding.ts"
import { keyText, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import { blocked, type Check, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { backwards, dimensionsOf, outOfOrder, spanOf } from "../charge/charging.ts"
import { allCdrs } from "../charge/toldCharges.ts"
import { cdrs, tariffs } from "../shared/objects/ListedKind.ts"
import { judgedOf, objectsOf } from "../shared/objects/listedObjects.ts"
import { anyOf, below, flawsOf, inFields, isFlawed, type SchemaFlaw } from "../shared/objects/objectFlaws.ts"
import { onEach, onFlaws, onForm, onList, onUnique, wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import { taxIncluded } from "../tariffs/tariffObjects.ts"
import { cdrClause, cdrsBase, listBase, place, usedIds } from "./cdrObjects.ts"

const detailed = versionsWhere(({ cdrDetails }) => cdrDetails)

/** Longest id of a CDR that is no Credit CDR, in characters. */
const idCap = 36

/** Dimension types that only a Session may have. */
const sessionOnly = ["CURRENT", "ENERGY_EXPORT", "ENERGY_IMPORT", "FLAT", "POWER", "STATE_OF_CHARGE"]

const secondMillis = 1000

/** Where the last_updated of a CDR is before its end by less than a second, nothing is in another time zone. */
const ofOneClock =
  "Take last_updated from the same clock as the end, at least as late and with the same digits: whole seconds, or fractions, in both."

const costs = [
  "total_cost",
  "total_fixed_cost",
  "total_energy_cost",
  "total_time_cost",
  "total_parking_cost",
  "total_reservation_cost"
]

const emptyPeriods = ({ pointer }: SchemaFlaw) => /^\/charging_periods(\/\d+\/dimensions)?$/.test(pointer)

const dimensionTypes = ({ pointer }: SchemaFlaw) => /^\/charging_periods\/.*\/type$/.test(pointer)

const credit = below("credit_reference_id")

const signed = below("signed_data")

/**
 * Judge the list of CDRs, and the schema, ids, times, charging periods and signed data of its objects (mod_cdrs,
 * Sender Interface, CDR Object, ChargingPeriod and SignedData classes).
 */
export const cdrsChecks: ReadonlyArray<Check> = [
  {
    ...listBase,
    id: "CDR-001",
    title: "GET cdrs: HTTP 200, status_code 1000 and an array",
    reference: "mod_cdrs, Sender Interface, GET Method",
    sends: "GET cdrs",
    passes: "HTTP 200, status_code 1000, data is an array",
    hint: "Answer an empty array when there are no CDRs.",
    ...onList(cdrs)
  },
  {
    ...cdrsBase,
    id: "CDR-002",
    title: "CDR: each conforms to the version's schema",
    reference: `${cdrClause}; CdrLocation class; CdrToken class`,
    passes: "each CDR conforms to the version's schema",
    hint: "Compare the field at the pointer with the table of the CDR object of this version.",
    judge: (evidence) =>
      onForm(
        allCdrs,
        anyOf(
          below("tariffs", ...costs),
          emptyPeriods,
          credit,
          place,
          usedIds,
          signed,
          inFields("currency"),
          ...(evidence.profile.cdrDetails ? [dimensionTypes] : [])
        )
      )(evidence)
  },
  {
    ...cdrsBase,
    id: "CDR-003",
    title: "CDR: id is unique within a party",
    reference: cdrClause,
    passes: "no two CDRs of one party share an id",
    hint: "Give a correction an id of its own: it is a new CDR.",
    judge: onUnique(allCdrs, "id", (json) => [json["country_code"], json["party_id"], json["id"]])
  },
  {
    ...cdrsBase,
    id: "CDR-004",
    versions: detailed,
    title: `CDR: id has at most ${idCap} characters unless it is a Credit CDR`,
    reference: cdrClause,
    passes: `the id of a CDR that is no credit has at most ${idCap} characters`,
    hint: "Shorten the id: characters 37 to 39 are for Credit CDRs, whose id may be that of the first CDR with a suffix.",
    judge: onEach(allCdrs, "is no Credit CDR", (item, evidence) => {
      const id = textIn(item.json["id"])
      if (item.json["credit"] === true || id === undefined) return undefined
      if (isFlawed(evidence, allCdrs, item, below("id"))) return undefined
      return unless(id.length <= idCap, () =>
        wrong(item, "id", "id is too long", {
          expected: `at most ${idCap} characters`,
          actual: id.length
        })
      )
    })
  },
  {
    ...cdrsBase,
    id: "CDR-005",
    title: "CDR: start is not after end, and last_updated is not before end",
    reference: cdrClause,
    passes: "start <= end; last_updated >= end",
    hint: "Write all times in UTC; check that none is in local time.",
    judge: onEach(allCdrs, "has both its times", (item, { profile }) => {
      const { end, start } = spanOf(item.json, profile.cdrNames)
      const updated = latestMillis(item.json["last_updated"])
      if (start === undefined || end === undefined) return undefined
      return [
        ...backwards(item, profile.cdrNames),
        ...unless(updated === undefined || updated >= end, () =>
          wrong(item, "last_updated", "last_updated is before the end of the CDR", {
            expected: `not before ${inWords(item.json[profile.cdrNames.end])}`,
            actual: item.json["last_updated"],
            strength: "should",
            ...(updated !== undefined && end - updated < secondMillis ? { hint: ofOneClock } : {})
          })
        )
      ]
    })
  },
  {
    ...cdrsBase,
    id: "CDR-006",
    title: "CDR: charging periods are in order of start_date_time and within the CDR",
    reference: "mod_cdrs, ChargingPeriod class",
    passes: "not empty, ascending, all between start and end, each with a dimension",
    hint: "Sort charging_periods by start_date_time, the oldest first.",
    judge: onFlaws(allCdrs, emptyPeriods, (item, { profile }) => {
      const { end, start } = spanOf(item.json, profile.cdrNames)
      // An end before the start puts every period outside: only the check of the times reports it.
      return start !== undefined && end !== undefined && end < start ? [] : outOfOrder(item, profile.cdrNames)
    })
  },
  {
    ...cdrsBase,
    id: "CDR-007",
    title: "CDR: the first charging period begins with the CDR",
    strength: "should",
    reference: "mod_cdrs, ChargingPeriod class",
    passes: "the first charging period starts within a second of the start of the CDR",
    hint: "Put the time between the start of the CDR and the first period into a charging period too.",
    judge: onEach(allCdrs, "has a first period with a time", firstPeriod)
  },
  {
    ...cdrsBase,
    id: "CDR-016",
    title: "CDR: each tariff in it conforms to the version's schema",
    reference: `${cdrClause}; mod_tariffs, Tariff Object`,
    passes: "each Tariff in a CDR conforms to the version's schema",
    hint: "Put the whole tariff into the CDR as it was, with every field that the version requires.",
    judge: (evidence) => {
      const has = onEach(allCdrs, "carries a tariff", ({ json }) =>
        objectsIn(json["tariffs"]).length === 0 ? undefined : []
      )(evidence)
      return has.is === "inconclusive" ? has : ofEmbedded(evidence)
    }
  },
  {
    ...cdrsBase,
    id: "CDR-017",
    versions: detailed,
    title: "CdrDimension: type is none of those for sessions only",
    reference: "mod_cdrs, CdrDimensionType enum",
    passes: `every type is of the version, and none of ${sessionOnly.join(", ")}`,
    hint: "Leave out dimensions that only a Session may have.",
    judge: onFlaws(allCdrs, dimensionTypes, (item, { profile }) =>
      dimensionsOf(item.json)
        // A type that the version's schema does not have is a schema flaw already.
        .filter(
          ({ dimension: { type } }) =>
            sessionOnly.includes(keyText(type)) && (type !== "FLAT" || !profile.cdrDetails)
        )
        .map(({ at, dimension }) =>
          wrong(item, `${at}/type`, "a CDR has a dimension that only sessions have", {
            expected: "a dimension of CDRs",
            actual: dimension["type"]
          })
        )
    )
  },
  {
    ...cdrsBase,
    id: "CDR-031",
    versions: detailed,
    title: "SignedData: encoding_method and complete signed_values are given",
    reference: "mod_cdrs, SignedData class, SignedValue class",
    passes: "encoding_method, and signed_values with nature, plain_data and signed_data",
    hint: "Leave signed_data out where the meter signs nothing.",
    judge: (evidence) => {
      const has = onEach(allCdrs, "has signed data", ({ json }) =>
        json["signed_data"] === undefined || json["signed_data"] === null ? undefined : []
      )(evidence)
      return has.is === "inconclusive" ? has : onFlaws(allCdrs, signed)(evidence)
    }
  }
]

/**
 * The flaws of the tariffs in CDRs, but for those that the same tariff has in the list of tariffs, as far as that was read: there
 * they are reported first.
 */
function ofEmbedded(evidence: Evidence): Judgement {
  const judgement = onFlaws(allCdrs, below("tariffs"))(evidence)
  if (judgement.is !== "fail") return judgement
  const listed = objectsOf(evidence, "tariffs")
  const known = flawsOf(evidence, tariffs).map((flaw) => {
    const at = flaw.finding.pointer?.slice(0, -flaw.pointer.length)
    const owner = listed.find(
      ({ pointer, seen }) => pointer === at && seen.exchange.id === flaw.finding.exchangeId
    )
    return { ...flaw, id: owner?.json["id"] }
  })
  const told = flawsOf(evidence, allCdrs)
    .filter(below("tariffs"))
    .map(({ finding, pointer }) => {
      const [, index, inside] = /^\/tariffs\/(\d+)(\/.*)$/.exec(pointer) ?? []
      const at = finding.pointer?.slice(0, -pointer.length)
      const item = judgedOf(evidence, allCdrs).find(
        (one) => one.pointer === at && one.seen.exchange.id === finding.exchangeId
      )
      const id = objectsIn(item?.json["tariffs"])[Number(index)]?.["id"]
      return { finding, listed: known.find((flaw) => flaw.pointer === inside && sameId(flaw.id, id)) }
    })
  const findings = told.flatMap((flaw) => (flaw.listed === undefined ? [flaw.finding] : []))
  const [first] = told.flatMap(({ listed }) => listed ?? [])
  if (findings.length > 0 || first === undefined) return noneOf(findings)
  const { exchangeId, message } = first.finding
  return blocked({
    check: taxIncluded(first) ? "TAR-009" : tariffs.form,
    ...(exchangeId === undefined ? {} : { exchangeId }),
    what: `the tariffs in the CDRs are as they are in the list of tariffs: ${message}`
  })
}

function firstPeriod(
  item: Placed,
  { profile }: Parameters<Check["judge"]>[0]
): ReadonlyArray<Finding> | undefined {
  const { end, start } = spanOf(item.json, profile.cdrNames)
  const first = objectsIn(item.json["charging_periods"])[0]
  const begins = dateTimeMillis(first?.["start_date_time"])
  if (start === undefined || begins === undefined) return undefined
  // CDR-005 reports an end before the start, and CDR-006 a period beyond the end.
  if (end !== undefined && (end < start || begins > end)) return undefined
  return unless(Math.abs(begins - start) <= secondMillis, () =>
    wrong(
      item,
      "charging_periods/0/start_date_time",
      "the first charging period does not begin with the CDR",
      {
        expected: inWords(item.json[profile.cdrNames.start]),
        actual: first?.["start_date_time"]
      }
    )
  )
}
