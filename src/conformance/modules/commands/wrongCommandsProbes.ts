/** Commands that a CPO cannot carry out (mod_commands): about unknown objects, with fields missing, at EVSEs without the capability. */
import type { JsonObject } from "../../../findings/json.ts"
import { dateTime } from "../../../ocpi/dateTime.ts"
import { isReservation } from "../../../ocpi/reservedSession.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe, ProbeRequest, ProbeStep, StepAct } from "../../model/Probe.ts"
import { isAccepted, resultOfStep } from "../shared/commandLegs.ts"
import { isResultOf, stepOf } from "../shared/stepAnswers.ts"
import { unknownEvse } from "../shared/unknownEvse.ts"
import { idOf, listedAt, type Shown, sessionListSteps } from "./commandSessions.ts"
import {
  can,
  command,
  commandToken,
  connectorRequired,
  evseOf,
  placeOf,
  type Target,
  targetFor,
  targetProbes,
  targetsIn
} from "./commandTargets.ts"

/** Id of the probe. */
export const wrong = "commands.wrong"
const dayMillis = 86_400_000
const quietSeconds = 2

/** The tokens of the wrong commands, by what is wrong: a session says by its token which of them has begun it. */
const tokenMarks = { location: "A", part: "B", body: "C", connector: "D", capability: "E", other: 4 } as const
/** What is wrong with a command. */
export type Wrong = keyof typeof tokenMarks
const kinds = Object.keys(tokenMarks) as ReadonlyArray<Wrong> // the keys of `tokenMarks`

const token = (evidence: Evidence, kind: Wrong = "other") =>
  commandToken(evidence, `wrong-${tokenMarks[kind]}`.toLowerCase(), tokenMarks[kind])
const later = (evidence: Evidence, millis: number) => dateTime(Date.parse(evidence.startedAt) + millis)

/** Reservation ids of this run: text or number, as the version has it. `number` is one digit. */
export const reservationId = ({ mark, profile, startedAt }: Evidence, number: number): string | number =>
  profile.reservationId === "text"
    ? `${mark}-4000-8000-00000000000${number}`
    : (Date.parse(startedAt) % 100_000_000) * 10 + number

const reservation = (evidence: Evidence, number: number, expiry: string, kind?: Wrong): JsonObject => ({
  token: token(evidence, kind),
  expiry_date: expiry,
  reservation_id: reservationId(evidence, number)
})

/** A command of the version that takes a reservation back; undefined: there is none. */
export const cancelling = (evidence: Evidence, number: number): ProbeRequest | undefined =>
  evidence.profile.commands.includes("CANCEL_RESERVATION")
    ? command("CANCEL_RESERVATION", { reservation_id: reservationId(evidence, number) })
    : undefined

const unknownLocation = "an unknown location"
const unknownPlace = { location_id: "TST-NO-SUCH-LOCATION" }

/** The first EVSE that fits. */
const first = (evidence: Evidence, fits: (target: Target) => boolean) => targetsIn(evidence).find(fits)

type Send = (evidence: Evidence) => Extract<StepAct, { readonly send: ProbeRequest }> | undefined

const sent =
  (make: (evidence: Evidence) => ProbeRequest | undefined): Send =>
  (evidence) => {
    const send = make(evidence)
    return send === undefined ? undefined : { send }
  }

const at =
  (
    fits: (target: Target, evidence: Evidence) => boolean,
    make: (target: Target, evidence: Evidence) => ProbeRequest
  ) =>
  (evidence: Evidence): ProbeRequest | undefined => {
    const target = first(evidence, (one) => fits(one, evidence))
    return target === undefined ? undefined : make(target, evidence)
  }
const anywhere = () => true

/** A command without `response_url`, and so without a result. */
const bare = (name: string, body: JsonObject, about: string): ProbeRequest => {
  const { resultOf: _, ...asking } = command(name, body, {
    about,
    wrongOnPurpose: { body: "response_url is missing" }
  })
  return asking
}
const without = (capability: string) => (target: Target) => !can(target, capability)

