/** The body of a command: a valid default for the version, merged with the caller's fields and validated. */
import { Schema } from "effect"
import type { CommandName } from "../../../schema/Command.ts"
import { Invalid } from "../../../schema/Errors.ts"
import { firstIssueOf } from "../../../schema/fields/issues.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { Party } from "../../store/parties/Party.ts"

/** A command body as JSON. */
export type CommandPayload = Readonly<Record<string, unknown>>

/** Largest body that we send, in bytes. */
export const maxPayloadBytes = 64 * 1024

/** What a default body is made from. */
export interface CommandSetting {
  readonly profile: VersionProfile
  readonly party: Party
  /** OCPI DateTimes: now, and the end of a reservation. */
  readonly now: string
  readonly inAnHour: string
  /** An EVSE and a connector that the partner has sent us, or placeholders. */
  readonly location: {
    readonly id: string
    readonly evseUid?: string
    readonly connectorId?: string
    /** The EVSE has capability START_SESSION_CONNECTOR_REQUIRED. */
    readonly needsConnector?: boolean
  }
  readonly sessionId: string
}

/** A body that is valid in the version, without `response_url`. */
export const defaultPayload = (command: CommandName, setting: CommandSetting): CommandPayload => {
  const { location, profile } = setting
  const evse = location.evseUid === undefined ? {} : { evse_uid: location.evseUid }
  const reservationId = profile.reservationId === "text" ? "PLUGFEST-1" : 1
  switch (command) {
    case "START_SESSION": {
      const named = profile.startSessionConnector && location.needsConnector === true
      const connector = named ? { connector_id: location.connectorId ?? "1" } : {}
      return { token: tokenOf(setting), location_id: location.id, ...evse, ...connector }
    }
    case "STOP_SESSION":
      return { session_id: setting.sessionId }
    case "RESERVE_NOW":
      return {
        token: tokenOf(setting),
        expiry_date: setting.inAnHour,
        reservation_id: reservationId,
        location_id: location.id,
        ...evse
      }
    case "CANCEL_RESERVATION":
      return { reservation_id: reservationId }
    case "UNLOCK_CONNECTOR":
      return {
        location_id: location.id,
        evse_uid: location.evseUid ?? "EVSE1",
        connector_id: location.connectorId ?? "1"
      }
  }
}

/** Merges field by field, the caller's fields over the default; `response_url` is always ours. */
export const mergedPayload = (
  base: CommandPayload,
  given: CommandPayload | undefined,
  responseUrl: string
): CommandPayload => ({
  ...merge(base, given ?? {}),
  response_url: responseUrl
})

/** The first violation of the version's schema, with its path; undefined when the payload is valid. */
export const checkPayload = (
  profile: VersionProfile,
  command: CommandName,
  payload: CommandPayload
): Invalid | undefined => {
  const schema = profile.objects[command]
  if (schema === undefined) return undefined
  const result = Schema.decodeUnknownEither(schema)(payload)
  if (result._tag === "Right") return undefined
  const issue = firstIssueOf(result.left)
  const path = ["payload", ...issue.path].map(String).join(".")
  return new Invalid({
    message: `${path}: ${issue.message}; send "validate": false to send it as it is`
  })
}

function tokenOf({ now, party, profile }: CommandSetting): CommandPayload {
  const { countryCode, name, partyId } = party.identity
  return {
    ...(profile.ownerFields ? { country_code: countryCode, party_id: partyId } : {}),
    [profile.contract]: `${countryCode}-${partyId}-C00000001-1`,
    uid: "PLUGFEST0001",
    type: "RFID",
    issuer: name,
    valid: true,
    whitelist: "ALWAYS",
    last_updated: now
  }
}

function merge(base: CommandPayload, given: CommandPayload): CommandPayload {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(given)) {
    const below = base[key]
    merged[key] = isObject(below) && isObject(value) ? merge(below, value) : value
  }
  return merged
}

function isObject(value: unknown): value is CommandPayload {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
