/**
 * OCPI 2.3.0 adds open enums, taxes listed one by one, parking places and the payments module. Payments are exchanged
 * between a payment terminal provider (PTP) and a CPO; we play no PTP. The version number does not tell the edition: 2.3.0
 * is the core, since edition 2 with Invoice Reconciliation, and Payments and Bookings are documents of their own.
 */
import type { VersionProfile } from "../VersionProfile.ts"
import { CDR } from "../v2_3_0/Cdr.ts"
import { ClientInfo } from "../v2_3_0/ClientInfo.ts"
import { ReserveNow, StartSession } from "../v2_3_0/Command.ts"
import { Connector } from "../v2_3_0/Connector.ts"
import { Credentials } from "../v2_3_0/Credentials.ts"
import { EVSE } from "../v2_3_0/Evse.ts"
import { FinancialAdviceConfirmation } from "../v2_3_0/FinancialAdviceConfirmation.ts"
import { Location } from "../v2_3_0/Location.ts"
import { Session } from "../v2_3_0/Session.ts"
import { Tariff } from "../v2_3_0/Tariff.ts"
import { Terminal } from "../v2_3_0/Terminal.ts"
import { AuthorizationInfo, Token } from "../v2_3_0/Token.ts"
import { v2_2_1 } from "./v2_2_1.ts"

/** OCPI 2.3.0 as a CPO or an EMSP speaks it. */
export const v2_3_0: VersionProfile = {
  ...v2_2_1,
  version: "2.3.0",
  rank: 4,
  openEnums: true,
  hub: "hub_party_id",
  price: "before_taxes",
  priceLimitGross: "after_taxes",
  tariffTax: "tax_included",
  parkingPlaces: true,
  modules: [...v2_2_1.modules, "payments"],
  otherModules: [
    { identifier: "invoicereconciliation", name: "Invoice Reconciliation", edition: "2.3.0 edition 2" },
    { identifier: "Booking", name: "Bookings", edition: "2.3.0 with Bookings 1.0 or 1.1" }
  ],
  interfaces: {
    ...v2_2_1.interfaces,
    CPO: [...v2_2_1.interfaces.CPO, ["payments", "RECEIVER"]]
  },
  objects: {
    ...v2_2_1.objects,
    Credentials,
    Location,
    EVSE,
    Connector,
    Session,
    CDR,
    Tariff,
    Token,
    AuthorizationInfo,
    START_SESSION: StartSession,
    RESERVE_NOW: ReserveNow,
    ClientInfo,
    Terminal,
    FinancialAdviceConfirmation
  }
}
