/** What one OCPI version is, as data. A version spreads the one before it and names only the differences. */
import type { Schema } from "effect"
import type { Role } from "../Connection.ts"
import type { OcpiVersion } from "./OcpiVersion.ts"

export type ModuleId =
  | "credentials"
  | "locations"
  | "sessions"
  | "cdrs"
  | "tariffs"
  | "tokens"
  | "commands"
  | "chargingprofiles"
  | "hubclientinfo"
  | "payments"

export type InterfaceRole = "SENDER" | "RECEIVER"

/** Names of the object schemas that a version brings (strict: closed enums, lengths, formats; unknown fields allowed). */
export type ObjectName =
  | "Version"
  | "VersionDetails"
  | "Credentials"
  | "Location"
  | "EVSE"
  | "Connector"
  | "Session"
  | "CDR"
  | "Tariff"
  | "Token"
  | "LocationReferences"
  | "AuthorizationInfo"
  | "CommandResponse"
  | "CommandResult"
  | "START_SESSION"
  | "STOP_SESSION"
  | "RESERVE_NOW"
  | "CANCEL_RESERVATION"
  | "UNLOCK_CONNECTOR"
  | "ChargingPreferences"

export interface VersionProfile {
  readonly version: OcpiVersion
  /** Older first; decides "the highest mutual version". */
  readonly rank: number
  /** Form of the token in the Authorization header, as the version's text has it. */
  readonly authorization: "raw" | "base64"
  /** The text left that form open to two readings: partners use both, and either is a matter of `should`. */
  readonly authorizationDisputed: boolean
  /** Do endpoints carry SENDER and RECEIVER? */
  readonly endpointRoles: boolean
  /** X-Request-ID and X-Correlation-ID are required. */
  readonly messageIds: boolean
  readonly routingHeaders: boolean
  /** `roles[]` in credentials, or flat party fields (2.1.1). */
  readonly credentialsRoles: boolean
  readonly modules: ReadonlyArray<ModuleId>
  /** Which interface of each module a role usually plays: CPO sends locations, receives commands, and so on. */
  readonly interfaces: Readonly<Record<Role, ReadonlyArray<readonly [ModuleId, InterfaceRole]>>>
  readonly commands: ReadonlyArray<string>
  readonly dateTime: RegExp
  /** Objects that the version defines. Missing: the version has none, or its schemas are not written yet. */
  readonly objects: Partial<Readonly<Record<ObjectName, Schema.Schema.AnyNoContext>>>
}
