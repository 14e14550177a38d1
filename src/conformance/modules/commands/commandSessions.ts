/** The sessions that commands begin: how they are recognised, in what the partner pushes and in what it lists. */

import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { dataOf, envelope } from "../../../findings/answers.ts"
import { pathSegments } from "../../../findings/calledPath.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at } from "../../../findings/finding.ts"
import { isObject, type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { isReservation } from "../../../ocpi/reservedSession.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import { inconclusive } from "../../model/Check.ts"
import { clockSkewMillis } from "../../model/clocks.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import type { Awaiting, ProbeRequest, ProbeStep } from "../../model/Probe.ts"
import { callAt } from "../shared/commandLegs.ts"
import { firstPage, linked } from "../shared/lists.ts"
import { sessionIdOf } from "../shared/sessionIdOf.ts"
import { stepOf } from "../shared/stepAnswers.ts"

/** A session as it was pushed or listed, with the exchange that shows it. */
export interface Shown {
  readonly seen: Observation
  readonly json: JsonObject
  /** JSON Pointer to it in the exchange's body. */
  readonly pointer: string
}

/** A finding about a field of a session, wherever it was shown. */
export const shownWrong = (
  { json, pointer, seen }: Shown,
  field: string,
  message: string,
  expected: string
): Finding =>
  at(seen, `${pointer}/${field}`, message, {
    expected,
    actual: field.split("/").reduce<unknown>((value, name) => objectIn(value)[name], json)
  })

/** Does the session or CDR name that token of ours? */
export const namesToken = (json: unknown, token: JsonObject, { profile }: Evidence): boolean =>
  isObject(json) &&
  (profile.tokenReference === "cdr_token"
    ? sameId(objectIn(json["cdr_token"])["uid"], token["uid"])
    : sameId(json["auth_id"], token[profile.contract]))

/** Is it a PUT, PATCH or POST of the partner to that module? */
export const isPush = ({ exchange }: Observation, module: string) =>
  exchange.module === module && ["PUT", "PATCH", "POST"].includes(exchange.request.method)

/** Does a call of the partner come to that module, or to a URL that names it and that we never offered? */
export const isAbout = ({ exchange }: Observation, module: string): boolean =>
  exchange.module === module || pathSegments(exchange.request.url).includes(module)

/** Does a new session name no token at all? Whose it is cannot be told. */
const namesNobody = ({ exchange, json }: Observation, { profile }: Evidence): boolean =>
  exchange.request.method !== "PATCH" &&
  textIn(
    profile.tokenReference === "cdr_token"
      ? objectIn(objectIn(json)["cdr_token"])["uid"]
      : objectIn(json)["auth_id"]
  ) === undefined

/** Waits for the session of that token; `hasStatus`: only for a push with such a status. */
export const sessionOf = (
  token: (evidence: Evidence) => JsonObject,
  seconds: number,
  hasStatus: (status: unknown) => boolean = () => true
): Awaiting => ({
  seconds,
  kind: "push of a session",
  instruction:
    "The partner must push the session that the command begins: plug in a car where the charge point needs one",
  provoke: "no session of the command's token was pushed",
  matches: (seen, evidence) =>
    isPush(seen, "sessions") &&
    namesToken(seen.json, token(evidence), evidence) &&
    hasStatus(objectIn(seen.json)["status"]),
  attempts: (seen, evidence) =>
    isAbout(seen, "sessions") &&
    (namesToken(seen.json, token(evidence), evidence) || namesNobody(seen, evidence)),
  nearMiss: (seen, evidence) =>
    isPush(seen, "sessions") && !namesToken(seen.json, token(evidence), evidence)
      ? `a ${seen.exchange.request.method} of another session came`
      : undefined
})

/** The id of a session, as far as it is known. */
export type IdOf = (evidence: Evidence) => string | undefined

const withStatus = (status: "ACTIVE" | "COMPLETED", idOf: IdOf, seconds: number): Awaiting => ({
  seconds,
  kind: status === "ACTIVE" ? "push of an ACTIVE session" : "push of a COMPLETED session",
  instruction: `The partner must push the session as ${status}`,
  provoke: `the session was not pushed as ${status}`,
  matches: (seen, evidence) =>
    isPush(seen, "sessions") &&
    sessionStatus(objectIn(seen.json)) === status &&
    sameId(sessionIdOf(seen), idOf(evidence)),
  attempts: (seen, evidence) =>
    isAbout(seen, "sessions") && sameId(sessionIdOf(seen), idOf(evidence)) && mayChangeTo(status, seen)
})

/** Fields of a session that change while it goes on. */
const goingOn = ["kwh", "total_cost", "charging_periods"]

/** May that push have been meant to say that the session has that status? */
const mayChangeTo = (status: "ACTIVE" | "COMPLETED", { json }: Observation): boolean => {
  const { status: _, ...rest } = objectIn(json)
  const said = sessionStatus(objectIn(json))
  if (said === undefined) return !goingOn.some((field) => field in rest)
  return said !== "PENDING" && !(status === "COMPLETED" && said === "ACTIVE") && !isReservation(said)
}

/** Waits until the session that `idOf` names has ended. */
export const endOfSession = (idOf: IdOf, seconds: number): Awaiting => withStatus("COMPLETED", idOf, seconds)

/** Waits until the session that `idOf` names is under way. */
export const activeSession = (idOf: IdOf, seconds: number): Awaiting => withStatus("ACTIVE", idOf, seconds)

/** How much a clock may be behind without a sign of it. */
const usualSkewMillis = 60_000

/** How far the partner's clock is behind ours by the timestamp of its list of versions; an earlier run's sessions are not ours. */
function behindMillis(evidence: Evidence): number {
  const [seen] = evidence.answered("versions")
  const told = seen === undefined ? undefined : dateTimeMillis(envelope(seen)?.["timestamp"])
  if (seen === undefined || told === undefined) return 0
  return Math.min(clockSkewMillis, Math.max(0, Date.parse(seen.exchange.startedAt) - told))
}

/** The sessions that changed since the run began, by the partner's clock. */
export const recentSessions = (evidence: Evidence): ProbeRequest => ({
  ...firstPage("sessions", evidence, {
    date_from: dateTimeOf(Date.parse(evidence.startedAt) - usualSkewMillis - behindMillis(evidence))
  }),
  operation: "list, of the run"
})

/** Most pages of the sessions list that a script reads: the sessions of a run mostly fit. What does not is told by `isListCut`. */
const mostPages = 10
const pageStep = (step: string, page: number) => (page === 1 ? step : `${step}, page ${page}`)
const pages = Array.from({ length: mostPages }, (_, index) => index + 1)

/** The steps that read the sessions of the run, all pages: the first step has that id. */
export const sessionListSteps = (
  probe: string,
  id: string,
  first: ProbeStep["act"] = (evidence) => ({ send: recentSessions(evidence) })
): ReadonlyArray<ProbeStep> =>
  pages.map((page) => ({
    id: pageStep(id, page),
    act: (evidence) => {
      if (page === 1) return first(evidence)
      const next = linked("sessions", stepOf(evidence, `${probe}#${pageStep(id, page - 1)}`))
      return next === undefined ? undefined : { send: next }
    }
  }))

/** Does the list that a step has read go on after the last page that is read of it? */
export const isListCut = (evidence: Evidence, step: string): boolean =>
  linked("sessions", stepOf(evidence, pageStep(step, mostPages))) !== undefined

/** Why a session that is not in such a list is not missed. */
export const listCut = `the list of sessions has more than the ${mostPages} pages that are read, and the session may be on a later one`

/** No judgement: the session may be on a page that was not read. */
export const unreadSession = inconclusive("not_tested", listCut, "ours")

/**
 * Sessions of that token in the list that a step has read, on any page. One that changed while the pages were read may be on
 * two of them: the later page counts.
 */
export const listedAt = (evidence: Evidence, step: string, token: JsonObject): ReadonlyArray<Shown> => {
  const found = pages.flatMap((page): ReadonlyArray<Shown> => {
    const seen = stepOf(evidence, pageStep(step, page))
    const data = seen === undefined ? undefined : dataOf(seen)
    return seen === undefined || !Array.isArray(data)
      ? []
      : objectsIn(data).flatMap((json, index) =>
          namesToken(json, token, evidence) ? [{ seen, json, pointer: `/data/${index}` }] : []
        )
  })
  return found.filter(
    (one, index) =>
      !found
        .slice(index + 1)
        .some((later) => later.seen !== one.seen && sameId(later.json["id"], one.json["id"]))
  )
}

/** The session of that token: as it was pushed at a step, else as one of the lists has it. */
export const shownAt = (
  evidence: Evidence,
  pushed: string,
  lists: ReadonlyArray<string>,
  token: JsonObject
): Shown | undefined => {
  const call = callAt(evidence, pushed)
  return call !== undefined && isObject(call.json)
    ? { seen: call, json: call.json, pointer: "" }
    : lists.flatMap((step) => listedAt(evidence, step, token))[0]
}

/** The id of the session, from the object or from the path that it was pushed to. */
export const idOf = (shown: Shown | undefined): string | undefined =>
  shown === undefined
    ? undefined
    : (textIn(shown.json["id"]) ?? (shown.pointer === "" ? sessionIdOf(shown.seen) : undefined))
