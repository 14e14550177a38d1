/**
 * OCPI 2.3.0 adds open enums, taxes listed one by one, parking places and the payments module. Payments are exchanged
 * between a payment terminal provider (PTP) and a CPO; we play no PTP. The version number does not tell the edition: 2.3.0
 * is the core, since edition 2 with Invoice Reconciliation, and Payments and Bookings are documents of their own.
 */
import type { VersionProfile } from "../VersionProfile.ts"
import { v2_2_1 } from "../v2_2_1/profile.ts"
import { CDR } from "./Cdr.ts"
import { ClientInfo } from "./ClientInfo.ts"
import { ReserveNow, StartSession } from "./Command.ts"
import { Connector } from "./Connector.ts"
import { Credentials } from "./Credentials.ts"
import { EVSE } from "./Evse.ts"
import { FinancialAdviceConfirmation } from "./FinancialAdviceConfirmation.ts"
import { Location } from "./Location.ts"
import { Session } from "./Session.ts"
import { Tariff } from "./Tariff.ts"
import { Terminal } from "./Terminal.ts"
import { AuthorizationInfo, Token } from "./Token.ts"

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
