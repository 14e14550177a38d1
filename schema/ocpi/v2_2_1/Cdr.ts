/** OCPI 2.2.1, document `mod_cdrs`. */

import { Schema } from "effect"
import { dateTimeForms, unknownTime } from "../DateTime.ts"
import { personal } from "../personal.ts"
import {
  bool,
  Country,
  CountryCode,
  Currency,
  ciId,
  ciString,
  int,
  list,
  nonEmptyList,
  num,
  ocpiDateTime,
  ocpiString,
  optional,
  PartyCode
} from "../types.ts"
import { AuthMethod, CdrToken, ChargingPeriod } from "./ChargingPeriod.ts"
import { ConnectorFormat, ConnectorType, PowerType } from "./Connector.ts"
import { DateTime } from "./DateTime.ts"
import { GeoLocation } from "./GeoLocation.ts"
import { Price } from "./Price.ts"
import { Tariff } from "./Tariff.ts"

/** Fields of the CdrLocation class; 2.2 and 2.3.0 spread them. */
export const cdrLocationFields = {
  id: ciId(36),
  name: optional(ocpiString(255)),
  /** The table allows 45 characters, the Location that this is copied from 255: we accept the larger. */
  address: ocpiString(255),
  city: ocpiString(45),
  postal_code: optional(ocpiString(10)),
  /** Likewise: 20 in the table, 45 in the Location. */
  state: optional(ocpiString(45)),
  country: Country,
  coordinates: GeoLocation,
  evse_uid: ciId(36),
  evse_id: ciId(48),
  connector_id: ciId(36),
  connector_standard: ConnectorType,
  connector_format: ConnectorFormat,
  connector_power_type: PowerType
}

/** CdrLocation class (mod_cdrs): the place of charging, copied out of the Location, the EVSE and the Connector. */
const CdrLocation = Schema.Struct(cdrLocationFields).annotations({ identifier: "CdrLocation" })

/** SignedValue class (mod_cdrs): one meter value, plain and signed. */
const SignedValue = Schema.Struct({
  nature: ciString(32),
  /** Personal: signed meter values usually name the card that was used. */
  plain_data: personal("signed")(ocpiString(5000)),
  signed_data: personal("signed")(ocpiString(5000))
}).annotations({ identifier: "SignedValue" })

/** Fields of the SignedData class; 2.2 spreads them. */
export const signedDataFields = {
  encoding_method: ciString(36),
  encoding_method_version: optional(int),
  public_key: optional(ocpiString(512)),
  signed_values: nonEmptyList(SignedValue),
  url: optional(ocpiString(512))
}

/** SignedData class (mod_cdrs): signed meter values for calibration law. */
const SignedData = Schema.Struct(signedDataFields).annotations({ identifier: "SignedData" })

/** Start or end of a CDR: a DateTime, or the text for a time that is not known (mod_cdrs, CDR Object, note). */
const TimeOfCdr = ocpiDateTime(dateTimeForms.fractions, unknownTime)

/** Fields of the CDR object; 2.2 and 2.3.0 spread them. */
export const cdrFields = {
  country_code: CountryCode,
  party_id: PartyCode,
  /** 39: a Credit CDR may carry the first id with a suffix. */
  id: ciId(39),
  start_date_time: TimeOfCdr,
  end_date_time: TimeOfCdr,
  session_id: optional(ciString(36)),
  cdr_token: CdrToken,
  auth_method: AuthMethod,
  authorization_reference: optional(ciString(36)),
  cdr_location: CdrLocation,
  meter_id: optional(ocpiString(255)),
  currency: Currency,
  tariffs: list(Tariff),
  charging_periods: nonEmptyList(ChargingPeriod),
  signed_data: optional(SignedData),
  total_cost: Price,
  total_fixed_cost: optional(Price),
  total_energy: num,
  total_energy_cost: optional(Price),
  total_time: num,
  total_time_cost: optional(Price),
  total_parking_time: optional(num),
  total_parking_cost: optional(Price),
  total_reservation_cost: optional(Price),
  remark: optional(ocpiString(255)),
  invoice_reference_id: optional(ciString(39)),
  credit: optional(bool),
  credit_reference_id: optional(ciString(39)),
  home_charging_compensation: optional(bool),
  last_updated: DateTime
}

/** CDR object (mod_cdrs): a Credit CDR (`credit` is true) must name the CDR that it takes back. */
export const creditRule = (cdr: {
  readonly credit?: boolean | null | undefined
  readonly credit_reference_id?: string | null | undefined
}) =>
  cdr.credit === true && cdr.credit_reference_id == null
    ? { path: ["credit_reference_id"], message: "is missing, though credit is true" }
    : undefined

/** CDR object (mod_cdrs): energy in kWh, times in hours, costs with and without VAT. */
export const CDR = Schema.Struct(cdrFields).pipe(Schema.filter(creditRule)).annotations({ identifier: "CDR" })
