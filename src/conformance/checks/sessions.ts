/** Sessions for themselves: form, words, times, energy and money. */
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { objectsIn } from "../../findings/json.ts"
import { decimalOf, isMore, numberOf, zero } from "../../findings/money/decimal.ts"
import { dateTimeMillis } from "../../ocpi/dateTime.ts"
import { statusLine } from "../answers.ts"
import type { Check, Finding } from "../Check.ts"
import { kept } from "../Check.ts"
import {
  backwards,
  dimensionsOf,
  factorOf,
  grossBelowNet,
  isNear,
  notOnlyUsed,
  outOfOrder,
  spanOf,
  summed
} from "./charging.ts"
import {
  anyOf,
  baseOf,
  below,
  inFields,
  onEach,
  onFlaws,
  onForm,
  onList,
  onUnique,
  type Placed,
  type SchemaFlaw,
  sessions,
  wrong
} from "./readObjects.ts"

const base = baseOf(sessions)
const object = "mod_sessions, Session Object"
const words = inFields("status", "auth_method")
const dimensions = (flaw: SchemaFlaw) => /^\/charging_periods\/\d+\/dimensions/.test(flaw.pointer)
const money = (flaw: SchemaFlaw) => below("total_cost")(flaw) || inFields("currency")(flaw)

/** In prose the status has this name, in the enum another. */
const proseStatus = "RESERVED"

export const sessionsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "SESS-001",
    title: "Serves the list of sessions",
    reference: "mod_sessions, Sender Interface, GET Method",
    sends: "GET sessions with date_from",
    passes: "HTTP 200, status_code 1000, data is an array",
    hint: "Answer an empty list when there are no sessions in the time asked for.",
    needs: () => ["sessions.list"],
    judge: onList(sessions)
  },
  {
    ...base,
    id: "SESS-002",
    title: "Every session has the form of the version",
    reference: object,
    passes: "each Session conforms to the version's schema",
    hint: "Compare the field at the pointer with the table of the Session object of this version.",
    judge: onForm(sessions, anyOf(words, dimensions, money))
  },
  {
    ...base,
    id: "SESS-003",
    title: "What it answers without date_from",
    strength: "may",
    reference: "mod_sessions, Sender Interface, Request Parameters",
    sends: "GET sessions without date_from",
    passes: "recorded only: a refusal with 2001, or a list",
    needs: () => ["sessions.no-date-from"],
    judge: (evidence) => kept(evidence.answered("sessions.no-date-from").map(statusLine).join(", "))
  },
  {
    ...base,
    id: "SESS-004",
    title: "Uses the words of the version",
    reference: "mod_sessions, SessionStatus enum; mod_cdrs, AuthMethod enum",
    passes: "status and auth_method are values of the version",
    hint: "A word of another version must be mapped to one of this version.",
    judge: (evidence) => {
      const result = onFlaws(sessions, words)(evidence)
      if (result.is !== "broken" || !evidence.profile.reservationSession) return result
      return { is: "broken", findings: result.findings.map(asProse) }
    }
  },
  {
    ...base,
    id: "SESS-005",
    title: "No session ends before it begins",
    reference: object,
    passes: "the start is not after the end",
    hint: "Both times are UTC: check that neither was written in local time.",
    judge: onEach(sessions, "has both its times", (item, { profile }) => {
      const { end, start } = spanOf(item.json, profile.sessionNames)
      return start === undefined || end === undefined ? undefined : backwards(item, profile.sessionNames)
    })
  },
  {
    ...base,
    id: "SESS-006",
    title: "The times fit the status",
    strength: "should",
    reference: `${object}; SessionStatus enum`,
    passes: "an end when COMPLETED, none when PENDING or ACTIVE; last_updated not before start and end",
    hint: "Set the end when the session becomes COMPLETED, and last_updated with every change.",
    judge: onEach(sessions, "can be looked at", timesFitStatus)
  },
  {
    ...base,
    id: "SESS-007",
    title: "kwh is the energy of its periods, in kWh",
    strength: "should",
    reference: `${object}; mod_cdrs, CdrDimensionType enum`,
    passes: "kwh is not negative, and the sum of the ENERGY volumes within 1 % where every period has one",
    hint: "Energy is counted in kWh everywhere in OCPI: divide Wh by 1000.",
    judge: onEach(sessions, "says its kwh", energyAddsUp)
  },
  {
    ...base,
    id: "SESS-008",
    title: "Charging periods follow one another within the session",
    strength: "should",
    reference: "mod_cdrs, ChargingPeriod class",
    passes: "strictly ascending, none before the start, none after the end",
    hint: "Sort charging_periods by start_date_time, the oldest first.",
    judge: onEach(sessions, "has charging periods", (item, { profile }) =>
      objectsIn(item.json["charging_periods"]).length === 0
        ? undefined
        : outOfOrder(item, profile.sessionNames)
    )
  },
  {
    ...base,
    id: "SESS-009",
    title: "Measures in dimensions of the version",
    reference: "mod_cdrs, CdrDimension class, CdrDimensionType enum",
    passes: "each period has a dimension, each type is of the version, STATE_OF_CHARGE is from 0 to 100",
    hint: "Leave out what the version has no dimension for.",
    judge: onFlaws(sessions, dimensions, (item) =>
      dimensionsOf(item.json).flatMap(({ at, dimension }) => {
        const { type, volume } = dimension
        return type !== "STATE_OF_CHARGE" || typeof volume !== "number" || (volume >= 0 && volume <= 100)
          ? []
          : [
              wrong(item, `${at}/volume`, "a state of charge is out of range", {
                expected: "0 to 100",
                actual: volume
              })
            ]
      })
    )
  },
  {
    ...base,
    id: "SESS-012",
    versions: versionsWhere(({ place }) => place === "location"),
    title: "Shows the used EVSE and connector, and no other",
    reference: object,
    passes: "the embedded location has exactly one EVSE with exactly one connector",
    hint: "Cut the location down to the EVSE and the connector that are used.",
    judge: onEach(sessions, "has a location", (item) =>
      item.json["location"] === undefined ? undefined : notOnlyUsed(item)
    )
  },
  {
    ...base,
    id: "SESS-014",
    title: "Counts its cost in a currency, in the version's shape",
    reference: `${object}; types, Price class`,
    passes: "currency is an ISO 4217 code, total_cost has the shape of a price of the version",
    hint: "Versions write prices differently: a number, excl_vat and incl_vat, or before_taxes and taxes.",
    judge: onFlaws(sessions, money)
  },
  {
    ...base,
    id: "SESS-015",
    versions: versionsWhere(({ price }) => price === "excl_vat"),
    title: "Costs no less with VAT than without",
    strength: "should",
    reference: "types, Price class",
    passes: "incl_vat is at least excl_vat where both are given",
    hint: "Check that the two amounts were not exchanged.",
    judge: onEach(sessions, "says its cost with VAT", (item, { profile }) => {
      const cost = item.json["total_cost"]
      return typeof cost === "object" && cost !== null && "incl_vat" in cost
        ? grossBelowNet(item, profile, ["total_cost"])
        : undefined
    })
  },
  {
    ...base,
    id: "SESS-018",
    title: "Session ids are unique",
    reference: object,
    passes: "no two sessions of one party share an id",
    hint: "A session keeps its id from its first state to its last, and no other session gets it.",
    judge: onUnique(sessions, "id", (json) => [json["country_code"], json["party_id"], json["id"]])
  }
]

