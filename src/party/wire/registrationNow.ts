/** Where the registration and the invitation of a party are at a moment. Pure. */
import type { Invitation, RegistrationNow } from "../../../schema/Connection.ts"
import type { Party } from "../../store/parties/Party.ts"
import { registrationState } from "./registration.ts"

/** Where the registration of a party is, and since when. */
export function registrationOf(party: Party, nowMillis: number): RegistrationNow {
  const invitation = invitationOf(party, nowMillis)
  // Its owner sees an expired invitation as none, although the Token A of it is still known (`registrationMoment`).
  const state = registrationState(party, { nowMillis, invited: invitation?.state === "open" })
  const since =
    state === "registered"
      ? party.registeredAt
      : state === "invited"
        ? invitation?.issuedAt
        : state === "unregistered"
          ? undefined
          : party.open?.since
  return since === undefined || since === null ? { state } : { state, since }
}

/** The invitation of the counterpart, which may have expired; null: it was never invited. */
export function invitationOf({ invitation }: Party, nowMillis: number): Invitation | null {
  if (invitation === undefined) return null
  const isOver = invitation.state === "open" && nowMillis >= Date.parse(invitation.expiresAt)
  return isOver ? { ...invitation, state: "expired" } : invitation
}
