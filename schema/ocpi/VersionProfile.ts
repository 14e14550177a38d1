/** What one OCPI version is, as data. A version spreads the one before it and names only the differences. */
import type { Schema } from "effect"
import type { OcpiVersion } from "./OcpiVersion.ts"
import type { Role } from "./Role.ts"

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

/** What stands under which name in the version's objects, and which rules they follow. A party branches on these. */
export interface ObjectFacts {
  /** Some enums are open: a word that the version does not list is no mistake. */
  readonly openEnums: boolean
  /** An object says in `country_code` and `party_id` whose it is. */
  readonly ownerFields: boolean
  /** A plain number before VAT; `{excl_vat, incl_vat?}`; or `{before_taxes, taxes?}`. */
  readonly price: "number" | "excl_vat" | "before_taxes"
  /** Gross amount beside the net one in a tariff's `min_price` and `max_price`; null where tariffs have no such limits. */
  readonly priceLimitGross: "incl_vat" | "after_taxes" | null
  /** How a tariff says what its prices are: not at all, `vat` beside each, or `tax_included` for all of them too. */
  readonly tariffTax: "unstated" | "vat" | "tax_included"
  /**
   * Which price components of a tariff count: those of the first element that fits, or of each dimension the first that
   * fits, from whatever element.
   */
  readonly tariffElements: "first" | "each_dimension"
  /** A tariff can be changed by PATCH. */
  readonly tariffPatch: boolean
  /** A PATCH without `last_updated` is answered with 2001. */
  readonly patchNeedsLastUpdated: boolean
  /** PATCH of a session with `charging_periods`: are they added to those before? null: the text does not say. */
  readonly patchAppendsPeriods: boolean | null
  readonly sessionNames: { readonly start: string; readonly end: string }
  readonly cdrNames: { readonly start: string; readonly end: string }
  /** How sessions and CDRs name the token: its contract in one field, or an object with its uid. */
  readonly tokenReference: "auth_id" | "cdr_token"
  /** Has the `cdr_token` the fields of its owner? */
  readonly tokenReferenceOwner: boolean
  /** A token's field for its contract. */
  readonly contract: "auth_id" | "contract_id"
  /** Where a session and a CDR were: a whole `location` in both, or ids in the session and `cdr_location` in the CDR. */
  readonly place: "location" | "ids"
  /** A location's field for the kind of its place. */
  readonly placeKind: "type" | "parking_type"
  /** A location's `publish` must be given. */
  readonly publish: boolean
  /** A location describes its parking places, and an EVSE names its own. */
  readonly parkingPlaces: boolean
  readonly connectorNames: {
    readonly voltage: string
    readonly amperage: string
    /** `tariff_id` is one id, `tariff_ids` a list. */
    readonly tariffs: "tariff_id" | "tariff_ids"
  }
  /** An energy mix's impact has its kind in this field. */
  readonly impactKind: "source" | "category"
  /** A charging period can name its tariff (`tariff_id`). */
  readonly periodTariff: boolean
  /** CDRs name their session, split the total cost into its parts, and can be taken back by a Credit CDR. */
  readonly cdrDetails: boolean
  /** Kind of a token that an app of the EMSP uses. */
  readonly appToken: "OTHER" | "APP_USER"
  /** How a session that a command started was authorized. */
  readonly commandAuthMethod: "AUTH_REQUEST" | "COMMAND"
  /** The token is in an AuthorizationInfo, and an `authorization_reference` can be. */
  readonly authorizationDetails: boolean
  /** OCPI status for a token that the EMSP does not know, beside HTTP 404. */
  readonly unknownTokenStatus: number
  /** Tokens are told apart by their type too, `?type=` in the URL of the receiver. */
  readonly tokenTypeInUrl: boolean
  /**
   * What is posted to a command's response_url: the object of the answer again, or one of its own. `CommandResult` is its
   * schema in both cases.
   */
  readonly commandResults: "response" | "result"
  /** The answer to a command says how many seconds its result may take. */
  readonly commandTimeout: boolean
  /** START_SESSION can name a connector. */
  readonly startSessionConnector: boolean
  readonly reservationId: "number" | "text"
  /** A reservation is a session with a status of its own. */
  readonly reservationSession: boolean
  /** Bounds of `date_from` and `date_to`: not said whether they are included, or the first one is and the last is not. */
  readonly dateBounds: "unstated" | "half_open"
}

export interface VersionProfile extends ObjectFacts {
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
  /** Objects that the version defines; a missing one is not in the version. */
  readonly objects: Partial<Readonly<Record<ObjectName, Schema.Schema.AnyNoContext>>>
}
