/** The enums of OCPI that a receiver holds its partner to, by version where they grew. */

import type { StrangerVersion } from "../Freedoms.ts"
import { isIn } from "./classes.ts"

type Words = ReadonlyArray<readonly [words: string, span?: string]>

const tables: Readonly<Record<string, Words>> = {
  Role: [["CPO EMSP NAP NSP OTHER SCSP"], ["HUB", "2.2,2.2.1"]],
  Status: [["AVAILABLE BLOCKED CHARGING INOPERATIVE OUTOFORDER PLANNED REMOVED RESERVED UNKNOWN"]],
  ConnectorFormat: [["SOCKET CABLE"]],
  PowerType: [["AC_1_PHASE AC_3_PHASE DC"], ["AC_2_PHASE AC_2_PHASE_SPLIT", "2.2.1+"]],
  SessionStatus: [["ACTIVE COMPLETED INVALID PENDING"], ["RESERVATION", "2.2+"]],
  AuthMethod: [["AUTH_REQUEST WHITELIST"], ["COMMAND", "2.2+"]],
  CdrDimensionType: [
    ["ENERGY MAX_CURRENT MIN_CURRENT PARKING_TIME TIME"],
    ["FLAT", "2.1.1"],
    ["CURRENT ENERGY_EXPORT ENERGY_IMPORT MAX_POWER MIN_POWER POWER RESERVATION_TIME STATE_OF_CHARGE", "2.2+"]
  ],
  TariffType: [["AD_HOC_PAYMENT PROFILE_CHEAP PROFILE_FAST PROFILE_GREEN REGULAR"]],
  TariffDimensionType: [["ENERGY FLAT PARKING_TIME TIME"]],
  DayOfWeek: [["MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY"]],
  ReservationRestrictionType: [["RESERVATION RESERVATION_EXPIRES"]],
  TaxIncluded: [["YES NO N/A"]],
  WhitelistType: [["ALWAYS ALLOWED ALLOWED_OFFLINE NEVER"]],
  ProfileType: [["CHEAP FAST GREEN REGULAR"]],
  ChargingRateUnit: [["W A"]],
  Allowed: [["ALLOWED BLOCKED EXPIRED NO_CREDIT NOT_ALLOWED"]],
  CommandResponse: [["ACCEPTED NOT_SUPPORTED REJECTED UNKNOWN_SESSION"], ["TIMEOUT", "2.1.1"]],
  ProfileResponse: [["ACCEPTED NOT_SUPPORTED REJECTED TOO_OFTEN UNKNOWN_SESSION"]],
  CommandResult: [
    ["ACCEPTED NOT_SUPPORTED REJECTED TIMEOUT"],
    ["UNKNOWN_SESSION", "2.1.1"],
    ["CANCELED_RESERVATION EVSE_OCCUPIED EVSE_INOPERATIVE FAILED UNKNOWN_RESERVATION", "2.2+"]
  ],
  ProfileResult: [["ACCEPTED REJECTED UNKNOWN"]],
  InvoiceCreator: [["CPO PTP"]],
  CaptureStatusCode: [["SUCCESS PARTIAL_SUCCESS FAILED"]],
  ConnectionStatus: [["CONNECTED OFFLINE PLANNED SUSPENDED"]],
  EVSEPosition: [["LEFT RIGHT CENTER"]],
  ParkingDirection: [["PARALLEL PERPENDICULAR ANGLE"]],
  EnergySourceCategory: [["NUCLEAR GENERAL_FOSSIL COAL GAS GENERAL_GREEN SOLAR WIND WATER"]],
  // Open in the newest version (types, OpenEnum); before it their words are held to as well.
  TokenType: [
    ["OTHER RFID", "2.1.1,2.2,2.2.1"],
    ["AD_HOC_USER APP_USER", "2.2,2.2.1"]
  ]
}

/** The words of an enum in a version; undefined when anything is taken. */
export const wordsOf = (name: string, version: StrangerVersion): ReadonlyArray<string> | undefined => {
  const words = tables[name]?.filter(([, span]) => isIn(version, span)).flatMap(([some]) => some.split(" "))
  return words === undefined || words.length === 0 ? undefined : words
}
