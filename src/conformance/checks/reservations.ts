/** Reservations at a CPO (mod_commands): made, prolonged, cancelled, left to expire. */
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { objectIn, sameId } from "../../findings/json.ts"
import { violations } from "../../findings/violations.ts"
import { dataOf } from "../answers.ts"
import { type Check, type Finding, noneOf, undecided } from "../Check.ts"
import { callAt, isAccepted, isDone, legsOf, resultIn, resultStep } from "../commandLegs.ts"
import { type Evidence, isWithheld } from "../Evidence.ts"
import { idOf, listedAt } from "../probes/commandSessions.ts"
import {
  expire,
  expiringSession,
  expiringToken,
  reserve,
  reservedSession,
  reserveTarget,
  reservingToken,
  statusAt
} from "../probes/reserving.ts"
import { isResultOf, stepOf } from "../probes/waiting.ts"
import { commandsBase } from "./commands.ts"
import { notSuccess } from "./findings.ts"

const withSession = versionsWhere(({ reservationSession }) => reservationSession)
const order = `${reserve}#reserve`
const cancel = `${reserve}#cancel`
const base = {
  ...commandsBase,
  partial: true,
  sends: "RESERVE_NOW at a free EVSE that can be reserved"
} as const

const finding = (
  evidence: Evidence,
  step: string,
  message: string,
  expected: string,
  actual: string
): Finding => {
  const seen = stepOf(evidence, step)
  return { message, expected, actual, ...(seen === undefined ? {} : { exchangeId: seen.exchange.id }) }
}

/** Why nothing can be said that follows from a reservation; undefined: it stands. */
const notReserved = (evidence: Evidence, step = order) =>
  isDone(evidence, step)
    ? undefined
    : undecided("not_tested", `RESERVE_NOW was answered ${legsOf(evidence, step)}`)

/** The status of the reserved EVSE as a step has read it. */
const readStatus = (evidence: Evidence, step: string): unknown => {
  const target = reserveTarget(evidence)
  return target === undefined ? undefined : statusAt(evidence, `${reserve}#${step}`, target)
}

