/** Remote starts at a CPO (mod_commands): one for an app user, stopped again, and one for a card. */
import { type JsonObject, objectIn, sameId } from "../../../findings/json.ts"
import type { Evidence, NotGathered } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, type ProbeStep, withheld } from "../../model/Probe.ts"
import {
  callAt,
  commandSteps,
  isAccepted,
  onlyForChecks,
  resultIn,
  resultStep,
  withoutOutcome
} from "../shared/commandLegs.ts"
import { hasLetters, inOtherCase } from "../shared/otherCase.ts"
import { isResultOf } from "../shared/stepAnswers.ts"
import { putToken } from "../tokens/testToken.ts"
import {
  idOf,
  isAbout,
  isListCut,
  listCut,
  recentSessions,
  type Shown,
  sessionListSteps,
  shownAt
} from "./commandSessions.ts"
import {
  atTarget,
  command,
  commandToken,
  targetFields,
  targetFor,
  targetProbes,
  withoutTarget
} from "./commandTargets.ts"
import { activeSteps, beginSteps, endSteps } from "./sessionWaits.ts"

const cdrSeconds = 30
/** A second result of one command comes soon after the first, or not at all. */
const secondSeconds = 1
const retrySeconds = 3

const remoteStart = "REMOTE_START_STOP_CAPABLE"
/** Why nothing was sent: no EVSE is free for a remote start. */
export const noTarget = (evidence: Evidence): NotGathered => withoutTarget(evidence, remoteStart)

/** Id of the probe that starts and stops a session of an APP_USER. */
export const start = "commands.start"
/** Id of the probe that starts and stops a session of an RFID token, whose CommandResult we answer with HTTP 500. */
export const card = "commands.card"

/** The APP_USER token of START_SESSION, which is never pushed. */
export const appUser = (evidence: Evidence): JsonObject =>
  commandToken(evidence, "app", 1, evidence.profile.appToken)
const second = (evidence: Evidence): JsonObject =>
  commandToken(evidence, "app2", 2, evidence.profile.appToken)
/** The RFID token of START_SESSION, which is pushed first. */
export const cardToken = (evidence: Evidence): JsonObject => commandToken(evidence, "card", 3)

/** Sent along with START_SESSION; undefined where the version has no such field. */
export const referenceOf = ({ mark, profile }: Evidence): string | undefined =>
  profile.authorizationDetails ? `${mark}-REF-1` : undefined

/** The EVSE of the probe `start`. */
export const startTarget = (evidence: Evidence) => targetFor(evidence, "a remote start")
const cardTarget = (evidence: Evidence) => targetFor(evidence, "a remote start with a card")

const referred = (reference: string | undefined) =>
  reference === undefined ? {} : { authorization_reference: reference }

/** The session of the app user, however it became known. */
export const startedSession = (evidence: Evidence): Shown | undefined =>
  shownAt(evidence, `${start}#session`, [`${start}#sessions`], appUser(evidence))
const cardSession = (evidence: Evidence): Shown | undefined =>
  shownAt(evidence, `${card}#session`, [`${card}#sessions`], cardToken(evidence))

const stop = (sessionId: string): ProbeRequest => command("STOP_SESSION", { session_id: sessionId })

/** From the accepted command (step `start` of the probe) to a session that is known, and that is stopped whatever happens. */
export const sessionSteps = (
  probe: string,
  token: (evidence: Evidence) => JsonObject,
  session: (evidence: Evidence) => Shown | undefined
): ReadonlyArray<ProbeStep> => [
  ...beginSteps(probe, token),
  ...sessionListSteps(probe, "sessions", (evidence) =>
    session(evidence) === undefined ? { send: recentSessions(evidence) } : undefined
  ),
  {
    id: "hold",
    act: (evidence) => {
      const id = idOf(session(evidence))
      if (id === undefined && isListCut(evidence, `${probe}#sessions`))
        return withheld("not_tested", listCut, "ours")
      return id === undefined
        ? withoutOutcome(evidence, `${probe}#start`, "no session of the command was pushed or listed")
        : { send: recentSessions(evidence), undo: stop(id) }
    }
  },
  ...activeSteps(probe, token, session)
]

/** STOP_SESSION of the session, and the wait until it is COMPLETED. */
export const stopSteps = (
  probe: string,
  token: (evidence: Evidence) => JsonObject,
  session: (evidence: Evidence) => Shown | undefined
): ReadonlyArray<ProbeStep> => [
  ...commandSteps(probe, "stop", (evidence) => {
    const id = idOf(session(evidence))
    return id === undefined ? undefined : { send: stop(id), undoes: "hold" }
  }),
  ...endSteps({ probe, id: "completed", after: "stop", known: (now) => idOf(session(now)), token })
]

