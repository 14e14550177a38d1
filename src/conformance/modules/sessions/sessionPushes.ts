/** How a CPO tells us of sessions as they go on (mod_sessions, Receiver Interface). */

import { dateTimeMillis, isOfWholeSeconds } from "../../../../schema/ocpi/DateTime.ts"
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { refusedCall } from "../../../findings/calledPath.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unless, when } from "../../../findings/finding.ts"
import { objectIn, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { flawedPlaces } from "../../../findings/violations/flawedPlaces.ts"
import { inWords } from "../../../findings/words.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import { blocked, type Check, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { chargingCalls } from "../charge/chargingCalls.ts"
import {
  inPush,
  isRepeat,
  type PushedSession,
  pushedSessions,
  type SessionPush,
  withoutCharge
} from "../charge/chargingPushes.ts"
import { allSessions } from "../charge/toldCharges.ts"
import { onAllCalls } from "../shared/allCalls.ts"
import { toldOfList } from "../shared/objects/listedFlaws.ts"
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
  sends: "no request: the check looks at the sessions that the partner pushes during the run",
  needs: () => [chargingCalls]
} as const
const detailed = versionsWhere(({ authorizationDetails }) => authorizationDetails)

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
    return withoutCharge(evidence, near)
  }

/** Updates of one second arrive within so many milliseconds. */
const together = 5_000

/**
 * Is the stamp of the push at `index` later than the one before it? Updates of one second may have the same whole seconds: those that
 * arrive shortly after the first one of that second. True also where one of the stamps cannot be read.
 */
