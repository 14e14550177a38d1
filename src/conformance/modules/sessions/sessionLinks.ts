/** Sessions beside other things: locations, tariffs, our tokens, themselves a while later. */

import type { Ambiguity } from "../../../../schema/Assertion.ts"
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { notAvailable } from "../../../../schema/ocpi/notAvailable.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { offersMethod } from "../../../findings/answers.ts"
import { anyOf, clientError, http, ofWrong } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { given, unless, when } from "../../../findings/finding.ts"
import { objectsIn, textIn } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import { isReservation } from "../../../ocpi/reservedSession.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { expectsOf } from "../../model/expects.ts"
import type { Probe } from "../../model/Probe.ts"
import { foreignToken, placeIdsOf, resolve } from "../charge/charging.ts"
import { allSessions } from "../charge/toldCharges.ts"
import { isAnsweredByRouter } from "../shared/besideOcpi.ts"
import { allPages, wholeListsOf } from "../shared/lists.ts"
import { namesNoPlace, unlessMissing } from "../shared/missingFields.ts"
import { locations, sessions, tariffs } from "../shared/objects/ListedKind.ts"
import { judgedOf, objectsOf } from "../shared/objects/listedObjects.ts"
import { onAll, onEach, wrong } from "../shared/objects/objectRules.ts"
import { type Placed, withId } from "../shared/objects/Placed.ts"
import { changedSince, quietMinutes, referring } from "../shared/readings/rereading.ts"
import { isWishTaken, wishTaken } from "./preferences.ts"
import { listBase, sessionClause, sessionsBase } from "./sessionObjects.ts"

/** OCPI restricts which parties may see an object for tokens only, not for sessions. */
const whoseSessions: Ambiguity = {
  readings: [
    "an EMSP gets the sessions of its own tokens",
    "it is left to the CPO which sessions an EMSP gets"
  ],
  section: "mod_sessions, Sender Interface, GET Method"
}

const withIds = versionsWhere(({ place }) => place === "ids")

/** Judge sessions against listed locations and tariffs, our tokens and a second reading (mod_sessions, Session Object). */
export const sessionLinksChecks: ReadonlyArray<Check> = [
  {
    ...sessionsBase,
    id: "SESS-010",
    consequenceOf: ["LOC-010", "LOC-011", "LOC-013", "TAR-003"],
    versions: withIds,
    title: "Session: location_id, evse_uid, connector_id and tariff_id name listed objects",
    strength: "should",
    reference: sessionClause,
    sends: "GET sessions, locations and tariffs to the last page",
    passes: "location_id, evse_uid and connector_id lead to one connector, tariff_id of periods to a tariff",
    hint: "Keep a location listed as long as sessions name it; keep a removed EVSE listed with status REMOVED.",
    requires: wholeListsOf(allPages("sessions"), allPages("locations"), allPages("tariffs")),
    needs: () => [...new Set([...places.needs, ...periodTariffs.needs])],
    judge: unlessMissing(
      allSessions,
      namesNoPlace,
      onAll(allSessions, (_, evidence) => {
        const [ofPlaces, ofTariffs] = [places.findings(evidence), periodTariffs.findings(evidence)]
        return ofPlaces === undefined || ofTariffs === undefined
          ? inconclusive("not_tested", "locations or tariffs were not read to their end")
          : [...ofPlaces, ...ofTariffs]
      })
    )
  },
  {
    ...sessionsBase,
    id: "SESS-011",
    versions: withIds,
    title: "Session: evse_uid and connector_id are #NA only before anything was charged",
    reference: `${sessionClause}; transport_and_format, No Data Available`,
    passes: `evse_uid and connector_id are ${notAvailable} only in reservations and sessions with kwh 0`,
    hint: "Set evse_uid and connector_id as soon as the session is no reservation any more.",
    judge: unlessMissing(
      allSessions,
      namesNoPlace,
      onEach(allSessions, "has the fields that the check compares", (item) =>
        (["evse_uid", "connector_id"] as const).flatMap((field) =>
          unless(
            item.json[field] !== notAvailable || isReservation(item.json["status"]) || item.json["kwh"] === 0,
            () =>
              wrong(item, field, `${field} is ${notAvailable} in a session that is no reservation`, {
                expected: "an id",
                actual: notAvailable
              })
          )
        )
      )
    )
  },
  {
    ...sessionsBase,
    id: "SESS-013",
    title: "GET sessions: only sessions of tokens of the requesting EMSP",
    strength: "should",
    reference: sessionClause,
    ambiguous: whoseSessions,
    passes: "each session names a token of ours",
    hint: "Filter the list by the EMSP that asks: sessions of others tell where their customers were.",
    judge: onEach(allSessions, "has the fields that the check compares", foreignToken(allSessions))
  },
  {
    ...listBase,
    id: "SESS-016",
    title: "Session: at most one is ACTIVE at an EVSE, and the EVSE is not AVAILABLE",
    strength: "should",
    reference: `${sessionClause}; mod_locations, Status enum`,
    sends: "GET sessions and locations to the last page",
    passes: "no EVSE has two ACTIVE sessions, and no EVSE with one has status AVAILABLE",
    hint: "Complete the former session when another one begins, and update the status of the EVSE each time.",
    needs: () => inUse.needs,
    judge: unlessMissing(
      sessions,
      namesNoPlace,
      onAll(sessions, (_, evidence) => {
        const active = activeIn(evidence)
        return active.length === 0
          ? inconclusive("unobservable", "no session is ACTIVE at the moment")
          : [...sharedEvses(active, evidence), ...(inUse.findings(evidence) ?? [])]
      })
    )
  },
  {
    ...listBase,
    id: "SESS-017",
    phase: "watch",
    title: "Session: no change after it is COMPLETED",
    reference: "mod_sessions, SessionStatus enum",
    sends: "GET sessions twice",
    passes: `a session that was COMPLETED ${quietMinutes} minutes ago is the same in both answers`,
    hint: "Correct costs in the CDR, not in a COMPLETED session.",
    needs: () => [...listBase.needs(), "sessions.again"],
    judge: (evidence) =>
      changedSince(evidence, sessions, (json) => sessionStatus(json) === "COMPLETED", "COMPLETED session")
  },
  {
    ...listBase,
    id: "SESS-022",
    // After the session that takes preferences, if there is one.
    phase: "watch",
    requires: wishTaken,
    versions: versionsWhere(({ objects }) => objects.ChargingPreferences !== undefined),
    title: "Charging preferences: refused for an unknown session",
    strength: "should",
    reference: "mod_sessions, Sender Interface, PUT Method; status_codes",
    sends: "PUT of charging_preferences with a session_id that does not exist",
    passes: "HTTP 404, or a status_code 2xxx",
    hint: "Look the session up first; answer HTTP 404 when it does not exist.",
    ...expectsOf(
      ["sessions.preferences-unknown"],
      {
        // A URL without a route is answered HTTP 404 as well, for every session.
        about: (seen, evidence) => offersMethod(seen) && (!isAnsweredByRouter(seen) || isWishTaken(evidence)),
        none: inconclusive(
          "not_applicable",
          "the partner takes no charging preferences: HTTP 404 without a status_code, 405 or 501"
        )
      },
      ofWrong(anyOf(http(404), clientError))
    )
  }
]

