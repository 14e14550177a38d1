/**
 * What a place asks of drivers and of whoever serves them, by its name. A journey that needs somebody at the EMSP says it
 * so: a person who sees the place in the app knows what to do, and a sandbox EMSP does it by itself. Nobody else heeds them.
 */
import type { JsonObject } from "../../../findings/json.ts"

export const invitations = {
  /** Start a charge there from the app, and stop it once energy flows. */
  charge: "plugfest: please charge here",
  /** Let a driver who charges there say how. */
  prefer: "plugfest: please set preferences here",
  /** Read all our lists, page by page. */
  read: "plugfest: please read our lists",
  /** Issue a card, and tell us of it. */
  card: "plugfest: please issue a card"
} as const

export type DriverInvitation = keyof typeof invitations

/** The invitation that a location's name is; undefined for all other places. */
export const invitationOf = (location: JsonObject): DriverInvitation | undefined =>
  Object.entries(invitations).flatMap(([invitation, name]) =>
    name === location["name"] ? [invitation as DriverInvitation] : []
  )[0]
