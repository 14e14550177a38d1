/** Every fault of CDRs. */
import type { Fault } from "../Fault.ts"
import { cdrLinksFaults } from "./cdrLinks.ts"
import { cdrMoneyFaults } from "./cdrMoney.ts"
import { cdrsFaults } from "./cdrs.ts"
import { cdrWritesFaults } from "./cdrWrites.ts"
import { chargingPushesFaults } from "./chargingPushes.ts"

/** The faults of this folder, in the library's order. */
export const faultsOfCdrs: ReadonlyArray<Fault> = [
  ...cdrLinksFaults,
  ...cdrMoneyFaults,
  ...cdrWritesFaults,
  ...cdrsFaults,
  ...chargingPushesFaults
]