export const reservationsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CMD-028",
    title: "Takes a reservation with an id of the version's type",
    reference: "mod_commands, ReserveNow Object",
    passes: "status_code 1000 and a valid CommandResponse",
    hint: "reservation_id is a number in the oldest version and a text in all others.",
    needs: () => [order],
    judge: (evidence) => {
      const seen = stepOf(evidence, order)
      if (seen === undefined) return undecided("not_tested", "RESERVE_NOW was not answered")
      const status = notSuccess(seen)
      const schema = evidence.profile.objects.CommandResponse
      const flaws = schema === undefined ? [] : violations(schema, dataOf(seen), ["data"])
      return noneOf(
        status.length > 0
          ? status
          : flaws
              // What every command is answered with has checks of its own.
              .filter(({ pointer }) => pointer === "/data/result")
              .map((flaw) => ({ ...flaw, exchangeId: seen.exchange.id })),
        legsOf(evidence, order)
      )
    }
  },
  {
    ...base,
    id: "CMD-029",
    title: "Shows that the EVSE is reserved",
    strength: "should",
    reference: "mod_locations, Status enum",
    passes: "the EVSE's status RESERVED is pushed, or read",
    hint: "Set the EVSE to RESERVED and push it: other drivers look there.",
    needs: () => [order, resultStep(order), `${reserve}#reserved`, `${reserve}#look reserved`],
    judge: (evidence) => {
      const read = readStatus(evidence, "look reserved")
      if (notReserved(evidence) !== undefined) return notReserved(evidence)!
      return noneOf(
        callAt(evidence, `${reserve}#reserved`) !== undefined || read === "RESERVED"
          ? []
          : [
              finding(
                evidence,
                order,
                "the reserved EVSE is not shown as RESERVED",
                "RESERVED",
                String(read ?? "no push")
              )
            ]
      )
    }
  },
  {
    ...base,
    id: "CMD-030",
    versions: withSession,
    title: "Begins a session for a reservation",
    reference: "mod_sessions, SessionStatus enum",
    passes: "a session with status RESERVATION is pushed or listed",
    hint: "A reservation is a session from its beginning: push it with status RESERVATION.",
    needs: () => [order, resultStep(order), `${reserve}#session`, `${reserve}#sessions`],
    judge: (evidence) => {
      if (notReserved(evidence) !== undefined) return notReserved(evidence)!
      const status = reservedSession(evidence)?.json["status"]
      return noneOf(
        status === "RESERVATION"
          ? []
          : [
              finding(
                evidence,
                order,
                "the reservation has no session",
                "status RESERVATION",
                String(status ?? "no session")
              )
            ]
      )
    }
  },
  {
    ...base,
    id: "CMD-031",
    title: "Replaces a reservation that is made again",
    strength: "should",
    reference: "mod_commands, ReserveNow Object",
    sends: "RESERVE_NOW twice with one reservation_id, the second time for longer",
    passes: "not refused, no second session, and the EVSE stays reserved",
    hint: "The same reservation_id at the same location replaces what there is.",
    needs: () => [
      order,
      resultStep(order),
      `${reserve}#again`,
      resultStep(`${reserve}#again`),
      `${reserve}#sessions`,
      `${reserve}#look again`
    ],
    judge: (evidence) => {
      if (notReserved(evidence) !== undefined) return notReserved(evidence)!
      const step = `${reserve}#again`
      if (stepOf(evidence, step) === undefined)
        return undecided("not_tested", "the reservation was not made again")
      const sessions = listedAt(evidence, `${reserve}#sessions`, reservingToken(evidence))
      const status = readStatus(evidence, "look again")
      return noneOf([
        ...(isDone(evidence, step)
          ? []
          : [
              finding(
                evidence,
                step,
                "the reservation could not be replaced",
                "ACCEPTED",
                legsOf(evidence, step)
              )
            ]),
        ...(sessions.length > 1
          ? [
              finding(
                evidence,
                step,
                "there is a second session of one reservation",
                "one session",
                sessions.map(({ json }) => String(json["id"])).join(", ")
              )
            ]
          : []),
        ...(status === undefined || status === "RESERVED"
          ? []
          : [finding(evidence, step, "the EVSE is not reserved any more", "RESERVED", String(status))])
      ])
    }
  },
  {
    ...base,
    id: "CMD-033",
    versions: withSession,
    title: "Cancels a reservation",
    reference: "mod_commands, CancelReservation Object; mod_sessions, SessionStatus enum",
    sends: "CANCEL_RESERVATION of a reservation that was made",
    passes: "ACCEPTED on both legs, the session COMPLETED, the EVSE not RESERVED",
    hint: "Free the EVSE, complete the session, and push both.",
    needs: () => [
      order,
      resultStep(order),
      cancel,
      resultStep(cancel),
      `${reserve}#ended`,
      `${reserve}#freed`,
      `${reserve}#look freed`,
      `${reserve}#sessions after`
    ],
    judge: (evidence) => {
      if (notReserved(evidence) !== undefined) return notReserved(evidence)!
      if (stepOf(evidence, cancel) === undefined)
        return undecided("not_tested", "the reservation was not cancelled")
      const id = idOf(reservedSession(evidence))
      const listed = listedAt(evidence, `${reserve}#sessions after`, reservingToken(evidence)).find(
        ({ json }) => sameId(json["id"], id)
      )
      const isEnded =
        callAt(evidence, `${reserve}#ended`) !== undefined || listed?.json["status"] === "COMPLETED"
      const status = readStatus(evidence, "look freed")
      return noneOf([
        ...(isDone(evidence, cancel)
          ? []
          : [
              finding(
                evidence,
                cancel,
                "the reservation was not cancelled",
                "ACCEPTED, then ACCEPTED",
                legsOf(evidence, cancel)
              )
            ]),
        ...(id === undefined || isEnded
          ? []
          : [
              finding(
                evidence,
                cancel,
                "the session of the cancelled reservation goes on",
                "COMPLETED",
                String(listed?.json["status"] ?? "no push")
              )
            ]),
        ...(status === "RESERVED" && callAt(evidence, `${reserve}#freed`) === undefined
          ? [
              finding(
                evidence,
                cancel,
                "the EVSE of the cancelled reservation is still RESERVED",
                "AVAILABLE",
                "RESERVED"
              )
            ]
          : [])
      ])
    }
  },
  {
    ...base,
    id: "CMD-035",
    versions: withSession,
    title: "Ends a reservation that nobody used",
    reference: "mod_sessions, SessionStatus enum",
    sends: "RESERVE_NOW for a minute",
    passes: "the session is COMPLETED within 5 minutes after expiry_date",
    hint: "Complete the session of a reservation when its expiry_date is over.",
    needs: () => [
      `${expire}#reserve`,
      resultStep(`${expire}#reserve`),
      `${expire}#session`,
      `${expire}#expired`,
      `${expire}#sessions`
    ],
    judge: (evidence) => {
      const step = `${expire}#reserve`
      const none = notReserved(evidence, step)
      if (none !== undefined) return none
      const id = idOf(expiringSession(evidence))
      if (id === undefined) return undecided("not_tested", "the reservation has no session")
      const isListed = listedAt(evidence, `${expire}#sessions`, expiringToken(evidence)).some(
        ({ json }) => sameId(json["id"], id) && json["status"] === "COMPLETED"
      )
      return noneOf(
        callAt(evidence, `${expire}#expired`) === undefined && !isListed
          ? [
              finding(
                evidence,
                step,
                "the session of an expired reservation goes on",
                "COMPLETED",
                "not COMPLETED"
              )
            ]
          : []
      )
    }
  },
  {
    ...base,
    id: "CMD-037",
    versions: withSession,
    mode: "OBS",
    title: "Tells that it has cancelled a reservation itself",
    reference: "mod_commands, CommandResultType enum",
    sends: "nothing: looks at what comes to the response_url of RESERVE_NOW",
    passes: "CANCELED_RESERVATION comes to the response_url of RESERVE_NOW, and the session is COMPLETED",
    hint: "When the operator cancels, post CANCELED_RESERVATION and complete the session.",
    needs: () => [order, resultStep(order), "commands.reserve-calls"],
    judge: (evidence) => {
      const gathered = evidence.gathered("commands.reserve-calls")
      const calls = gathered === undefined || isWithheld(gathered) ? [] : gathered.seen
      const cancelled = calls.filter(
        (call) =>
          resultIn(call) === "CANCELED_RESERVATION" &&
          [order, `${reserve}#again`, `${expire}#reserve`].some((step) => isResultOf(call, evidence, step))
      )
      if (cancelled.length === 0)
        return undecided(
          "unobservable",
          isAccepted(evidence, order)
            ? "the partner cancelled no reservation: cancel one at the CPO while the run goes on"
            : "no reservation was made"
        )
      // What ended a reservation before we asked for it: the session says so soon after.
      const asked = Date.parse(stepOf(evidence, cancel)?.exchange.startedAt ?? evidence.startedAt)
      const ends = calls.filter(
        ({ exchange, json }) =>
          exchange.module === "sessions" &&
          objectIn(json)["status"] === "COMPLETED" &&
          Date.parse(exchange.startedAt) < asked
      )
      return noneOf(
        cancelled
          .filter(({ exchange }) => Date.parse(exchange.startedAt) < asked)
          .slice(ends.length)
          .map(({ exchange }) => ({
            message: "a reservation was cancelled, and its session goes on",
            expected: "the session COMPLETED",
            actual: "no such push",
            exchangeId: exchange.id
          }))
      )
    }
  }
]