function isLater({ pushes }: PushedSession, index: number): boolean {
  const push = pushes[index]!
  const { last_updated } = push.body
  const [then, now] = [push.before?.["last_updated"], last_updated].map(dateTimeMillis)
  if (then === undefined || now === undefined || now > then) return true
  // What we refused is sent again in another form: a PUT of the whole session after a PATCH, for instance.
  const last = pushes[index - 1]?.seen.exchange
  if (now === then && last !== undefined && refusedCall(last) !== undefined) return true
  const secondOf = (millis = Number.NaN) => Math.floor(millis / 1000)
  const first = pushes.find(
    ({ state }) => secondOf(dateTimeMillis(state?.["last_updated"])) === secondOf(now)
  )
  const [since, arrived] = [first?.seen, push.seen].map((seen) => Date.parse(seen?.exchange.startedAt ?? ""))
  return isOfWholeSeconds(last_updated) && now === secondOf(then) * 1000 && arrived! - since! < together
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

/** What is wrong where in a push, whatever stands there. */
const placeOf = ({ expected = "", pointer = "" }: Finding): string => `${pointer} ${expected}`

interface LaterFlaws {
  /** What is wrong with the first push of the session as well. */
  readonly again: ReadonlyArray<Finding>
  readonly flaws: ReadonlyArray<Finding>
}

/** What is wrong with the form of a later push. */
function flawsOfLater(push: SessionPush, session: PushedSession, evidence: Evidence): LaterFlaws {
  const flaws = invalid(push, evidence)
  const ofFirst = new Set((firstPush(session, evidence) ?? []).map(placeOf))
  return {
    again: flaws.filter((flaw) => ofFirst.has(placeOf(flaw))),
    flaws: flaws.filter((flaw) => !ofFirst.has(placeOf(flaw)))
  }
}

/** What is wrong with the form of all later pushes of the run. */
const laterFlaws = (evidence: Evidence): LaterFlaws =>
  evidence.once("flaws of later pushes of sessions", () => {
    const all = pushedSessions(evidence).flatMap((session) =>
      session.pushes.flatMap((push, index) =>
        index === 0 || isRepeat(session, index) ? [] : [flawsOfLater(push, session, evidence)]
      )
    )
    return { again: all.flatMap(({ again }) => again), flaws: all.flatMap(({ flaws }) => flaws) }
  })

/** Judge how a CPO pushes sessions (mod_sessions, Receiver Interface, PUT and PATCH Methods). */
export const sessionPushesChecks: ReadonlyArray<Check> = [
  {
    ...sessionPushesBase,
    id: "SESS-024",
    title: "New session: the first push is a PUT of the complete Session",
    passes: "the first push is a PUT of a complete, valid Session, with the ids of its path",
    hint: "Send the first push of a session by PUT; the receiver has no object that a PATCH could change.",
    requires: () =>
      toldOfList(allSessions, (evidence) =>
        pushedSessions(evidence).flatMap((session) => firstPush(session, evidence) ?? [])
      ),
    judge: onSessions("began during the run", firstPush)
  },
  {
    ...sessionPushesBase,
    id: "SESS-025",
    title: "Session update: a valid PUT or PATCH of the session",
    passes: "PUT or PATCH of the session itself; each field conforms to the version's schema",
    hint: "Send the fields that changed, in the form they have in the Session object.",
    // The later pushes repeat what is wrong with the first one.
    requires: () => [
      {
        check: "SESS-024",
        unless: (evidence) => {
          const { again, flaws } = laterFlaws(evidence)
          return again.length === 0 || flaws.length > 0
        }
      },
      ...toldOfList(allSessions, (evidence) => laterFlaws(evidence).flaws)
    ],
    judge: (evidence) => {
      const judgement = onLater((push, _, session) => flawsOfLater(push, session, evidence).flaws)(evidence)
      const [again] = laterFlaws(evidence).again
      return judgement.is !== "pass" || again === undefined
        ? judgement
        : blocked({
            check: "SESS-024",
            ...(again.exchangeId === undefined ? {} : { exchangeId: again.exchangeId }),
            what: `the first push of a session has to be valid, and the later ones repeat what is wrong with it: ${again.message}`
          })
    }
  },
  {
    ...sessionPushesBase,
    id: "SESS-026",
    title: "Session update: status never goes back",
    reference: "mod_sessions, SessionStatus enum",
    passes: "PENDING or RESERVATION, then ACTIVE, then COMPLETED or INVALID",
    hint: "Send updates of one session in order: a late one must not undo a newer one.",
    judge: onLater(({ before, body, seen }) => {
      const [was, is] = [rankOf(before?.["status"]), rankOf(body["status"])]
      return unless(was === undefined || is === undefined || is >= was, () =>
        inPush(seen, "/status", "status goes back", {
          expected: `${inWords(before?.["status"])} or later`,
          actual: body["status"]
        })
      )
    })
  },
  {
    ...sessionPushesBase,
    id: "SESS-028",
    versions: detailed,
    title: "Session update: PENDING to ACTIVE sets start_date_time to that moment",
    reference: "mod_sessions, Session Object (start_date_time)",
    passes:
      "the push from PENDING to ACTIVE has a start_date_time of its own, at most 60 s before its last_updated",
    hint: "Set start_date_time when the session becomes ACTIVE: while PENDING it is when the session was created.",
    judge: onSessions("went from PENDING to ACTIVE", (session, { profile }) => {
      const push = session.pushes.find(
        ({ before, body }) => sessionStatus(before) === "PENDING" && sessionStatus(body) === "ACTIVE"
      )
      if (push === undefined) return undefined
      const { start } = profile.sessionNames
      const moment = dateTimeMillis(push.body["last_updated"])
      const created = dateTimeMillis(push.before?.[start])
      const began = dateTimeMillis(push.body[start]) ?? created
      const most = began === created ? sameMomentMillis : activationMillis
      return when(moment !== undefined && began !== undefined && moment - began > most, () =>
        inPush(
          push.seen,
          `/${start}`,
          began === created
            ? `the session becomes ACTIVE and keeps the ${start} that it had while PENDING`
            : `the session becomes ACTIVE with a ${start} long before that`,
          { expected: inWords(push.body["last_updated"]), actual: push.body[start] ?? push.before?.[start] }
        )
      )
    })
  },
  {
    ...sessionPushesBase,
    id: "SESS-029",
    title: "Session update: kwh never decreases, and last_updated is always later",
    strength: "should",
    reference: "mod_sessions, Session Object",
    passes: "kwh is never less than before, last_updated is always later, or within the same second",
    hint: "Take kwh and last_updated from the newest meter reading, and send updates in order.",
    judge: onLater(({ before, body, seen }, index, session) => {
      const [was, is] = [before?.["kwh"], body["kwh"]]
      return [
        ...when(typeof was === "number" && typeof is === "number" && is < was, () =>
          inPush(seen, "/kwh", "kwh is less than before", { expected: `at least ${was}`, actual: is })
        ),
        ...when(!isLater(session, index), () =>
          inPush(seen, "/last_updated", "last_updated is not later than before", {
            expected: `after ${inWords(before?.["last_updated"])}`,
            actual: body["last_updated"]
          })
        )
      ]
    })
  },
  {
    ...sessionPushesBase,
    id: "SESS-030",
    versions: versionsWhere(({ patchAppendsPeriods }) => patchAppendsPeriods === true),
    title: "Session update: PATCH contains only new charging periods",
    strength: "should",
    reference: "mod_sessions, Receiver Interface, PATCH Method",
    passes: "a PATCH has only charging periods that were not sent before",
    hint: "Send only new charging periods: the receiver adds those of a PATCH to its own.",
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
    title: "Session: authorization_reference is the one that we gave for the token",
    reference: "mod_sessions, Session Object (authorization_reference)",
    passes: "authorization_reference is one that we gave for the token before the first push of the session",
    hint: "Keep the authorization_reference of authorize, START_SESSION or RESERVE_NOW, and copy it into the session.",
    // A CPO that loses the reference of a command is told so by CMD-022. References of authorize are judged here all the same.
    requires: () => [
      {
        check: "CMD-022",
        unless: (evidence) => givenReferences(evidence).some(({ by }) => by === "authorize")
      }
    ],
    judge: onAllCalls(chargingCalls, ["tokens"], (evidence) => {
      const given = givenReferences(evidence)
      return onSessions("is of a token that we gave a reference for", ({ pushes }) => {
        const last = pushes.findLast(({ state }) => state !== undefined)
        const uid = textIn(objectIn(last?.state?.["cdr_token"])["uid"])?.toUpperCase()
        const began = pushes[0]?.seen.exchange.startedAt ?? ""
        // A token may charge twice at a time, and the reference of the later charge says nothing about the earlier.
        const fitting = given.filter((one) => one.uid === uid && one.at <= began)
        const expected = fitting.at(-1)?.reference
        // With auth_method WHITELIST the CPO did not ask us, so we gave no reference.
        const isAsked = last?.state?.["auth_method"] !== "WHITELIST"
        const isFlawed = flawedPlaces(evidence.profile.objects.Session, last?.state)
        if (last === undefined || expected === undefined || !isAsked || isFlawed("/authorization_reference"))
          return undefined
        const actual = last.state?.["authorization_reference"]
        return unless(
          fitting.some(({ reference }) => sameId(actual, reference)),
          () =>
            inPush(
              last.seen,
              "/authorization_reference",
              "authorization_reference is not the one that we gave",
              { expected, actual }
            )
        )
      })(evidence)
    })
  }
]

/** Most time between the start of an ACTIVE session and the push that makes it ACTIVE. */
const activationMillis = 60_000
/** The same where it has the start that it had while PENDING: both are one moment as far as clocks and rounding tell. */
const sameMomentMillis = 5_000
