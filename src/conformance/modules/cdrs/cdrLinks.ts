/** CDRs beside other things: credits, sessions, locations, our tokens, themselves a while later. */

import { isDeepStrictEqual } from "node:util"
import type { Ambiguity } from "../../../../schema/Assertion.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { given, unless, when } from "../../../findings/finding.ts"
import { objectIn, sameId, textIn } from "../../../findings/json.ts"
import { isZero, numberOf, plus } from "../../../findings/money/decimal.ts"
import { readPrice } from "../../../findings/money/price.ts"
import { inWords } from "../../../findings/words.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe } from "../../model/Probe.ts"
import { foreignToken, placeIdsOf, resolve } from "../charge/charging.ts"
import { allCdrs } from "../charge/toldCharges.ts"
import { allPages, wholeListsOf } from "../shared/lists.ts"
import { namesNoPlace, unlessMissing } from "../shared/missingFields.ts"
import { cdrs, locations } from "../shared/objects/ListedKind.ts"
import { judgedOf, wholeList } from "../shared/objects/listedObjects.ts"
import { below } from "../shared/objects/objectFlaws.ts"
import { onAll, onEach, onFlaws, wrong } from "../shared/objects/objectRules.ts"
import { type Placed, withId } from "../shared/objects/Placed.ts"
import { changedSince, quietMinutes, referring } from "../shared/readings/rereading.ts"
import { cdrClause, cdrsBase, credits, listBase, withCdrDetails } from "./cdrObjects.ts"

/** Fields of a Credit CDR that may differ from the CDR that it takes back. */
const ofCredit = [
  "id",
  "credit",
  "credit_reference_id",
  "total_cost",
  "last_updated",
  "remark",
  "invoice_reference_id"
]

/** The text allows to leave out CDRs that are not relevant to the EMSP, and does not demand it. */
const whoseCdrs: Ambiguity = {
  readings: ["an EMSP gets the CDRs of its own tokens", "it is left to the CPO which CDRs an EMSP gets"],
  section: "mod_cdrs, Flow and Lifecycle, Pull model"
}

/**
 * Judge Credit CDRs, and CDRs against listed locations, our tokens and a second reading (mod_cdrs, CDR Object and
 * Credit CDRs).
 */
export const cdrLinksChecks: ReadonlyArray<Check> = [
  {
    ...cdrsBase,
    id: "CDR-018",
    versions: withCdrDetails,
    title: "Credit CDR: credit and credit_reference_id are given together",
    reference: credits,
    passes: "credit and credit_reference_id come together",
    hint: "Set credit to true and credit_reference_id to the id of the first CDR, or leave both out.",
    judge: onFlaws(allCdrs, below("credit_reference_id"), (item) =>
      unless(textIn(item.json["credit_reference_id"]) === undefined || item.json["credit"] === true, () =>
        wrong(item, "credit", "credit_reference_id is given although credit is not true", {
          expected: true.toString(),
          actual: item.json["credit"]
        })
      )
    )
  },
  {
    ...cdrsBase,
    id: "CDR-019",
    versions: withCdrDetails,
    title: "Credit CDR: total_cost is the negative of the first CDR, everything else the same",
    reference: credits,
    passes: "another id, the exact negative of total_cost, everything else the same",
    hint: "Copy the first CDR, give it a new id, set credit, and negate total_cost only.",
    judge: onAll(allCdrs, (items, evidence) => {
      const all = items.filter(({ json }) => json["credit"] === true)
      const whole = wholeList(evidence, "cdrs") !== undefined
      return all.length === 0
        ? inconclusive("unobservable", "no CDR is a Credit CDR")
        : all.flatMap((item) => notNegative(item, items, whole, evidence))
    })
  },
  {
    ...cdrsBase,
    id: "CDR-022",
    title: "GET cdrs: only CDRs of tokens of the requesting EMSP",
    strength: "should",
    reference: cdrClause,
    ambiguous: whoseCdrs,
    passes: "each CDR names a token of ours",
    hint: "Filter the list by the EMSP that asks: CDRs of others tell where their customers were.",
    judge: onEach(allCdrs, "has the fields that the check compares", foreignToken(allCdrs))
  },
  {
    ...cdrsBase,
    id: "CDR-024",
    consequenceOf: ["LOC-010", "LOC-013", "LOC-031", "SESS-010"],
    versions: versionsWhere(({ place }) => place === "ids"),
    title: "CdrLocation: standard, format and power type are those of the listed connector",
    strength: "should",
    reference: "mod_cdrs, CdrLocation class; mod_locations, Connector object",
    sends: "GET cdrs and locations to the last page",
    passes: "the ids lead to a connector with the same standard, format and power type",
    hint: "Copy the connector as it was; when it has been replaced since, the difference is no mistake.",
    requires: wholeListsOf(allPages("cdrs"), allPages("locations")),
    needs: () => connectors.needs,
    judge: unlessMissing(
      allCdrs,
      namesNoPlace,
      onAll(
        allCdrs,
        (_, evidence) =>
          connectors.findings(evidence) ?? inconclusive("not_tested", "locations were not read to their end")
      )
    )
  },
  {
    ...listBase,
    id: "CDR-028",
    phase: "watch",
    title: "CDR: no change after it was listed",
    reference: "mod_cdrs, Flow and Lifecycle",
    sends: "GET cdrs twice",
    passes: `a CDR of at least ${quietMinutes} minutes ago is the same in both answers`,
    hint: "Correct a CDR by a Credit CDR and a new CDR.",
    needs: () => [...listBase.needs(), "cdrs.again"],
    judge: (evidence) => changedSince(evidence, cdrs, () => true, "CDR")
  }
]

