/** What checks of remote starts have in common. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { commandsBase } from "./commandBase.ts"

/** Versions whose sessions have an authorization_reference. */
export const withAuthorizationDetails = versionsWhere(({ authorizationDetails }) => authorizationDetails)

/** What the checks have in common. */
export const remoteStartsBase = {
  ...commandsBase,
  sends: "START_SESSION for an app user, STOP_SESSION of its session",
  partial: true
} as const
