/** What CDRs say of their sessions. */

import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { repeated, unless, when } from "../../../findings/finding.ts"
import { textIn } from "../../../findings/json.ts"
import { isEmpty } from "../../../findings/objectDifferences.ts"
import { inWords } from "../../../findings/words.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe } from "../../model/Probe.ts"
import { placeIdsOf, summed } from "../charge/charging.ts"
import { allCdrs, allSessions } from "../charge/toldCharges.ts"
import { allPages, wholeListsOf } from "../shared/lists.ts"
import { namesNoPlace, namesNoToken, unlessMissing } from "../shared/missingFields.ts"
import { readingOf } from "../shared/objects/ListedKind.ts"
import { judgedOf } from "../shared/objects/listedObjects.ts"
import { anyOf, inFields, isFlawed } from "../shared/objects/objectFlaws.ts"
import { onAll, onEach, wrong } from "../shared/objects/objectRules.ts"
import { idKey, type Placed } from "../shared/objects/Placed.ts"
import { knownOf, referring } from "../shared/readings/rereading.ts"
import { cdrClause, cdrsBase, credits, withCdrDetails } from "./cdrObjects.ts"
import { sameValue, sessionOf, unlikeSession } from "./unlikeSession.ts"

/** Judges what stands in both: in a CDR, and in the session that it is for. */
const comparing = (judge: Check["judge"]): Check["judge"] => {
  const names = anyOf(namesNoPlace, namesNoToken)
  return unlessMissing(allCdrs, names, unlessMissing(allSessions, names, judge))
}

const withSessions = () => ["cdrs", "sessions"].flatMap(readingOf)

/** Judge CDRs against the listed sessions that they are for (mod_cdrs, CDR Object; mod_sessions, Session Object). */
export const cdrSessionsChecks: ReadonlyArray<Check> = [
  {
    ...cdrsBase,
    id: "CDR-020",
    versions: withCdrDetails,
    title: "CDR: session_id is given",
    reference: cdrClause,
    passes: "session_id is given, except where a reservation was not used or the CPO has no Sessions module",
    hint: "Set session_id: without it the EMSP cannot match the CDR with the session that it showed.",
    judge: (evidence) =>
      hasNoSessions(evidence)
        ? inconclusive("not_applicable", "the partner lists no endpoint of sessions, so that CDRs name none")
        : namesSession(evidence)
  },
  {
    ...cdrsBase,
    id: "CDR-021",
    consequenceOf: ["SESS-005", "SESS-007", "SESS-008", "SESS-013", "SESS-016", "SESS-018"],
    versions: withCdrDetails,
    title: "CDR: token, EVSE, energy and times are those of its COMPLETED session",
    strength: "should",
    reference: `${cdrClause}; mod_sessions, Session Object`,
    sends: "GET cdrs and sessions to the last page",
    passes:
      "a listed COMPLETED session with the same token, EVSE, energy, and times within 60 s; a CDR that bills a reservation may start earlier",
    hint: "Make the CDR from the session's final state.",
    requires: wholeListsOf(allPages("cdrs"), allPages("sessions")),
    needs: () => ofSessions.needs,
    judge: comparing(
      onAll(allCdrs, (_, evidence) => {
        const findings = ofSessions.findings(evidence)
        if (findings === undefined) return inconclusive("not_tested", "sessions were not read to their end")
        return namingSessions(evidence).length === 0
          ? inconclusive("unobservable", "no CDR names a session")
          : findings
      })
    )
  },
  {
    ...cdrsBase,
    id: "CDR-027",
    versions: withCdrDetails,
    title: "CDR: authorization_reference is that of its session",
    reference: cdrClause,
    sends: "GET cdrs and sessions to the last page",
    passes: "authorization_reference is that of the session",
    hint: "Keep the authorization_reference of the authorization or the command, and put it into session and CDR.",
    needs: withSessions,
    judge: besideSession(
      "authorization_reference",
      ({ json }) => textIn(json["authorization_reference"]) !== undefined
    )
  },
  {
    ...cdrsBase,
    id: "CDR-029",
    consequenceOf: ["CDR-003"],
    title: "CDR: at most one for each session, apart from credited ones",
    strength: "should",
    reference: credits,
    passes: "at most one CDR of a session is neither a Credit CDR nor credited by one",
    hint: "Send a Credit CDR for the first CDR before the corrected one.",
    judge: onAll(allCdrs, (items, { profile }) => {
      const takenBack = new Set(items.map(({ json }) => idKey(json["credit_reference_id"], profile)))
      // Which CDR such a Credit CDR takes back is not said: CDR-018 reports it.
      const unclear = new Set(
        items.flatMap(({ json }) =>
          json["credit"] === true && isEmpty(json["credit_reference_id"])
            ? [idKey(json["session_id"], profile)]
            : []
        )
      )
      const standing = items.filter(
        ({ json, pushed }) =>
          pushed !== true &&
          json["credit"] !== true &&
          !takenBack.has(idKey(json["id"], profile)) &&
          !unclear.has(idKey(json["session_id"], profile))
      )
      const named = standing.filter((item) => chargeOf(item, profile) !== undefined)
      if (named.length === 0) return inconclusive("unobservable", "no CDR says which session it is for")
      return repeated(named, (item) =>
        idKey([item.json["country_code"], item.json["party_id"], chargeOf(item, profile)], profile)
      ).map((item) =>
        wrong(
          item,
          profile.cdrDetails ? "session_id" : "id",
          "two CDRs that are not credited are for one session",
          {
            expected: "one CDR",
            actual: chargeOf(item, profile)
          }
        )
      )
    })
  },
  {
    ...cdrsBase,
    id: "CDR-038",
    versions: withCdrDetails,
    title: "CDR: auth_method is that of its session",
    reference: "mod_cdrs, CDR Object, AuthMethod enum",
    sends: "GET cdrs and sessions to the last page",
    passes: "auth_method is that of the completed session: the last one used",
    hint: "Write the auth_method that was used last in the session.",
    needs: withSessions,
    // SESS-004 and CDR-002 report a value that there is not.
    judge: besideSession("auth_method", (...both) =>
      both.every(({ json }) => authMethods.includes(textIn(json["auth_method"]) ?? ""))
    )
  }
]

