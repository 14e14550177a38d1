/** The sessions that commands begin (mod_commands). */

import type { Finding } from "../../../findings/Flaw.ts"
import { unless, when } from "../../../findings/finding.ts"
import { isObject, objectIn, sameId } from "../../../findings/json.ts"
import { flawedPlaces } from "../../../findings/violations/flawedPlaces.ts"
import { inWords } from "../../../findings/words.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import { blocked, type Check, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { isPlaceFlawed, placeIdsOf } from "../charge/charging.ts"
import {
  callAt,
  isAccepted,
  isDone,
  legsOf,
  resultFlaws,
  resultIn,
  resultStep
} from "../shared/commandLegs.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { notStarted, started } from "./commandBase.ts"
import { isListCut, type Shown, shownWrong, unreadSession } from "./commandSessions.ts"
import { remoteStartsBase, withAuthorizationDetails } from "./remoteStartSteps.ts"
import { appUser, referenceOf, start, startedSession, startTarget } from "./remoteStartsProbes.ts"
import { reserve, reservedAs, reservedSession } from "./reservations/reservingProbes.ts"
import { wasListedUnderWay } from "./sessionWaits.ts"

const session = [
  started,
  resultStep(started),
  `${start}#session`,
  `${start}#sessions`,
  `${start}#hold`,
  `${start}#active`
]

/** Places of the session that break its schema: the check of its form tells of them. Its CDR has the same fields of the command. */
const isFlawedIn = ({ json }: Shown, { profile }: Evidence) => flawedPlaces(profile.objects.Session, json)

/** No judgement of the session: none of the command became known. */
const noSession = (evidence: Evidence): Judgement => {
  const seen = stepOf(evidence, started)
  if (isDone(evidence, started) && isListCut(evidence, `${start}#sessions`)) return unreadSession
  return isDone(evidence, started) && seen !== undefined
    ? blocked({
        check: "CMD-020",
        exchangeId: seen.exchange.id,
        what: `no session was pushed or listed after START_SESSION, which the partner answered with ${legsOf(evidence, started)}`
      })
    : notStarted(evidence)
}

const onSession =
  (judge: (shown: Shown, evidence: Evidence) => ReadonlyArray<Finding>) =>
  (evidence: Evidence): Judgement => {
    const shown = startedSession(evidence)
    return shown === undefined ? noSession(evidence) : noneOf(judge(shown, evidence))
  }

