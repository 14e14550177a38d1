/**
 * Waits for sessions that commands begin and end. OCPI leaves pushing to each party (transport_and_format, Pull and Push), so the list
 * is read now and then while a push is waited for.
 */
import { wasTaken } from "../../../findings/calledPath.ts"
import { type JsonObject, sameId } from "../../../findings/json.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import { type Evidence, isWithheld, type NotGathered } from "../../model/Evidence.ts"
import type { Awaiting, ProbeStep } from "../../model/Probe.ts"
import { afterResult, callAt, isDone, unlessAccepted } from "../shared/commandLegs.ts"
import { sessionIdOf } from "../shared/sessionIdOf.ts"
import {
  activeSession,
  endOfSession,
  type IdOf,
  idOf,
  isPush,
  listedAt,
  recentSessions,
  type Shown,
  sessionListSteps,
  sessionOf
} from "./commandSessions.ts"

/** Was that wait begun, and nothing came? */
const wasInVain = (evidence: Evidence, step: string): boolean => {
  const gathered = evidence.gathered(step)
  return (
    gathered !== undefined &&
    isWithheld(gathered) &&
    gathered.withheld === "unobservable" &&
    gathered.givenUp === undefined
  )
}

/** How long may a session take to be pushed or listed, and to end; in seconds. */
const plugInSeconds = 120
const endSeconds = 300
/** After so many seconds each the list is read, while a push is waited for. */
const beginParts = [10, 20, 40]
const endParts = [5, 15]
/** How long is waited at last for the end of a session that is not pushed; the list is read once more after that. */
const listedEndSeconds = 40

const total = (parts: ReadonlyArray<number>) => parts.reduce((sum, seconds) => sum + seconds, 0)

/** A wait for a push of a session, by a partner that may leave its sessions to be read. */
interface ReadMeanwhile {
  readonly probe: string
  /** The step of the wait itself, which is the last one. */
  readonly id: string
  /** After so many seconds each the list is read. */
  readonly parts: ReadonlyArray<number>
  readonly awaiting: (evidence: Evidence) => Awaiting
  /** Is anything to be waited for in parts? */
  readonly isDue: (evidence: Evidence) => boolean
  /** Does the list that a step has read show what is awaited? */
  readonly isShown: (evidence: Evidence, list: string) => boolean
}

const partOf = (id: string, part: number) => `${id}, part ${part + 1}`
const listOf = (id: string, part: number) => `${id}, list ${part + 1}`

/** The steps before such a wait: parts of it, with the list of sessions after each, until a push or a list shows what is awaited. */
const readMeanwhile = ({
  awaiting,
  id,
  isDue,
  isShown,
  parts,
  probe
}: ReadMeanwhile): ReadonlyArray<ProbeStep> => {
  const isOver = (evidence: Evidence) =>
    !isDue(evidence) ||
    parts.some(
      (_, part) =>
        callAt(evidence, `${probe}#${partOf(id, part)}`) !== undefined ||
        isShown(evidence, `${probe}#${listOf(id, part)}`)
    )
  return parts.flatMap((seconds, part) => [
    {
      id: partOf(id, part),
      act: (evidence: Evidence) =>
        isOver(evidence) ? undefined : { wait: { ...awaiting(evidence), seconds, isPart: true as const } }
    },
    ...sessionListSteps(probe, listOf(id, part), (evidence) =>
      !isOver(evidence) && wasInVain(evidence, `${probe}#${partOf(id, part)}`)
        ? { send: recentSessions(evidence) }
        : undefined
    )
  ])
}

/** The wait for the session of an accepted command (step `start` of the probe): for a push of it, or until the list has it. */
export const beginSteps = (
  probe: string,
  token: (evidence: Evidence) => JsonObject
): ReadonlyArray<ProbeStep> => {
  const order = `${probe}#start`
  const isListed = (evidence: Evidence, list: string) => listedAt(evidence, list, token(evidence)).length > 0
  return [
    ...readMeanwhile({
      probe,
      id: "session",
      parts: beginParts,
      awaiting: () => sessionOf(token, plugInSeconds),
      isDue: (evidence) => isDone(evidence, order),
      isShown: isListed
    }),
    {
      id: "session",
      act: (evidence) =>
        unlessAccepted(evidence, order) ??
        (beginParts.some((_, part) => isListed(evidence, `${probe}#${listOf("session", part)}`))
          ? undefined
          : {
              wait: {
                ...sessionOf(token, plugInSeconds),
                ...afterResult(evidence, order, plugInSeconds - total(beginParts))
              }
            })
    }
  ]
}

/** The call that a wait was for, if we took it. */
export const takenAt = (evidence: Evidence, step: string): boolean => {
  const call = callAt(evidence, step)
  return call !== undefined && wasTaken(call.exchange)
}

/** The step that shows whether a session was pushed so that we could take it, which was not pushed so when it began. */
const toldSteps = (
  probe: string,
  id: string,
  known: IdOf,
  isDue: (evidence: Evidence) => boolean
): ReadonlyArray<ProbeStep> => [
  {
    id: `${id}, told`,
    act: (evidence) =>
      takenAt(evidence, `${probe}#session`) || !isDue(evidence)
        ? undefined
        : {
            wait: {
              seconds: 0,
              instruction: "The partner may have pushed the session since",
              provoke: "the session was not pushed",
              matches: (seen, now) =>
                isPush(seen, "sessions") && sameId(sessionIdOf(seen), known(now)) && wasTaken(seen.exchange)
            }
          }
  }
]