/** The text has two names for one status: the enum's is right, the other is no more than a warning. */
function asProse(finding: Finding): Finding {
  return finding.actual === JSON.stringify(proseStatus)
    ? {
        ...finding,
        strength: "should",
        hint: `The enum names this status RESERVATION; the prose says ${proseStatus}. Send the enum's word: receivers look for it.`
      }
    : finding
}

function timesFitStatus(item: Placed, { profile }: Parameters<Check["judge"]>[0]): ReadonlyArray<Finding> {
  const { json } = item
  const { end: endField } = profile.sessionNames
  const { end, start } = spanOf(json, profile.sessionNames)
  const updated = dateTimeMillis(json["last_updated"])
  const hasEnd = json[endField] !== undefined && json[endField] !== null
  const { status } = json
  return [
    ...(status === "COMPLETED" && !hasEnd
      ? [
          wrong(item, endField, "the session is COMPLETED and has no end", {
            expected: "a DateTime",
            actual: json[endField]
          })
        ]
      : []),
    ...((status === "PENDING" || status === "ACTIVE") && hasEnd
      ? [
          wrong(item, endField, `the session is ${status} and has an end`, {
            expected: "no end yet",
            actual: json[endField]
          })
        ]
      : []),
    ...[start, end].flatMap((at) =>
      at === undefined || updated === undefined || updated >= at
        ? []
        : [
            wrong(item, "last_updated", "the session was changed after its last_updated", {
              expected: `not before ${new Date(at).toISOString()}`,
              actual: json["last_updated"]
            })
          ]
    )
  ]
}

function energyAddsUp(item: Placed): ReadonlyArray<Finding> | undefined {
  const kwh = decimalOf(item.json["kwh"])
  if (kwh === undefined) return undefined
  if (isMore(zero, kwh))
    return [wrong(item, "kwh", "the energy is negative", { expected: "0 or more", actual: item.json["kwh"] })]
  const { every, sum } = summed(item.json, "ENERGY")
  if (!every || isNear(kwh, sum, 0.01)) return []
  const unit = factorOf(kwh, sum, [1000]) === undefined ? "" : ": one of them is in Wh"
  return [
    wrong(item, "kwh", `kwh is not the sum of the ENERGY volumes${unit}`, {
      expected: `${numberOf(sum)} kWh`,
      actual: item.json["kwh"]
    })
  ]
}