const another = (step: string, seconds: number): ProbeStep["act"] => {
  const first = (evidence: Evidence) => {
    return evidence.seen(`${step} result`)[0]?.exchange.id
  }
  return () => ({
    wait: {
      seconds,
      instruction: "The partner must send nothing more to the response_url",
      provoke: "nothing more came to the response_url",
      matches: (seen, evidence) => isResultOf(seen, evidence, step) && seen.exchange.id !== first(evidence)
    }
  })
}

/** The STOP_SESSION of the session of a card whose id is in the other case, and the one that follows where it was not accepted. */
export const cardStops = { otherwise: `${card}#stop otherwise`, plain: `${card}#stop` } as const

/** Results of a session that is not found after all (CommandResultType enum). */
const notFound: ReadonlyArray<string | undefined> = ["FAILED", "REJECTED"]

/** Was the id found in the other case: accepted, and not refused by the result? */
export const isFoundOtherwise = (evidence: Evidence): boolean =>
  isAccepted(evidence, cardStops.otherwise) &&
  !notFound.includes(resultIn(callAt(evidence, resultStep(cardStops.otherwise))))

/** STOP_SESSION with the id in the other case; where that is not found, with the id as it was told; and the wait for the end. */
const cardStopSteps: ReadonlyArray<ProbeStep> = [
  ...commandSteps(card, "stop otherwise", (evidence) => {
    const id = idOf(cardSession(evidence))
    if (id === undefined || !evidence.profile.endpointRoles) return undefined
    return hasLetters(id)
      ? { send: { ...stop(inOtherCase(id)), about: "the id in the other case" }, undoes: "hold" }
      : withheld("not_applicable", "the id of the session has no letters")
  }),
  ...commandSteps(card, "stop", (evidence) => {
    const id = idOf(cardSession(evidence))
    return id === undefined || isFoundOtherwise(evidence) ? undefined : { send: stop(id), undoes: "hold" }
  }),
  ...endSteps({
    probe: card,
    id: "completed",
    after: (now) => (isFoundOtherwise(now) ? "stop otherwise" : "stop"),
    known: (now) => idOf(cardSession(now)),
    token: cardToken
  })
]

/** START_SESSION and STOP_SESSION for an APP_USER and for an RFID token, and the calls of the partner since the run began. */
export const remoteStartProbes: ReadonlyArray<Probe> = [
  {
    id: start,
    after: targetProbes,
    alone: true,
    ...atTarget("a remote start"),
    steps: [
      ...commandSteps(start, "start", (evidence) => {
        const target = startTarget(evidence)
        if (target === undefined) return noTarget(evidence)
        const body = {
          token: appUser(evidence),
          ...targetFields(evidence, target),
          ...referred(referenceOf(evidence))
        }
        return {
          send: command("START_SESSION", body, {
            resultVia: { query: { run: evidence.mark, note: "a b&c" } }
          })
        }
      }),
      ...sessionSteps(start, appUser, startedSession),
      ...onlyForChecks(start, "occupied", (evidence) => {
        const target = startTarget(evidence)
        if (target === undefined) return undefined
        return {
          send: command("START_SESSION", { token: second(evidence), ...targetFields(evidence, target) })
        }
      }),
      ...stopSteps(start, appUser, startedSession),
      ...sessionListSteps(start, "sessions after"),
      {
        id: "cdr",
        forChecks: true,
        act: () => ({
          wait: {
            seconds: cdrSeconds,
            kind: "push of a CDR",
            instruction: "The partner may send the CDR of the session",
            provoke: "no CDR of the session came",
            matches: (seen, evidence) =>
              seen.exchange.module === "cdrs" &&
              seen.exchange.request.method === "POST" &&
              sameId(objectIn(seen.json)["session_id"], idOf(startedSession(evidence))),
            attempts: (seen, evidence) => {
              const named = objectIn(seen.json)["session_id"]
              return (
                isAbout(seen, "cdrs") &&
                (named === undefined || sameId(named, idOf(startedSession(evidence))))
              )
            }
          }
        })
      },
      { id: "second result", forChecks: true, act: another(`${start}#start`, secondSeconds) }
    ]
  },
  {
    id: card,
    after: targetProbes,
    alone: true,
    ...atTarget("a remote start with a card"),
    steps: [
      {
        id: "put",
        act: (evidence) => putToken(evidence, cardToken(evidence))
      },
      ...commandSteps(card, "start", (evidence) => {
        const target = cardTarget(evidence)
        if (target === undefined) return noTarget(evidence)
        const body = { token: cardToken(evidence), ...targetFields(evidence, target) }
        return { send: command("START_SESSION", body, { resultVia: { refused: true } }) }
      }),
      ...sessionSteps(card, cardToken, cardSession),
      { id: "retry", forChecks: true, act: another(`${card}#start`, retrySeconds) },
      ...cardStopSteps
    ]
  },
  { id: "commands.calls", behind: [start, card], source: "inbound.run" }
]
