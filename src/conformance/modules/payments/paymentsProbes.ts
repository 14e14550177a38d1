/** What a payment terminal provider posts to a CPO (mod_payments): a terminal, and a FinancialAdviceConfirmation. */

import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { keyText } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe, ProbeRequest, ProbeStep } from "../../model/Probe.ts"

const stamp = (evidence: Evidence) => dateTimeOf(Date.parse(evidence.startedAt))

/** A terminal without locations and EVSEs. */
export const testTerminal = (evidence: Evidence): JsonObject => ({
  terminal_id: `${evidence.mark}-TERMINAL`,
  customer_reference: `${evidence.mark}-CUSTOMER`,
  party_id: evidence.party.identity.partyId,
  country_code: evidence.party.identity.countryCode,
  invoice_creator: "CPO",
  reference: `${evidence.mark}-1`,
  location_ids: [],
  evse_uids: [],
  last_updated: stamp(evidence)
})

/** A confirmation of 0 EUR for an unknown authorization_reference. */
export const testConfirmation = (evidence: Evidence): JsonObject => ({
  id: `${evidence.mark}-CONFIRMATION`,
  authorization_reference: `${evidence.mark}-AUTHORIZATION`,
  total_costs: { before_taxes: 0 },
  currency: "EUR",
  eft_data: ["TERMINAL TEST", "NOTHING TAKEN"],
  capture_status_code: "FAILED",
  capture_status_message: "A test: nothing was charged",
  last_updated: stamp(evidence)
})

const lacking = (evidence: Evidence): JsonObject => {
  const { eft_data: _, ...rest } = testConfirmation(evidence)
  return { ...rest, id: `${evidence.mark}-LACKING` }
}

const request = (
  method: "GET" | "POST",
  path: ReadonlyArray<string>,
  more: Pick<ProbeRequest, "about" | "body" | "wrongOnPurpose"> = {}
): ProbeRequest => ({
  module: "payments",
  interfaceRole: "RECEIVER",
  operation: `${method} ${path[0]?.slice(0, -1)}`,
  method,
  path,
  ...more
})

const step = (id: string, send: (evidence: Evidence) => ProbeRequest): ProbeStep => ({
  id,
  act: (evidence) => ({ send: send(evidence) })
})

/** POST of a terminal and of confirmations, each followed by GET. */
export const paymentsProbes: ReadonlyArray<Probe> = [
  {
    id: "payments.terminal",
    steps: [
      step("post", (evidence) => request("POST", ["terminals"], { body: testTerminal(evidence) })),
      step("read back", (evidence) =>
        request("GET", ["terminals", keyText(testTerminal(evidence)["terminal_id"])])
      )
    ]
  },
  {
    id: "payments.confirmation",
    steps: [
      step("post", (evidence) =>
        request("POST", ["financial-advice-confirmations"], { body: testConfirmation(evidence) })
      ),
      step("read back", (evidence) =>
        request("GET", ["financial-advice-confirmations", keyText(testConfirmation(evidence)["id"])])
      ),
      step("lacking", (evidence) =>
        request("POST", ["financial-advice-confirmations"], {
          about: "without eft_data",
          body: lacking(evidence),
          wrongOnPurpose: { body: "eft_data is missing" }
        })
      )
    ]
  }
]
