/** Every fault of tariffs. */
import type { Fault } from "../Fault.ts"
import { tariffPartsFaults } from "./tariffParts.ts"
import { tariffsFaults } from "./tariffs.ts"
import { tariffWritesFaults } from "./tariffWrites.ts"

/** The faults of this folder, in the library's order. */
export const faultsOfTariffs: ReadonlyArray<Fault> = [
  ...tariffPartsFaults,
  ...tariffWritesFaults,
  ...tariffsFaults
]
