/** The reservations that a run makes (mod_commands): their ids, and the command that takes one back. */
import type { Evidence } from "../../model/Evidence.ts"
import type { ProbeRequest } from "../../model/Probe.ts"
import { command } from "./commandTargets.ts"

/** Reservation ids of this run: text or number, as the version has it. `number` is one digit. */
export const reservationId = ({ mark, profile, startedAt }: Evidence, number: number): string | number =>
  profile.reservationId === "text"
    ? `${mark}-4000-8000-00000000000${number}`
    : (Date.parse(startedAt) % 100_000_000) * 10 + number

/** A command of the version that takes a reservation back; undefined: there is none. */
export const cancelling = (evidence: Evidence, number: number): ProbeRequest | undefined =>
  evidence.profile.commands.includes("CANCEL_RESERVATION")
    ? command("CANCEL_RESERVATION", { reservation_id: reservationId(evidence, number) })
    : undefined
