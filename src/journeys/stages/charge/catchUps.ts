/** What a charge reads when we were away: the partner's list of sessions, and its list of CDRs. */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { awaySince } from "../../model/absence.ts"
import type { CatchUp } from "../../model/JourneyTemplate.ts"
import { intentOf, type RunHistory, readingsOf } from "../../model/RunHistory.ts"
import { isOurCdr, isOurSession, ourCdr, ourSession } from "./chargeFacts.ts"

const aMinuteMillis = 60_000

/** What changed at the partner since shortly before that instant: clocks differ. */
export const listSince = (module: "sessions" | "cdrs", instant: string) =>
  ({
    module,
    interfaceRole: "SENDER",
    operation: "list",
    method: "GET",
    query: { date_from: dateTimeOf(Date.parse(instant) - aMinuteMillis), limit: "50" }
  }) as const

const sinceStart = (module: "sessions" | "cdrs") => (history: RunHistory) =>
  listSince(module, intentOf(history, "start-session")?.startedAt ?? history.createdAt)

export const catchUpOnSession: CatchUp = {
  module: "sessions",
  call: sinceStart("sessions"),
  isOurs: isOurSession,
  isSettled: (history) => ourSession(history)?.state["status"] === "COMPLETED"
}

export const catchUpOnCdr: CatchUp = {
  module: "cdrs",
  call: sinceStart("cdrs"),
  isOurs: isOurCdr,
  isSettled: (history) => ourCdr(history) !== undefined
}

/** Did the session end while we were away? Then there is nothing left to stop. */
export const endedWhileAway = (history: RunHistory): boolean =>
  awaySince(history, setOffByStart(history)) !== undefined &&
  ourSession(history)?.state["status"] === "COMPLETED"

/** The messages of a session follow from its start: from our command, or from the card that was offered to the partner. */
export const setOffByStart = (history: RunHistory): string =>
  intentOf(history, "start-session") === undefined && intentOf(history, "offer-token") !== undefined
    ? "offer-token"
    : "start-session"

/** Its end follows from our stop, where we sent one, and the session was not over before unseen. */
export const setOffByStop = (history: RunHistory): string =>
  intentOf(history, "stop-session") === undefined || mayHaveEndedUnseen(history)
    ? setOffByStart(history)
    : "stop-session"

/** We were away since the start, and have not read since then that the session goes on. */
function mayHaveEndedUnseen(history: RunHistory): boolean {
  const away = awaySince(history, setOffByStart(history))
  const goesOn = readingsOf(history, "sessions").some(
    ({ items, sequence }) =>
      sequence > (away?.sequence ?? 0) &&
      items.some((item) => isOurSession(history, item) && item["status"] === "ACTIVE")
  )
  return away !== undefined && !goesOn
}
