/** Every fault of tokens and their authorization. */
import type { Fault } from "../Fault.ts"
import { authorizeFaults } from "./authorize.ts"
import { shownCardsFaults } from "./shownCards.ts"
import { tokensFaults } from "./tokens.ts"
import { tokenWritesFaults } from "./tokenWrites.ts"

/** The faults of this folder, in the library's order. */
export const faultsOfTokens: ReadonlyArray<Fault> = [
  ...authorizeFaults,
  ...shownCardsFaults,
  ...tokenWritesFaults,
  ...tokensFaults
]