/** Do the partner's version details leave out the Sessions module of a CPO? */
const hasNoSessions = ({ party: { counterpart } }: Evidence): boolean =>
  counterpart.endpoints.length > 0 &&
  !counterpart.endpoints.some(({ identifier, role }) => identifier === "sessions" && role !== "RECEIVER")

const authMethods = ["AUTH_REQUEST", "COMMAND", "WHITELIST"]

const namesSession = onEach(allCdrs, "was charged at", (item, evidence) => {
  const unused = summed(item.json, "RESERVATION_TIME").some && !summed(item.json, "ENERGY").some
  if (unused) return undefined
  if (isFlawed(evidence, allCdrs, item, inFields("session_id"))) return undefined
  return when(textIn(item.json["session_id"]) === undefined, () =>
    wrong(item, "session_id", "the CDR has no session_id", {
      expected: "the id of a session",
      actual: item.json["session_id"]
    })
  )
})

/** What a CDR is for: its session_id, or, in versions without it, token, start and EVSE. */
function chargeOf({ json }: Placed, profile: VersionProfile): unknown {
  if (profile.cdrDetails) return textIn(json["session_id"])
  return [json["auth_id"], json[profile.cdrNames.start], placeIdsOf(json, profile, "cdrs").evse]
}

const namingSessions = (evidence: Evidence): ReadonlyArray<Placed> =>
  judgedOf(evidence, allCdrs).filter(
    ({ json }) => textIn(json["session_id"]) !== undefined && json["credit"] !== true
  )

const ofSessions = referring({
  name: "ended",
  from: allCdrs,
  to: allSessions,
  findings: (known, evidence) =>
    namingSessions(evidence).flatMap((item) => unlikeSession(item, sessionOf(item, known), evidence))
})

/** Reads sessions again where CDRs differ from those of the list. */
export const cdrSessionsProbes: ReadonlyArray<Probe> = [ofSessions.probe]

/** Judges CDRs whose session is listed and completed: a field is the same in both. `about` picks by the session and the CDR. */
function besideSession(field: string, about: (session: Placed, cdr: Placed) => boolean): Check["judge"] {
  return onAll(allCdrs, (items, evidence) => {
    const sessions = knownOf(evidence, allSessions)
    if (sessions === undefined) return inconclusive("not_tested", "sessions were not read to their end")
    const pairs = items.flatMap((item) => {
      const session = sessionOf(item, sessions)
      return session !== undefined && sessionStatus(session.json) === "COMPLETED" && about(session, item)
        ? [{ item, session }]
        : []
    })
    if (pairs.length === 0)
      return inconclusive(
        "unobservable",
        `no listed session of a CDR has ${field}, with which that of the CDR could be compared`
      )
    return pairs.flatMap(({ item, session }) =>
      unless(sameValue(item.json[field], session.json[field]), () =>
        wrong(item, field, `the ${field} is not that of the session`, {
          expected: inWords(session.json[field]),
          actual: item.json[field]
        })
      )
    )
  })
}
