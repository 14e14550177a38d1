/**
 * Payments arrive. Their interfaces stand between a payment terminal provider and a CPO; we play no such provider, so
 * no role lists them.
 */
import type { VersionProfile } from "../VersionProfile.ts"
import { ChargingPreferences } from "../v2_2_1/ChargingPreferences.ts"
import {
  CancelReservation,
  CommandResponse,
  CommandResult,
  StopSession,
  UnlockConnector
} from "../v2_2_1/Command.ts"
import { v2_2_1 } from "../v2_2_1/profile.ts"
import { LocationReferences } from "../v2_2_1/Token.ts"
import { Version, VersionDetails } from "../v2_2_1/Version.ts"
import { Credentials } from "./Credentials.ts"

export const v2_3_0: VersionProfile = {
  ...v2_2_1,
  version: "2.3.0",
  rank: 4,
  modules: [...v2_2_1.modules, "payments"],
  objects: {
    Version,
    VersionDetails,
    Credentials,
    LocationReferences,
    CommandResponse,
    CommandResult,
    STOP_SESSION: StopSession,
    CANCEL_RESERVATION: CancelReservation,
    UNLOCK_CONNECTOR: UnlockConnector,
    ChargingPreferences
  }
}
