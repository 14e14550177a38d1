/** What a charge reads when we were away: the partner's list of sessions, and its list of CDRs. */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { awaySince } from "../../model/absence.ts"
import type { CatchUp } from "../../model/JourneyTemplate.ts"
import { intentOf, type Memory, readingsOf } from "../../model/Memory.ts"
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

const sinceStart = (module: "sessions" | "cdrs") => (memory: Memory) =>
  listSince(module, intentOf(memory, "start-session")?.startedAt ?? memory.createdAt)

export const catchUpOnSession: CatchUp = {
  module: "sessions",
  call: sinceStart("sessions"),
  isOurs: isOurSession,
  isSettled: (memory) => ourSession(memory)?.state["status"] === "COMPLETED"
}

export const catchUpOnCdr: CatchUp = {
  module: "cdrs",
  call: sinceStart("cdrs"),
  isOurs: isOurCdr,
  isSettled: (memory) => ourCdr(memory) !== undefined
}

/** Did the session end while we were away? Then there is nothing left to stop. */
export const endedWhileAway = (memory: Memory): boolean =>
  awaySince(memory, setOffByStart(memory)) !== undefined &&
  ourSession(memory)?.state["status"] === "COMPLETED"

/** The messages of a session follow from its start: from our command, or from the card that was offered to the partner. */
export const setOffByStart = (memory: Memory): string =>
  intentOf(memory, "start-session") === undefined && intentOf(memory, "offer-token") !== undefined
    ? "offer-token"
    : "start-session"

/** Its end follows from our stop, where we sent one, and the session was not over before unseen. */
export const setOffByStop = (memory: Memory): string =>
  intentOf(memory, "stop-session") === undefined || mayHaveEndedUnseen(memory)
    ? setOffByStart(memory)
    : "stop-session"

/** We were away since the start, and have not read since then that the session goes on. */
function mayHaveEndedUnseen(memory: Memory): boolean {
  const away = awaySince(memory, setOffByStart(memory))
  const goesOn = readingsOf(memory, "sessions").some(
    ({ items, sequence }) =>
      sequence > (away?.sequence ?? 0) &&
      items.some((item) => isOurSession(memory, item) && item["status"] === "ACTIVE")
  )
  return away !== undefined && !goesOn
}
