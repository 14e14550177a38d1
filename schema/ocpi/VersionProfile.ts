/** An OCPI version as data: each version spreads the one before it and names only the differences. */
import type { Schema } from "effect"
import type { OcpiVersion } from "./OcpiVersion.ts"
import type { Role } from "./Role.ts"

/** OCPI's module identifiers, except `versions`, which is no entry of the endpoint list. */
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

/** A module that OCPI defines for a version beside those of `ModuleId`: we neither speak nor judge it. */
interface OtherModule {
  /** ModuleID as its document has it. */
  readonly identifier: string
  readonly name: string
  /** The edition of the version's documents that has it. */
  readonly edition: string
}

/** InterfaceRole (version_information_endpoint): SENDER holds the objects or sends the commands, RECEIVER gets them. */
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
  | "SetChargingProfile"
  | "ChargingProfile"
  | "ActiveChargingProfile"
  | "ChargingProfileResponse"
  | "ChargingProfileResult"
  | "ActiveChargingProfileResult"
  | "ClearProfileResult"
  | "ClientInfo"
  | "Terminal"
  | "FinancialAdviceConfirmation"

/** How a version's objects name and structure things, and which rules apply to them. A party branches on these fields. */
interface ObjectFacts {
  /** Some enums are open: a word that the version does not list is allowed. */
  readonly openEnums: boolean
  /** Objects name their owner in `country_code` and `party_id`. */
  readonly ownerFields: boolean
  /** A plain number before VAT; `{excl_vat, incl_vat?}`; or `{before_taxes, taxes?}`. */
  readonly price: "number" | "excl_vat" | "before_taxes"
  /** Gross amount beside the net one in a tariff's `min_price` and `max_price`; null where tariffs have no such limits. */
  readonly priceLimitGross: "incl_vat" | "after_taxes" | null
  /** How a tariff states its taxes: not at all, `vat` on each component, or also `tax_included` for the whole tariff. */
  readonly tariffTax: "unstated" | "vat" | "tax_included"
  /**
   * Which price components of a tariff apply: all of the first element that matches, or for each dimension the first that
   * matches, from any element.
   */
  readonly tariffElements: "first" | "each_dimension"
  /** A tariff can be changed by PATCH. */
  readonly tariffPatch: boolean
  /** A PATCH without `last_updated` is answered with 2001. */
  readonly patchNeedsLastUpdated: boolean
  /** A PATCH of a session appends its `charging_periods` to the stored ones; null: OCPI does not say. */
  readonly patchAppendsPeriods: boolean | null
  readonly sessionNames: { readonly start: string; readonly end: string }
  readonly cdrNames: { readonly start: string; readonly end: string }
  /** How sessions and CDRs name the token: its contract in one field, or an object with its uid. */
  readonly tokenReference: "auth_id" | "cdr_token"
  /** `cdr_token` names the owner of the token (`country_code`, `party_id`). */
  readonly tokenReferenceOwner: boolean
  /** The field of a token that holds its contract. */
  readonly contract: "auth_id" | "contract_id"
  /** Where a session took place: a whole `location` in Session and CDR, or ids in the Session and `cdr_location` in the CDR. */
  readonly place: "location" | "ids"
  /** The field of a location for the kind of place. */
  readonly placeKind: "type" | "parking_type"
  /** `publish` is a required field of a location. */
  readonly publish: boolean
  /** A location lists its parking places, and an EVSE refers to them. */
  readonly parkingPlaces: boolean
  readonly connectorNames: {
    readonly voltage: string
    readonly amperage: string
    /** `tariff_id` is one id, `tariff_ids` a list. */
    readonly tariffs: "tariff_id" | "tariff_ids"
  }
  /** The field that holds the kind of an environmental impact. */
  readonly impactKind: "source" | "category"
  /** A charging period can name its tariff (`tariff_id`). */
  readonly periodTariff: boolean
  /** CDRs name their session, split the total cost into parts, and can be cancelled by a Credit CDR. */
  readonly cdrDetails: boolean
  /**
   * What PARKING_TIME counts (mod_cdrs, CdrDimensionType enum): all time not charging, which is what total_parking_time is; or
   * only that in which the vehicle requests no power.
   */
  readonly parkingTime: "not_charging" | "not_requesting_power"
  /** Type of a token that an app of the EMSP uses. */
  readonly appToken: "OTHER" | "APP_USER"
  /** `auth_method` of a session that START_SESSION started. */
  readonly commandAuthMethod: "AUTH_REQUEST" | "COMMAND"
  /** An AuthorizationInfo holds the token and may hold an `authorization_reference`. */
  readonly authorizationDetails: boolean
  /** OCPI status code, beside HTTP 404, for a token that the EMSP does not know. */
  readonly unknownTokenStatus: number
  /** Uid and type together identify a token: `?type=` in the URL of the receiver. */
  readonly tokenTypeInUrl: boolean
  /**
   * What is posted to a command's response_url: a CommandResponse again, or a CommandResult. `objects.CommandResult` is the
   * schema in both cases.
   */
  readonly commandResults: "response" | "result"
  /** The answer to a command has `timeout`: the seconds within which the result follows. */
  readonly commandTimeout: boolean
  /** The capability without which charging preferences are refused (mod_sessions, ChargingPreferencesResponse enum). */
  readonly preferencesUnableBy: "CHARGING_PREFERENCES_CAPABLE" | "CHARGING_PROFILE_CAPABLE"
  /** START_SESSION can name a connector. */
  readonly startSessionConnector: boolean
  readonly reservationId: "number" | "text"
  /** A reservation can be a session, with status `RESERVATION`. */
  readonly reservationSession: boolean
  /** X-Limit of a page: how many objects it has at most, which is 0 where there are none; or how many the server ever returns. */
  readonly pageLimit: "of_page" | "of_server"
  /** `date_from` and `date_to`: OCPI does not say whether they are inclusive, or only `date_from` is. */
  readonly dateBounds: "unstated" | "half_open"
}

