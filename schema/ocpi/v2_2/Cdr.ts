/** OCPI 2.2, document `mod_cdrs`. */

import { Schema } from "effect"
import { personal } from "../personal.ts"
import { ciString, nonEmptyList, ocpiString, optional } from "../types.ts"
import { cdrFields, cdrLocationFields, creditRule, signedDataFields } from "../v2_2_1/Cdr.ts"
import { ConnectorType, PowerType } from "./Connector.ts"
import { CdrToken } from "./Session.ts"

const { state: _, ...stateless } = cdrLocationFields

/**
 * CdrLocation class (mod_cdrs): `postal_code` is required, there is no `state`, and addresses have at most 45
 * characters.
 */
const CdrLocation = Schema.Struct({
  ...stateless,
  address: ocpiString(45),
  postal_code: ocpiString(10),
  connector_standard: ConnectorType,
  connector_power_type: PowerType
}).annotations({ identifier: "CdrLocation" })

/** SignedValue class (mod_cdrs): values of at most 512 characters; 5000 from 2.2.1 on. */
const SignedValue = Schema.Struct({
  nature: ciString(32),
  plain_data: personal("signed")(ciString(512)),
  signed_data: personal("signed")(ciString(512))
}).annotations({ identifier: "SignedValue" })

/** SignedData class (mod_cdrs): signed meter values for calibration law. */
const SignedData = Schema.Struct({
  ...signedDataFields,
  public_key: optional(ciString(512)),
  signed_values: nonEmptyList(SignedValue),
  url: optional(ciString(512))
}).annotations({ identifier: "SignedData" })

const { home_charging_compensation: __, ...withoutHome } = cdrFields

/** CDR object (mod_cdrs): has no `home_charging_compensation`. */
export const CDR = Schema.Struct({
  ...withoutHome,
  cdr_token: CdrToken,
  cdr_location: CdrLocation,
  signed_data: optional(SignedData)
})
  .pipe(Schema.filter(creditRule))
  .annotations({ identifier: "CDR" })