const connectors = referring({
  name: "connectors",
  from: allCdrs,
  to: locations,
  findings: (known, evidence) =>
    judgedOf(evidence, allCdrs).flatMap((item) => unlikeConnector(item, known, evidence))
})

/** Reads locations again where CDRs name what their list did not have. */
export const cdrLinksProbes: ReadonlyArray<Probe> = [connectors.probe]

function unlikeConnector(
  item: Placed,
  known: ReadonlyArray<Placed>,
  { profile }: Evidence
): ReadonlyArray<Finding> {
  const found = resolve(known, placeIdsOf(item.json, profile, "cdrs"))
  if ("missing" in found)
    return [
      wrong(item, "cdr_location", `${found.missing} is not in the list of locations`, {
        expected: "a location, EVSE and connector of the list",
        actual: found.missing
      })
    ]
  const copied = objectIn(item.json["cdr_location"])
  return (["standard", "format", "power_type"] as const).flatMap((name) => {
    const listed = found.connector?.[name]
    return unless(listed === undefined || listed === copied[`connector_${name}`], () =>
      wrong(item, `cdr_location/connector_${name}`, `the connector is listed with another ${name}`, {
        expected: inWords(listed),
        actual: copied[`connector_${name}`]
      })
    )
  })
}

function notNegative(
  item: Placed,
  items: ReadonlyArray<Placed>,
  whole: boolean,
  { profile }: Evidence
): ReadonlyArray<Finding> {
  const reference = item.json["credit_reference_id"]
  if (textIn(reference) === undefined) return []
  if (sameId(reference, item.json["id"]))
    return [
      wrong(item, "id", "the Credit CDR has the id of the CDR that it credits", {
        expected: "an id of its own",
        actual: reference
      })
    ]
  const first = withId(items, reference)
  if (first === undefined)
    return when(whole, () =>
      wrong(item, "credit_reference_id", "the CDR that the Credit CDR refers to is not listed", {
        expected: "the id of a CDR",
        actual: reference
      })
    )
  const [credit, cost] = [item, first].map(({ json }) => readPrice(profile, json["total_cost"]))
  const off = credit === undefined || cost === undefined ? undefined : plus(credit.net, cost.net)
  const changed = Object.keys(first.json).find(
    (field) => !ofCredit.includes(field) && !isDeepStrictEqual(first.json[field], item.json[field])
  )
  return [
    ...unless(off === undefined || isZero(off), () =>
      wrong(item, "total_cost", "total_cost is not the negative of that of the first CDR", {
        expected: cost === undefined ? "" : `${0 - numberOf(cost.net)}`,
        actual: item.json["total_cost"]
      })
    ),
    ...given(changed, (changed) =>
      wrong(item, changed, "the Credit CDR differs from the CDR that it credits", {
        expected: JSON.stringify(first.json[changed]),
        actual: item.json[changed]
      })
    )
  ]
}
