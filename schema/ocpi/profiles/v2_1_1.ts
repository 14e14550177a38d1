/** OCPI 2.1.1, the oldest version that we speak: one role per connection, plain tokens, no message ids, no routing. */
import { dateTimeForms } from "../DateTime.ts"
import { ocpiStatus } from "../envelope.ts"
import type { VersionProfile } from "../VersionProfile.ts"
import { CDR } from "../v2_1_1/Cdr.ts"
import { CommandResponse, ReserveNow, StartSession, StopSession, UnlockConnector } from "../v2_1_1/Command.ts"
import { Connector } from "../v2_1_1/Connector.ts"
import { Credentials } from "../v2_1_1/Credentials.ts"
import { EVSE } from "../v2_1_1/Evse.ts"
import { Location } from "../v2_1_1/Location.ts"
import { Session } from "../v2_1_1/Session.ts"
import { Tariff } from "../v2_1_1/Tariff.ts"
import { AuthorizationInfo, LocationReferences, Token } from "../v2_1_1/Token.ts"
import { VersionDetails } from "../v2_1_1/Version.ts"
import { Version } from "../v2_2_1/Version.ts"

/**
 * OCPI 2.1.1. `credentials` has no interface roles; where a version requires a role in its endpoint, SENDER is what the
 * credentials document advises.
 */
export const v2_1_1: VersionProfile = {
  version: "2.1.1",
  rank: 1,
  authorization: "raw",
  authorizationDisputed: false,
  endpointRoles: false,
  messageIds: false,
  errorEnvelope: false,
  routingHeaders: false,
  credentialsRoles: false,
  hub: "none",
  modules: ["credentials", "locations", "sessions", "cdrs", "tariffs", "tokens", "commands"],
  otherModules: [],
  interfaces: {
    CPO: [
      ["credentials", "SENDER"],
      ["locations", "SENDER"],
      ["sessions", "SENDER"],
      ["cdrs", "SENDER"],
      ["tariffs", "SENDER"],
      ["tokens", "RECEIVER"],
      ["commands", "RECEIVER"]
    ],
    EMSP: [
      ["credentials", "SENDER"],
      ["locations", "RECEIVER"],
      ["sessions", "RECEIVER"],
      ["cdrs", "RECEIVER"],
      ["tariffs", "RECEIVER"],
      ["tokens", "SENDER"],
      ["commands", "SENDER"]
    ]
  },
  commands: ["START_SESSION", "STOP_SESSION", "RESERVE_NOW", "UNLOCK_CONNECTOR"],
  dateTime: dateTimeForms.seconds,
  openEnums: false,
  ownerFields: false,
  price: "number",
  priceLimitGross: null,
  tariffTax: "unstated",
  tariffElements: "first",
  tariffPatch: true,
  patchNeedsLastUpdated: false,
  patchAppendsPeriods: null,
  sessionNames: { start: "start_datetime", end: "end_datetime" },
  cdrNames: { start: "start_date_time", end: "stop_date_time" },
  tokenReference: "auth_id",
  tokenReferenceOwner: false,
  contract: "auth_id",
  place: "location",
  placeKind: "type",
  publish: false,
  parkingPlaces: false,
  connectorNames: { voltage: "voltage", amperage: "amperage", tariffs: "tariff_id" },
  impactKind: "source",
  periodTariff: false,
  cdrDetails: false,
  parkingTime: "not_charging",
  appToken: "OTHER",
  commandAuthMethod: "AUTH_REQUEST",
  authorizationDetails: false,
  // 2.1.1 has no code for it; the token's uid is a parameter of the request.
  unknownTokenStatus: ocpiStatus.invalidParameters,
  tokenTypeInUrl: false,
  commandResults: "response",
  commandTimeout: false,
  preferencesUnableBy: "CHARGING_PREFERENCES_CAPABLE",
  startSessionConnector: false,
  reservationId: "number",
  reservationSession: false,
  pageLimit: "of_page",
  dateBounds: "unstated",
  objects: {
    Version,
    VersionDetails,
    Credentials,
    Location,
    EVSE,
    Connector,
    Session,
    CDR,
    Tariff,
    Token,
    LocationReferences,
    AuthorizationInfo,
    CommandResponse,
    // 2.1.1 has no CommandResult; a CommandResponse is posted as the result.
    CommandResult: CommandResponse,
    START_SESSION: StartSession,
    STOP_SESSION: StopSession,
    RESERVE_NOW: ReserveNow,
    UNLOCK_CONNECTOR: UnlockConnector
  }
}
