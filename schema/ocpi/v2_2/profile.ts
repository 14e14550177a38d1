/** Roles, interfaces, message ids, hubs and routing arrive; everything not named here is as in the version before. */
import { dateTimeForms } from "../DateTime.ts"
import type { VersionProfile } from "../VersionProfile.ts"
import { v2_1_1 } from "../v2_1_1/profile.ts"
import { ChargingPreferences } from "../v2_2_1/ChargingPreferences.ts"
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
import { StartSession } from "./Command.ts"

export const v2_2: VersionProfile = {
  ...v2_1_1,
  version: "2.2",
  rank: 2,
  authorization: "base64",
  authorizationDisputed: true,
  endpointRoles: true,
  messageIds: true,
  routingHeaders: true,
  credentialsRoles: true,
  modules: [...v2_1_1.modules, "chargingprofiles", "hubclientinfo"],
  interfaces: {
    CPO: [...v2_1_1.interfaces.CPO, ["chargingprofiles", "RECEIVER"], ["hubclientinfo", "RECEIVER"]],
    EMSP: [...v2_1_1.interfaces.EMSP, ["chargingprofiles", "SENDER"], ["hubclientinfo", "RECEIVER"]]
  },
  commands: [...v2_1_1.commands, "CANCEL_RESERVATION"],
  dateTime: dateTimeForms.fractions,
  objects: {
    Version,
    VersionDetails,
    Credentials,
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
    ChargingPreferences
  }
}