/**
 * All that differs between OCPI versions, as one row of the table in `versions.ts`; code branches on these fields,
 * never on a version number.
 */
export interface VersionProfile extends ObjectFacts {
  readonly version: OcpiVersion
  /** Older first; decides "the highest mutual version". */
  readonly rank: number
  /** Form of the token in the Authorization header (transport_and_format, Authorization header). */
  readonly authorization: "raw" | "base64"
  /** The specification could be read both ways, so partners use both forms; a check of the form is a `should`. */
  readonly authorizationDisputed: boolean
  /** Endpoints have a `role`, SENDER or RECEIVER. */
  readonly endpointRoles: boolean
  /** X-Request-ID and X-Correlation-ID are required. */
  readonly messageIds: boolean
  /** HTTP errors have the response format, too (transport_and_format, Response format); before, any JSON object with details. */
  readonly errorEnvelope: boolean
  readonly routingHeaders: boolean
  /** Credentials list `roles[]`; in 2.1.1 the fields of the one party are in the object itself. */
  readonly credentialsRoles: boolean
  /**
   * How a hub shows itself in its credentials: as the one party with the role HUB, or in `hub_party_id`, with the parties
   * behind it as roles. `none`: the version has no hubs.
   */
  readonly hub: "none" | "role" | "hub_party_id"
  readonly modules: ReadonlyArray<ModuleId>
  /** Modules of the version that we do not speak. */
  readonly otherModules: ReadonlyArray<OtherModule>
  /** Which interface of each module a role usually plays: CPO sends locations, receives commands, and so on. */
  readonly interfaces: Readonly<Record<Role, ReadonlyArray<readonly [ModuleId, InterfaceRole]>>>
  readonly commands: ReadonlyArray<string>
  /** The form of a DateTime that the text shows. */
  readonly dateTime: RegExp
  /** The version's strict schemas, by name; an object that the version does not define is absent. */
  readonly objects: Partial<Readonly<Record<ObjectName, Schema.Schema.AnyNoContext>>>
}
