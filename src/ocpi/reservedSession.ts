/** How the session of a reservation is recognised. */

/** The status of a reservation's session in the SessionStatus enum (mod_sessions). */
const reservedStatus = "RESERVATION"

/** What the text calls it elsewhere (mod_sessions, Reservation). SESS-004 tells that the enum has another word. */
export const proseStatus = "RESERVED"

/** Is that the status of a session that is a reservation, by either word, in whatever case (see sessionStatus.ts)? */
export const isReservation = (status: unknown): boolean =>
  typeof status === "string" && [reservedStatus, proseStatus].includes(status.toUpperCase())