/** Commands by the id of their step; one is left out when the partner has no EVSE that it could be about. */
const commands: Readonly<Record<string, Send>> = {
  "start at an unknown location": sent((evidence) =>
    command(
      "START_SESSION",
      { token: token(evidence, "location"), ...unknownPlace },
      { about: unknownLocation }
    )
  ),
  "reserve at an unknown location": sent((evidence) =>
    command(
      "RESERVE_NOW",
      { ...reservation(evidence, 1, later(evidence, dayMillis), "location"), ...unknownPlace },
      { about: unknownLocation }
    )
  ),
  "unlock at an unknown location": sent(() =>
    command(
      "UNLOCK_CONNECTOR",
      { ...unknownPlace, evse_uid: unknownEvse, connector_id: "1" },
      { about: unknownLocation }
    )
  ),
  "stop an unknown session": sent(() =>
    command("STOP_SESSION", { session_id: "TST-NO-SUCH-SESSION" }, { about: "an unknown session" })
  ),
  "an unknown EVSE": sent(
    at(anywhere, ({ location }, evidence) =>
      command(
        "START_SESSION",
        { token: token(evidence, "part"), location_id: location["id"], evse_uid: unknownEvse },
        { about: "an unknown EVSE" }
      )
    )
  ),
  "an unknown connector": sent(
    at(anywhere, (target) =>
      command(
        "UNLOCK_CONNECTOR",
        { ...evseOf(target), connector_id: "TST-NO-SUCH-CONNECTOR" },
        { about: "an unknown connector" }
      )
    )
  ),
  "an unknown command": sent((evidence) =>
    command(
      "FOO",
      { token: token(evidence), ...unknownPlace },
      {
        about: "a command that OCPI does not have",
        wrongOnPurpose: { target: "a command that OCPI does not have" }
      }
    )
  ),
  "a command of a later version": sent((evidence) =>
    evidence.profile.commands.includes("CANCEL_RESERVATION")
      ? undefined
      : command(
          "CANCEL_RESERVATION",
          { reservation_id: reservationId(evidence, 2) },
          {
            about: "a command of a later version",
            wrongOnPurpose: { target: "a command of a later version" }
          }
        )
  ),
  "an unknown reservation": sent((evidence) => cancelling(evidence, 3)),
  "without response_url": sent(
    at(anywhere, (target, evidence) =>
      bare("START_SESSION", { token: token(evidence, "body"), ...evseOf(target) }, "without response_url")
    )
  ),
  "without token": sent(
    at(anywhere, (target) =>
      command("START_SESSION", evseOf(target), {
        about: "without token",
        wrongOnPurpose: { body: "token is missing" }
      })
    )
  ),
  "without location_id": sent((evidence) =>
    command(
      "START_SESSION",
      { token: token(evidence, "body") },
      { about: "without location_id", wrongOnPurpose: { body: "location_id is missing" } }
    )
  ),
  "a wrong expiry_date": sent(
    at(anywhere, (target, evidence) =>
      command(
        "RESERVE_NOW",
        { ...reservation(evidence, 5, "tomorrow", "body"), ...evseOf(target) },
        { about: "expiry_date is no DateTime", wrongOnPurpose: { body: "expiry_date is no DateTime" } }
      )
    )
  ),
  "a connector without an EVSE": sent(
    at(
      (_, { profile }) => profile.startSessionConnector,
      ({ connectorId, location }, evidence) =>
        command(
          "START_SESSION",
          { token: token(evidence, "connector"), location_id: location["id"], connector_id: connectorId },
          {
            about: "connector_id without evse_uid",
            wrongOnPurpose: { body: "connector_id without evse_uid" }
          }
        )
    )
  ),
  "no connector where one is due": sent(
    at(
      (target, { profile }) => profile.startSessionConnector && can(target, connectorRequired),
      (target, evidence) =>
        command(
          "START_SESSION",
          { token: token(evidence, "connector"), ...evseOf(target) },
          { about: "without connector_id" }
        )
    )
  ),
  "start where it cannot": sent(
    at(without("REMOTE_START_STOP_CAPABLE"), (target, evidence) =>
      command(
        "START_SESSION",
        { token: token(evidence, "capability"), ...placeOf(evidence, target) },
        { about: "at an EVSE without REMOTE_START_STOP_CAPABLE" }
      )
    )
  ),
  "reserve where it cannot": (evidence) => {
    const target = first(evidence, without("RESERVABLE"))
    const undo = cancelling(evidence, 6)
    if (target === undefined) return undefined
    const body = { ...reservation(evidence, 6, later(evidence, dayMillis), "capability"), ...evseOf(target) }
    return {
      send: command("RESERVE_NOW", body, { about: "at an EVSE without RESERVABLE" }),
      ...(undo === undefined ? {} : { undo })
    }
  },
  "unlock where it cannot": sent(
    at(without("UNLOCK_CAPABLE"), (target) =>
      command(
        "UNLOCK_CONNECTOR",
        { ...evseOf(target), connector_id: target.connectorId },
        { about: "at an EVSE without UNLOCK_CAPABLE" }
      )
    )
  ),
  "reserve until yesterday": (evidence) => {
    const target = targetFor(evidence, "a reservation until yesterday")
    const undo = cancelling(evidence, 7)
    if (target === undefined) return undefined
    const body = { ...reservation(evidence, 7, later(evidence, -dayMillis)), ...evseOf(target) }
    return {
      send: command("RESERVE_NOW", body, { about: "an expiry_date in the past" }),
      ...(undo === undefined ? {} : { undo })
    }
  }
}