const isTold = (evidence: Evidence, probe: string, id: string): boolean =>
  takenAt(evidence, `${probe}#session`) || callAt(evidence, `${probe}#${id}, told`) !== undefined

/** The same for a session that is PENDING, and is not pushed. */
const activeParts = [10, 20, 20]

/** Does a list that was read meanwhile show that a session which was PENDING is so no longer? */
export const wasListedUnderWay = (
  evidence: Evidence,
  probe: string,
  token: (evidence: Evidence) => JsonObject
): boolean =>
  activeParts.some((_, part) => isListedUnderWay(evidence, `${probe}#${listOf("active", part)}`, token))

const isListedUnderWay = (evidence: Evidence, list: string, token: (evidence: Evidence) => JsonObject) =>
  listedAt(evidence, list, token(evidence)).some(({ json }) => sessionStatus(json) !== "PENDING")

/** The wait until a session that is PENDING is ACTIVE: as long as plugging in may take, or a minute where it is left to be read. */
export const activeSteps = (
  probe: string,
  token: (evidence: Evidence) => JsonObject,
  session: (evidence: Evidence) => Shown | undefined
): ReadonlyArray<ProbeStep> => {
  const known: IdOf = (evidence) => idOf(session(evidence))
  const isPending = (evidence: Evidence) => sessionStatus(session(evidence)?.json) === "PENDING"
  const awaiting = () => activeSession(known, plugInSeconds)
  return [
    ...toldSteps(probe, "active", known, isPending),
    ...readMeanwhile({
      probe,
      id: "active",
      parts: activeParts,
      awaiting,
      isDue: (evidence) => isPending(evidence) && !isTold(evidence, probe, "active"),
      isShown: (evidence, list) => isListedUnderWay(evidence, list, token)
    }),
    {
      id: "active",
      act: (evidence) => {
        if (!isPending(evidence)) return undefined
        if (isTold(evidence, probe, "active")) return { wait: awaiting() }
        return wasListedUnderWay(evidence, probe, token)
          ? undefined
          : { wait: { ...awaiting(), seconds: 0, shortBecause: leftToRead("ACTIVE", activeParts) } }
      }
    }
  ]
}

/** A session that a script has begun and now ends. */
interface EndingSession {
  readonly probe: string
  /** The step of the wait. */
  readonly id: string
  /** The step whose accepted command ends it. */
  readonly after: string | ((evidence: Evidence) => string)
  readonly known: IdOf
  readonly token: (evidence: Evidence) => JsonObject
  /** Why nothing is waited for. */
  readonly refused?: (evidence: Evidence) => NotGathered | undefined
}

const listedEnd = "listed end of a session"
const leftToRead = (end: string, seconds: ReadonlyArray<number>) =>
  `the partner pushed nothing of the session that we could take, so that ${end} was awaited for ${total(seconds)} s only`

/** How the end of a session is awaited of which we took no push: its list is read after that. */
export const endUntaken = {
  kind: listedEnd,
  seconds: listedEndSeconds,
  shortBecause: leftToRead("its end", [listedEndSeconds])
} as const satisfies Partial<Awaiting>

/**
 * The wait for the end of a session: as long as it may take where the partner pushes the session, and no longer than a minute
 * where it leaves it to be read, with a look at the list now and then.
 */
export const endSteps = ({
  after,
  id,
  known,
  probe,
  refused,
  token
}: EndingSession): ReadonlyArray<ProbeStep> => {
  const orderIn = (evidence: Evidence) => `${probe}#${typeof after === "string" ? after : after(evidence)}`
  const isListed = (evidence: Evidence, list: string) =>
    listedAt(evidence, list, token(evidence)).some(
      ({ json }) => sameId(json["id"], known(evidence)) && isEnded(json)
    )
  return [
    ...toldSteps(probe, id, known, (evidence) => known(evidence) !== undefined),
    ...readMeanwhile({
      probe,
      id,
      parts: endParts,
      awaiting: () => ({ ...endOfSession(known, endSeconds), kind: listedEnd }),
      isDue: (evidence) => isDone(evidence, orderIn(evidence)) && !isTold(evidence, probe, id),
      isShown: isListed
    }),
    {
      id,
      act: (evidence) => {
        if (known(evidence) === undefined) return undefined
        const refusal = refused?.(evidence)
        if (refusal !== undefined) return refusal
        const wait = endOfSession(known, endSeconds)
        const order = orderIn(evidence)
        if (isTold(evidence, probe, id) || !isDone(evidence, order))
          return { wait: { ...wait, ...afterResult(evidence, order, endSeconds) } }
        return endParts.some((_, part) => isListed(evidence, `${probe}#${listOf(id, part)}`))
          ? undefined
          : {
              wait: {
                ...wait,
                ...endUntaken,
                shortBecause: leftToRead("its end", [...endParts, listedEndSeconds])
              }
            }
      }
    }
  ]
}

const isEnded = (session: JsonObject): boolean =>
  ["COMPLETED", "INVALID"].includes(sessionStatus(session) ?? "")
