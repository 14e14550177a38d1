/** How a charge catches up after an absence: by the partner's lists of sessions and CDRs. */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { awaySince } from "../../model/absence.ts"
import type { CatchUp } from "../../model/JourneyTemplate.ts"
import { intentOf, type RunHistory, readingsOf } from "../../model/RunHistory.ts"
import { isOurCdr, isOurSession, ourCdr, ourSession } from "./chargeFacts.ts"

const aMinuteMillis = 60_000

/** The request for what has changed since shortly before that instant, because clocks differ. */
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

/** Catches up on our session. */
export const catchUpOnSession: CatchUp = {
  module: "sessions",
  call: sinceStart("sessions"),
  isOurs: isOurSession,
  isSettled: (history) => ourSession(history)?.state["status"] === "COMPLETED"
}

/** Catches up on our CDR. */
export const catchUpOnCdr: CatchUp = {
  module: "cdrs",
  call: sinceStart("cdrs"),
  isOurs: isOurCdr,
  isSettled: (history) => ourCdr(history) !== undefined
}

/** Did the session end during an absence, so that there is nothing to stop? */
export const endedWhileAway = (history: RunHistory): boolean =>
  awaySince(history, setOffByStart(history)) !== undefined &&
  ourSession(history)?.state["status"] === "COMPLETED"

/** The stage that triggers the session's messages: our command, or the push of the card. */
export const setOffByStart = (history: RunHistory): string =>
  intentOf(history, "start-session") === undefined && intentOf(history, "offer-token") !== undefined
    ? "offer-token"
    : "start-session"

/** The stage that triggers the session's end: our stop, if we sent one and the session had not ended unseen. */
export const setOffByStop = (history: RunHistory): string =>
  intentOf(history, "stop-session") === undefined || mayHaveEndedUnseen(history)
    ? setOffByStart(history)
    : "stop-session"

/** Were we away since the start, without having read since then that the session still runs? */
function mayHaveEndedUnseen(history: RunHistory): boolean {
  const away = awaySince(history, setOffByStart(history))
  const goesOn = readingsOf(history, "sessions").some(
    ({ items, sequence }) =>
      sequence > (away?.sequence ?? 0) &&
      items.some((item) => isOurSession(history, item) && item["status"] === "ACTIVE")
  )
  return away !== undefined && !goesOn
}
