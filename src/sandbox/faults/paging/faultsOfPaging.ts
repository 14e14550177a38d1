/** Every fault of lists, page by page. */
import type { Fault } from "../Fault.ts"
import { pagesFaults } from "./pages.ts"
import { pagingFaults } from "./paging.ts"
import { windowsFaults } from "./windows.ts"

/** The faults of this folder, in the library's order. */
export const faultsOfPaging: ReadonlyArray<Fault> = [...pagesFaults, ...pagingFaults, ...windowsFaults]