/** Judge the sessions that commands begin (mod_commands, StartSession Object; mod_sessions, Session Object). */
export const startedSessionsChecks: ReadonlyArray<Check> = [
  {
    ...remoteStartsBase,
    id: "CMD-020",
    ofSilence: "push of a session",
    title: "START_SESSION: a session with the token and EVSE of the command is pushed or listed",
    strength: "should",
    passes: "a session of that token at that EVSE is pushed or listed, and does not stay PENDING",
    hint: "Push the session as soon as it begins, with the token and the EVSE of the command.",
    needs: () => session,
    // Without a session, a result that has no word of its type says neither that one is due nor that none is.
    requires: () => [
      {
        check: "CMD-007",
        unless: (evidence) =>
          startedSession(evidence) !== undefined || resultFlaws(evidence, started).length === 0
      }
    ],
    judge: (evidence) => {
      if (!isAccepted(evidence, started)) return notStarted(evidence)
      const shown = startedSession(evidence)
      const seen = stepOf(evidence, started)
      if (shown === undefined && isTaken(evidence)) return notStarted(evidence)
      if (shown === undefined && isListCut(evidence, `${start}#sessions`)) return unreadSession
      if (shown === undefined)
        return noneOf([
          {
            message: "no session of the command's token was pushed or listed",
            expected: "a session",
            actual: legsOf(evidence, started),
            ...(seen === undefined ? {} : { exchangeId: seen.exchange.id })
          }
        ])
      const place = placeIdsOf(shown.json, evidence.profile, "sessions")
      const evse = startTarget(evidence)?.evse["uid"]
      const wasActive =
        callAt(evidence, `${start}#active`) !== undefined || wasListedUnderWay(evidence, start, appUser)
      const isStuck = sessionStatus(shown.json) === "PENDING" && !wasActive && !isRefusedByResult(evidence)
      return noneOf([
        ...when(isRefusedByResult(evidence) && (isUnderWay(shown) || wasActive), () =>
          shownWrong(
            shown,
            "status",
            `a session of the command began although its result was ${resultIn(callAt(evidence, resultStep(started)))}`,
            "no session"
          )
        ),
        ...unless(sameId(place.evse, evse) || isPlaceFlawed(shown.json, evidence), () =>
          shownWrong(shown, "evse_uid", "the session is at another EVSE", inWords(evse))
        ),
        ...when(isStuck, () => shownWrong(shown, "status", "the session stays PENDING", "ACTIVE"))
      ])
    }
  },
  {
    ...remoteStartsBase,
    id: "CMD-021",
    versions: withAuthorizationDetails,
    title: "Session of a command: auth_method is COMMAND, and cdr_token is the token of the command",
    reference: "mod_cdrs, AuthMethod enum; mod_sessions, Session Object",
    passes: "auth_method COMMAND, and a cdr_token that is the token of the command",
    hint: "Copy the token of the command into cdr_token, also when you do not know it.",
    needs: () => session,
    judge: onSession((shown, evidence) => {
      const { json } = shown
      const { contract, commandAuthMethod } = evidence.profile
      const token = objectIn(json["cdr_token"])
      const sent = appUser(evidence)
      const isFlawed = isFlawedIn(shown, evidence)
      return [
        ...unless(json["auth_method"] === commandAuthMethod || isFlawed("/auth_method"), () =>
          shownWrong(
            shown,
            "auth_method",
            `auth_method of the session is not ${commandAuthMethod}`,
            commandAuthMethod
          )
        ),
        ...["type", contract]
          .filter((field) => !sameId(token[field], sent[field]) && !isFlawed(`/cdr_token/${field}`))
          .map((field) =>
            shownWrong(
              shown,
              `cdr_token/${field}`,
              `${field} of cdr_token is not that of the command`,
              inWords(sent[field])
            )
          )
      ]
    })
  },
  {
    ...remoteStartsBase,
    id: "CMD-022",
    versions: withAuthorizationDetails,
    title: "Session of a command: authorization_reference is that of the command",
    reference: "mod_commands, StartSession Object; mod_sessions, Session Object",
    sends: "START_SESSION and RESERVE_NOW with an authorization_reference",
    passes: "the sessions and the CDR have the same authorization_reference",
    hint: "Store authorization_reference with the session, and put it into the CDR.",
    needs: () => [...session, `${start}#cdr`, `${reserve}#session`, `${reserve}#sessions`],
    judge: (evidence) => {
      const cdr = callAt(evidence, `${start}#cdr`)
      const shown = [
        { one: startedSession(evidence), reference: referenceOf(evidence) },
        { one: reservedSession(evidence), reference: reservedAs(evidence) },
        {
          one:
            cdr !== undefined && isObject(cdr.json) ? { seen: cdr, json: cdr.json, pointer: "" } : undefined,
          reference: referenceOf(evidence)
        }
      ].flatMap(({ one, reference }) => (one === undefined ? [] : [{ one, reference: inWords(reference) }]))
      return shown.length === 0
        ? noSession(evidence)
        : noneOf(
            shown
              .filter(
                ({ one, reference }) =>
                  !sameId(one.json["authorization_reference"], reference) &&
                  !isFlawedIn(one, evidence)("/authorization_reference")
              )
              .map(({ one, reference }) =>
                shownWrong(
                  one,
                  "authorization_reference",
                  "authorization_reference is not that of the command",
                  reference
                )
              ),
            `${shown.length} sessions and CDRs looked at`
          )
    }
  }
]

/** Is the EVSE no longer AVAILABLE, as the list said? Another driver may have come first, or it may have failed. */
function isTaken(evidence: Evidence): boolean {
  const result = resultIn(callAt(evidence, resultStep(started)))
  return result === "EVSE_OCCUPIED" || result === "EVSE_INOPERATIVE"
}

/** Results that say that the charge point did not begin a session. A TIMEOUT says nothing of that. */
const refusals: ReadonlyArray<string> = [
  "REJECTED",
  "FAILED",
  "NOT_SUPPORTED",
  "UNKNOWN_RESERVATION",
  "EVSE_OCCUPIED",
  "EVSE_INOPERATIVE"
]

/** A session that was only prepared says nothing: the refusal may have ended it. */
const isUnderWay = ({ json }: Shown): boolean => ["ACTIVE", "COMPLETED"].includes(sessionStatus(json) ?? "")

function isRefusedByResult(evidence: Evidence): boolean {
  return refusals.includes(resultIn(callAt(evidence, resultStep(started))) ?? "")
}
