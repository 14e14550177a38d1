/** Same wire as the version before, and no doubt about the form of the token. Its objects are the ones written down first; other versions spread their fields. */
import type { VersionProfile } from "../VersionProfile.ts"
import { v2_2 } from "../v2_2/profile.ts"
import { CDR } from "./Cdr.ts"
import { ChargingPreferences } from "./ChargingPreferences.ts"
import {
  CancelReservation,
  CommandResponse,
  CommandResult,
  ReserveNow,
  StartSession,
  StopSession,
  UnlockConnector
} from "./Command.ts"
import { Connector } from "./Connector.ts"
import { Credentials } from "./Credentials.ts"
import { EVSE } from "./Evse.ts"
import { Location } from "./Location.ts"
import { Session } from "./Session.ts"
import { Tariff } from "./Tariff.ts"
import { AuthorizationInfo, LocationReferences, Token } from "./Token.ts"
import { Version, VersionDetails } from "./Version.ts"

export const v2_2_1: VersionProfile = {
  ...v2_2,
  version: "2.2.1",
  rank: 3,
  authorizationDisputed: false,
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
    ChargingPreferences
  }
}
