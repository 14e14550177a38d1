import type { Tables, Words } from "../../../support/ocpi/examples.ts"
import { tables as newer, words as newerWords } from "../v2_2_1/tables.ts"

const { country_code: __, party_id: ___, ...cdrToken } = newer["CdrToken"]!
const { state: ____, ...cdrLocation } = newer["CdrLocation"]!
const { home_charging_compensation: _____, ...cdr } = newer["CDR"]!
const { connector_id: ______, ...startSession } = newer["START_SESSION"]!

/** The tables of the 2.2 text: those of 2.2.1 but for what is named here. */
export const tables: Tables = {
  ...newer,
  Location: { ...newer["Location"], address: "1 s45", state: "? s20" },
  CdrToken: cdrToken,
  CdrLocation: { ...cdrLocation, address: "1 s45", postal_code: "1 s10" },
  SignedValue: { nature: "1 ci32", plain_data: "1 ci512", signed_data: "1 ci512" },
  SignedData: { ...newer["SignedData"], public_key: "? ci512", url: "? ci512" },
  CDR: cdr,
  START_SESSION: startSession
}

export const words: Words = {
  ...newerWords,
  "Connector.standard": "PANTOGRAPH_TOP_DOWN",
  "Connector.power_type": "AC_3_PHASE",
  "EVSE.capabilities": "TOKEN_GROUP_CAPABLE",
  "CdrLocation.connector_standard": "CHADEMO"
}

/** Words that only later versions have. */
export const laterWords: Readonly<Record<string, ReadonlyArray<string>>> = {
  "Connector.standard": ["CHAOJI", "DOMESTIC_M", "GBT_AC", "NEMA_14_50", "MCS"],
  "Connector.power_type": ["AC_2_PHASE", "AC_2_PHASE_SPLIT"],
  "EVSE.capabilities": ["START_SESSION_CONNECTOR_REQUIRED"],
  "EVSE.parking_restrictions": ["TENANTS"],
  "CdrLocation.connector_standard": ["GBT_DC"],
  "CdrLocation.connector_power_type": ["AC_2_PHASE"],
  "Token.type": ["EMAID"]
}
