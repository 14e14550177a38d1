/** OCPI 2.2 adds roles, interfaces, message ids, hubs and routing; what is not named here is as in 2.1.1. */
import { dateTimeForms } from "../DateTime.ts"
import { ocpiStatus } from "../envelope.ts"
import type { VersionProfile } from "../VersionProfile.ts"
import { CDR } from "../v2_2/Cdr.ts"
import { StartSession } from "../v2_2/Command.ts"
import { Connector } from "../v2_2/Connector.ts"
import { EVSE } from "../v2_2/Evse.ts"
import { Location } from "../v2_2/Location.ts"
import { Session } from "../v2_2/Session.ts"
import { ChargingPreferences } from "../v2_2_1/ChargingPreferences.ts"
import {
  ActiveChargingProfile,
  ActiveChargingProfileResult,
  ChargingProfile,
  ChargingProfileResponse,
  ChargingProfileResult,
  ClearProfileResult,
  SetChargingProfile
} from "../v2_2_1/ChargingProfile.ts"
import { ClientInfo } from "../v2_2_1/ClientInfo.ts"
import {
  CancelReservation,
  CommandResponse,
  CommandResult,
  ReserveNow,
  StopSession,
  UnlockConnector
} from "../v2_2_1/Command.ts"
import { Credentials } from "../v2_2_1/Credentials.ts"
import { Tariff } from "../v2_2_1/Tariff.ts"
import { AuthorizationInfo, LocationReferences, Token } from "../v2_2_1/Token.ts"
import { Version, VersionDetails } from "../v2_2_1/Version.ts"
import { v2_1_1 } from "./v2_1_1.ts"

/** OCPI 2.2. The Base64 form of the token was clarified late, so partners use both forms. */
export const v2_2: VersionProfile = {
  ...v2_1_1,
  version: "2.2",
  rank: 2,
  authorization: "base64",
  authorizationDisputed: true,
  endpointRoles: true,
  messageIds: true,
  errorEnvelope: true,
  routingHeaders: true,
  credentialsRoles: true,
  hub: "role",
  modules: [...v2_1_1.modules, "chargingprofiles", "hubclientinfo"],
  interfaces: {
    CPO: [...v2_1_1.interfaces.CPO, ["chargingprofiles", "RECEIVER"], ["hubclientinfo", "RECEIVER"]],
    EMSP: [...v2_1_1.interfaces.EMSP, ["chargingprofiles", "SENDER"], ["hubclientinfo", "RECEIVER"]]
  },
  commands: [...v2_1_1.commands, "CANCEL_RESERVATION"],
  dateTime: dateTimeForms.fractions,
  ownerFields: true,
  price: "excl_vat",
  priceLimitGross: "incl_vat",
  tariffTax: "vat",
  tariffElements: "each_dimension",
  tariffPatch: false,
  patchNeedsLastUpdated: true,
  patchAppendsPeriods: true,
  sessionNames: { start: "start_date_time", end: "end_date_time" },
  cdrNames: { start: "start_date_time", end: "end_date_time" },
  preferencesUnableBy: "CHARGING_PROFILE_CAPABLE",
  tokenReference: "cdr_token",
  contract: "contract_id",
  place: "ids",
  placeKind: "parking_type",
  publish: true,
  connectorNames: { voltage: "max_voltage", amperage: "max_amperage", tariffs: "tariff_ids" },
  impactKind: "category",
  periodTariff: true,
  cdrDetails: true,
  appToken: "APP_USER",
  commandAuthMethod: "COMMAND",
  authorizationDetails: true,
  unknownTokenStatus: ocpiStatus.unknownToken,
  tokenTypeInUrl: true,
  commandResults: "result",
  commandTimeout: true,
  reservationId: "text",
  reservationSession: true,
  pageLimit: "of_server",
  dateBounds: "half_open",
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
    CommandResult,
    START_SESSION: StartSession,
    STOP_SESSION: StopSession,
    RESERVE_NOW: ReserveNow,
    CANCEL_RESERVATION: CancelReservation,
    UNLOCK_CONNECTOR: UnlockConnector,
    ChargingPreferences,
    SetChargingProfile,
    ChargingProfile,
    ActiveChargingProfile,
    ChargingProfileResponse,
    ChargingProfileResult,
    ActiveChargingProfileResult,
    ClearProfileResult,
    ClientInfo
  }
}