/** Full id of a step: `commands.wrong#an unknown EVSE`. */
export const wrongStep = (id: string): string => `${wrong}#${id}`
/** Full ids of all steps that send a command. */
export const wrongSteps: ReadonlyArray<string> = Object.keys(commands).map(wrongStep)

/** Commands that were answered, but not with ACCEPTED. */
export const refusedSteps = (evidence: Evidence): ReadonlyArray<string> =>
  wrongSteps.filter((step) => stepOf(evidence, step) !== undefined && !isAccepted(evidence, step))

/** Is or was the session under way? One that is PENDING or INVALID may never begin. */
const hasBegun = (status: unknown) => status === "ACTIVE" || status === "COMPLETED" || isReservation(status)

/** Sessions that a wrong command of that kind has begun, as the partner lists them after all of them. */
export const begunBy = (evidence: Evidence, kind: Wrong): ReadonlyArray<Shown> =>
  listedAt(evidence, `${wrong}#sessions`, token(evidence, kind)).filter(({ json }) =>
    hasBegun(json["status"])
  )

/** Waits for the result of a command that was accepted. That none comes says nothing about the results of other commands. */
const resultWhenAccepted = (id: string): ProbeStep => {
  const step = resultOfStep(wrong, id)
  return {
    id: step.id,
    act: (evidence) => {
      const act = isAccepted(evidence, wrongStep(id)) ? step.act(evidence) : undefined
      if (act === undefined || !("wait" in act)) return act
      const { kind: _, ...wait } = act.wait
      return { wait }
    }
  }
}

/**
 * Commands about unknown objects, with invalid bodies, of other versions, and at EVSEs without the capability; then a
 * wait for results that must not come, and GET of the sessions that must not have begun.
 */
export const wrongCommandProbes: ReadonlyArray<Probe> = [
  {
    id: wrong,
    after: targetProbes,
    // None of them is to be carried out.
    beside: () => true,
    steps: [
      ...Object.entries(commands).map(([id, act]) => ({ id, act, forChecks: true as const })),
      // Each is awaited from its own answer on, so that they are awaited side by side.
      ...Object.keys(commands).map(resultWhenAccepted),
      {
        id: "quiet",
        forChecks: true,
        act: () => ({
          wait: {
            seconds: quietSeconds,
            instruction: "The partner must not send a result for a command that was not accepted",
            provoke: "no result came for a command that was not accepted",
            matches: (seen, evidence) =>
              refusedSteps(evidence).some((step) => isResultOf(seen, evidence, step))
          }
        })
      },
      ...sessionListSteps(wrong, "sessions"),
      // A session that should not be is not left running.
      ...kinds.map(
        (kind): ProbeStep => ({
          id: `stop ${kind}`,
          act: (evidence) => {
            const id = idOf(begunBy(evidence, kind).find(({ json }) => json["status"] === "ACTIVE"))
            return id === undefined ? undefined : { send: command("STOP_SESSION", { session_id: id }) }
          }
        })
      )
    ]
  }
]
