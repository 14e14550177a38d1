/** Sessions for themselves: form, words, times, energy and money. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { statusLine } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { proseStatus } from "../../../ocpi/reservedSession.ts"
import type { Check } from "../../model/Check.ts"
import { pass } from "../../model/Check.ts"
import { grossBelowNet, notOnlyUsed, ofUsedParts } from "../charge/charging.ts"
import { allSessions } from "../charge/toldCharges.ts"
import { sessions } from "../shared/objects/ListedKind.ts"
import { anyOf, below, inFields, isFlawed, type SchemaFlaw } from "../shared/objects/objectFlaws.ts"
import { onEach, onFlaws, onForm, onList, onUnique } from "../shared/objects/objectRules.ts"
import { dimensions, listBase, sessionClause, sessionsBase } from "./sessionObjects.ts"

const words = inFields("status", "auth_method")

const money = (flaw: SchemaFlaw) => below("total_cost")(flaw) || inFields("currency")(flaw)

/**
 * Judge the list of sessions, and the schema, enums, cost and ids of its objects (mod_sessions, Sender Interface and
 * Session Object).
 */
export const sessionsChecks: ReadonlyArray<Check> = [
  {
    ...listBase,
    id: "SESS-001",
    title: "GET sessions with date_from: HTTP 200, status_code 1000 and an array",
    reference: "mod_sessions, Sender Interface, GET Method",
    sends: "GET sessions with date_from",
    passes: "HTTP 200, status_code 1000, data is an array",
    hint: "Answer an empty array when no session was updated in the requested period.",
    ...onList(sessions)
  },
  {
    ...sessionsBase,
    id: "SESS-002",
    title: "Session: each conforms to the version's schema",
    reference: sessionClause,
    passes: "each Session conforms to the version's schema",
    hint: "Compare the field at the pointer with the table of the Session object of this version.",
    judge: onForm(allSessions, anyOf(words, dimensions, money))
  },
  {
    ...listBase,
    id: "SESS-003",
    title: "GET sessions without date_from: a list, or a refusal with status_code 2001",
    strength: "may",
    reference: "mod_sessions, Sender Interface, Request Parameters",
    sends: "GET sessions without date_from",
    passes: "recorded only: a refusal with status_code 2001, or a list",
    needs: () => ["sessions.no-date-from"],
    judge: (evidence) => pass(evidence.answered("sessions.no-date-from").map(statusLine).join(", "))
  },
  {
    ...sessionsBase,
    id: "SESS-004",
    title: "Session: status and auth_method have values of the version's enums",
    reference: "mod_sessions, SessionStatus enum; mod_cdrs, AuthMethod enum",
    passes: "status and auth_method are values of the version",
    hint: "Map a value of another version to one of this version.",
    judge: (evidence) => {
      const result = onFlaws(allSessions, words)(evidence)
      if (result.is !== "fail" || !evidence.profile.reservationSession) return result
      return { is: "fail", findings: result.findings.map(asProse) }
    }
  },
  {
    ...sessionsBase,
    id: "SESS-012",
    versions: versionsWhere(({ place }) => place === "location"),
    title: "Session: location contains only the used EVSE and connector",
    reference: sessionClause,
    passes: "the embedded location has exactly one EVSE with exactly one connector",
    hint: "Send the location with only the EVSE and the connector that are used.",
    judge: onEach(allSessions, "has a location", (item, evidence) =>
      item.json["location"] === undefined || isFlawed(evidence, allSessions, item, ofUsedParts)
        ? undefined
        : notOnlyUsed(item)
    )
  },
  {
    ...sessionsBase,
    id: "SESS-014",
    title: "Session: currency is an ISO 4217 code, and total_cost has the version's Price form",
    reference: `${sessionClause}; types, Price class`,
    passes: "currency is an ISO 4217 code, total_cost has the form of the version's Price",
    hint: "Write currency with three capital letters, like EUR, and total_cost as the version has it: a number, excl_vat and incl_vat, or before_taxes and taxes.",
    judge: onFlaws(allSessions, money)
  },
  {
    ...sessionsBase,
    id: "SESS-015",
    versions: versionsWhere(({ price }) => price === "excl_vat"),
    title: "Session: incl_vat of total_cost is not below excl_vat",
    strength: "should",
    reference: "types, Price class",
    passes: "incl_vat is at least excl_vat where both are given",
    hint: "Check that the two amounts are not exchanged.",
    judge: onEach(allSessions, "has a total_cost with incl_vat", (item, { profile }) => {
      const cost = item.json["total_cost"]
      return typeof cost === "object" && cost !== null && "incl_vat" in cost
        ? grossBelowNet(item, profile, ["total_cost"])
        : undefined
    })
  },
  {
    ...sessionsBase,
    id: "SESS-018",
    title: "Session: id is unique within a party",
    reference: sessionClause,
    passes: "no two sessions of one party share an id",
    hint: "Keep the id of a session through all its states, and give it to no other session.",
    judge: onUnique(allSessions, "id", (json) => [json["country_code"], json["party_id"], json["id"]])
  }
]

/** The specification names one status differently in the enum and in the prose: the prose's name breaks no more than a `should`. */
function asProse(finding: Finding): Finding {
  return finding.actual === JSON.stringify(proseStatus)
    ? {
        ...finding,
        strength: "should",
        hint: `Send RESERVATION: the SessionStatus enum has that value, only the prose says ${proseStatus}.`
      }
    : finding
}
