/** Sessions for themselves: form, words, times, energy and money. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { statusLine } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import type { Check } from "../../model/Check.ts"
import { pass } from "../../model/Check.ts"
import { grossBelowNet, notOnlyUsed } from "../charge/charging.ts"
import {
  anyOf,
  below,
  inFields,
  onEach,
  onFlaws,
  onForm,
  onList,
  onUnique,
  type SchemaFlaw,
  sessions
} from "../shared/readObjects.ts"
import { base, dimensions, object } from "./sessionObjects.ts"

const words = inFields("status", "auth_method")

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
    judge: (evidence) => pass(evidence.answered("sessions.no-date-from").map(statusLine).join(", "))
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
      if (result.is !== "fail" || !evidence.profile.reservationSession) return result
      return { is: "fail", findings: result.findings.map(asProse) }
    }
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
