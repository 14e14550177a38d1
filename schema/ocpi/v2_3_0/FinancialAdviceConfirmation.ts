/** OCPI 2.3.0, document `mod_payments`. */
import { Schema } from "effect"
import { personal } from "../personal.ts"
import { Currency, ciId, nonEmptyList, optional } from "../types.ts"
import { DateTime } from "../v2_2_1/DateTime.ts"
import { TaxedPrice } from "./Price.ts"

/** CaptureStatusCode enum (mod_payments). */
const CaptureStatusCode = Schema.Literal("SUCCESS", "PARTIAL_SUCCESS", "FAILED").annotations({
  identifier: "CaptureStatusCode"
})

/** FinancialAdviceConfirmation object (mod_payments): what a payment terminal captured from the card of a driver. */
export const FinancialAdviceConfirmation = Schema.Struct({
  id: ciId(36),
  authorization_reference: ciId(36),
  total_costs: TaxedPrice,
  currency: Currency,
  /** Lines of the receipt, with the number of the card as far as it is printed. */
  eft_data: nonEmptyList(personal("receipt")(ciId(255))),
  capture_status_code: CaptureStatusCode,
  capture_status_message: optional(ciId(255)),
  last_updated: DateTime
}).annotations({ identifier: "FinancialAdviceConfirmation" })