function unresolved(
  item: Placed,
  locations: ReadonlyArray<Placed>,
  { profile }: Evidence
): ReadonlyArray<Finding> {
  const found = resolve(locations, placeIdsOf(item.json, profile, "sessions"))
  return given("missing" in found ? found.missing : undefined, (missing) =>
    wrong(item, "location_id", `${missing} is not in the list of locations`, {
      expected: "a location, EVSE and connector of the list",
      actual: missing
    })
  )
}

const activeIn = (evidence: Evidence): ReadonlyArray<Placed> =>
  objectsOf(evidence, "sessions").filter(({ json }) => sessionStatus(json) === "ACTIVE")

function sharedEvses(active: ReadonlyArray<Placed>, { profile }: Evidence): ReadonlyArray<Finding> {
  const met = new Set<string>()
  return active.flatMap((item) => {
    const { evse } = placeIdsOf(item.json, profile, "sessions")
    const key = textIn(evse)?.toUpperCase()
    // Without an id of its EVSE a session is at no EVSE that another one is at.
    if (key === undefined) return []
    const again = met.has(key)
    met.add(key)
    return when(again, () =>
      wrong(item, "status", `EVSE ${inWords(evse)} has two ACTIVE sessions`, {
        expected: "one",
        actual: "two"
      })
    )
  })
}

/** The status of an EVSE may follow its session by this much. */
const statusMillis = 60_000

/** Was the EVSE free since before the session was read, although the session had gone on for a while? */
function isFree(
  evse: Readonly<Record<string, unknown>> | undefined,
  item: Placed,
  { profile }: Evidence
): boolean {
  const read = Date.parse(item.seen.exchange.startedAt)
  const began = dateTimeMillis(item.json[profile.sessionNames.start]) ?? 0
  const changed = dateTimeMillis(evse?.["last_updated"]) ?? 0
  return evse?.["status"] === "AVAILABLE" && changed <= read && began <= read - statusMillis
}

const places = referring({
  name: "places",
  from: allSessions,
  to: locations,
  findings: (known, evidence) =>
    judgedOf(evidence, allSessions).flatMap((item) => unresolved(item, known, evidence))
})

const periodTariffs = referring({
  name: "tariffs",
  from: allSessions,
  to: tariffs,
  findings: (known, evidence) =>
    judgedOf(evidence, allSessions).flatMap((item) =>
      objectsIn(item.json["charging_periods"]).flatMap((period, index) => {
        const id = textIn(period["tariff_id"])
        return unless(id === undefined || withId(known, id) !== undefined, () =>
          wrong(item, `charging_periods/${index}/tariff_id`, "the tariff is not in the list of tariffs", {
            expected: "the id of a listed tariff",
            actual: id
          })
        )
      })
    )
})

const inUse = referring({
  name: "in-use",
  from: sessions,
  to: locations,
  findings: (known, evidence) =>
    activeIn(evidence).flatMap((item) => {
      const ids = placeIdsOf(item.json, evidence.profile, "sessions")
      const found = resolve(known, ids)
      return when(!("missing" in found) && isFree(found.evse, item, evidence), () =>
        wrong(item, "status", `EVSE ${inWords(ids.evse)} has an ACTIVE session and is AVAILABLE`, {
          expected: "CHARGING or another status of an EVSE in use",
          actual: "AVAILABLE"
        })
      )
    })
})

/** Reads locations and tariffs again where sessions name what their lists did not have. */
export const sessionLinksProbes: ReadonlyArray<Probe> = [places.probe, periodTariffs.probe, inUse.probe]
