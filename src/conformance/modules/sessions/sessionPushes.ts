/** How a CPO tells us of sessions as they go on (mod_sessions, Receiver Interface). */

import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unless, when } from "../../../findings/finding.ts"
import { objectIn, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { dateTimeMillis } from "../../../ocpi/dateTime.ts"
import { type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { chargingCalls } from "../charge/chargingCalls.ts"
import {
  inPush,
  isRepeat,
  type PushedSession,
  pushedSessions,
  type SessionPush
} from "../charge/chargingPushes.ts"
import { givenReferences } from "./references.ts"
import { firstPush, invalid, periodsAgain, rankOf } from "./sessionPushForms.ts"

/** What the rules about pushed sessions have in common. */
export const sessionPushesBase = {
  module: "sessions",
  versions: versionNumbers,
  roles: ["CPO"],
  mode: "OBS",
  strength: "must",
  reference: "mod_sessions, Receiver Interface",
  sends: "nothing: looks at the sessions that the partner pushes during the run",
  needs: () => [chargingCalls]
} as const
const detailed = versionsWhere(({ authorizationDetails }) => authorizationDetails)

/** What the operator can do so that sessions are pushed. */
export const provoke =
  "start and stop a charge while the run goes on (listenSeconds), or let the run start one (the suite commands)"

/** Findings about each session; undefined: the rule is about nothing in it. `about` completes "no session that …". */
export const onSessions =
  (
    about: string,
    judge: (session: PushedSession, evidence: Evidence) => ReadonlyArray<Finding> | undefined
  ) =>
  (evidence: Evidence): Judgement => {
    const sessions = pushedSessions(evidence)
    const results = sessions.flatMap((session) => {
      const findings = judge(session, evidence)
      return findings === undefined ? [] : [findings]
    })
    if (results.length > 0) return noneOf(results.flat(), `${results.length} sessions looked at`)
    const near = sessions.length === 0 ? "" : `. ${sessions.length} sessions were pushed, none that ${about}`
    return inconclusive("unobservable", `${provoke}${near}`)
  }

/** Looks at each push but the first. */
const onLater = (
  judge: (push: SessionPush, index: number, session: PushedSession) => ReadonlyArray<Finding>
) =>
  onSessions("was pushed more than once", (session) =>
    session.pushes.length < 2
      ? undefined
      : session.pushes.flatMap((push, index) =>
          index === 0 || isRepeat(session, index) ? [] : judge(push, index, session)
        )
  )

export const sessionPushesChecks: ReadonlyArray<Check> = [
  {
    ...sessionPushesBase,
    id: "SESS-024",
    title: "Tells of a new session as a whole",
    passes: "the first push is a PUT of a complete, valid Session, with the ids of its path",
    hint: "Begin with PUT; a PATCH has nothing to change yet.",
    judge: onSessions("began during the run", firstPush)
  },
  {
    ...sessionPushesBase,
    id: "SESS-025",
    title: "Tells of changes by valid PATCHes and PUTs",
    passes: "PUT or PATCH of the session itself, each field of the version's form",
    hint: "A PATCH has the fields that changed, in the same form as in the whole session, and last_updated.",
    judge: (evidence) => onLater((push) => invalid(push, evidence))(evidence)
  },
  {
    ...sessionPushesBase,
    id: "SESS-026",
    title: "Never takes a status back",
    reference: "mod_sessions, SessionStatus enum",
    passes: "PENDING or RESERVATION, then ACTIVE, then COMPLETED or INVALID",
    hint: "Send updates of one session one after the other: a late one must not undo a newer one.",
    judge: onLater(({ before, body, seen }) => {
      const [was, is] = [rankOf(before?.["status"]), rankOf(body["status"])]
      return unless(was === undefined || is === undefined || is >= was, () =>
        inPush(
          seen,
          "/status",
          "the status goes back",
          `${String(before?.["status"])} or later`,
          body["status"]
        )
      )
    })
  },
  {
    ...sessionPushesBase,
    id: "SESS-028",
    versions: detailed,
    title: "Begins a session anew when it becomes ACTIVE",
    reference: "mod_sessions, Session Object (start_date_time)",
    passes: "the push from PENDING to ACTIVE has the start_date_time of that moment",
    hint: "While PENDING the start is when it was created; set it again when the energy begins to flow.",
    judge: onSessions("went from PENDING to ACTIVE", (session, { profile }) => {
      const push = session.pushes.find(
        ({ before, body }) => before?.["status"] === "PENDING" && body["status"] === "ACTIVE"
      )
      if (push === undefined) return undefined
      const { start } = profile.sessionNames
      const moment = dateTimeMillis(push.body["last_updated"])
      const began = dateTimeMillis(push.body[start] ?? push.before?.[start])
      return when(moment !== undefined && began !== undefined && moment - began > activationMillis, () =>
        inPush(
          push.seen,
          `/${start}`,
          "the session becomes ACTIVE and keeps its start",
          String(push.body["last_updated"]),
          push.body[start] ?? push.before?.[start]
        )
      )
    })
  },
  {
    ...sessionPushesBase,
    id: "SESS-029",
    title: "Only ever moves on",
    strength: "should",
    reference: "mod_sessions, Session Object",
    passes: "kwh never less than before, last_updated always later",
    hint: "Take both from the newest reading of the meter, and send updates in their order.",
    judge: onLater(({ before, body, seen }) => {
      const [was, is] = [before?.["kwh"], body["kwh"]]
      const [then, now] = [before?.["last_updated"], body["last_updated"]].map(dateTimeMillis)
      return [
        ...when(typeof was === "number" && typeof is === "number" && is < was, () =>
          inPush(seen, "/kwh", "the energy is less than before", `at least ${was}`, is)
        ),
        ...when(then !== undefined && now !== undefined && now <= then, () =>
          inPush(
            seen,
            "/last_updated",
            "it is not later than before",
            `after ${String(before?.["last_updated"])}`,
            body["last_updated"]
          )
        )
      ]
    })
  },
  {
    ...sessionPushesBase,
    id: "SESS-030",
    versions: versionsWhere(({ patchAppendsPeriods }) => patchAppendsPeriods === true),
    title: "Sends each charging period once",
    strength: "should",
    reference: "mod_sessions, Receiver Interface, PATCH Method",
    passes: "a PATCH has only charging periods that were not sent before",
    hint: "The receiver adds the periods of a PATCH to its own: send the new ones only.",
    judge: onSessions("was patched with charging periods", (session) => {
      const patches = session.pushes.filter(
        ({ body, method }, index) =>
          method === "PATCH" && objectsIn(body["charging_periods"]).length > 0 && !isRepeat(session, index)
      )
      return patches.length === 0 ? undefined : patches.flatMap(periodsAgain)
    })
  },
  {
    ...sessionPushesBase,
    id: "SESS-032",
    versions: detailed,
    title: "Names our reference of the authorization",
    reference: "mod_sessions, Session Object (authorization_reference)",
    passes: "authorization_reference is one that we gave for the token before the session was told of",
    hint: "Keep what authorize, START_SESSION or RESERVE_NOW brought, and copy it into the session.",
    judge: (evidence) => {
      const given = givenReferences(evidence)
      return onSessions("is of a token that we gave a reference for", ({ pushes }) => {
        const last = pushes.findLast(({ state }) => state !== undefined)
        const uid = textIn(objectIn(last?.state?.["cdr_token"])["uid"])?.toUpperCase()
        const began = pushes[0]?.seen.exchange.startedAt ?? ""
        // A token may charge twice at a time, and the reference of the later charge says nothing about the earlier.
        const fitting = given.filter((one) => one.uid === uid && one.at <= began)
        const expected = fitting.at(-1)?.reference
        // Whom a list of tokens lets in, nobody has asked us about.
        const isAsked = last?.state?.["auth_method"] !== "WHITELIST"
        if (last === undefined || expected === undefined || !isAsked) return undefined
        const actual = last.state?.["authorization_reference"]
        return unless(
          fitting.some(({ reference }) => sameId(actual, reference)),
          () =>
            inPush(last.seen, "/authorization_reference", "it is not the one that we gave", expected, actual)
        )
      })(evidence)
    }
  }
]

/** Activation and the push that tells of it may be so far apart. */
const activationMillis = 60_000
