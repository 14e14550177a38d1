/** Lists, page by page (transport_and_format, Pagination): its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { listsOf } from "../shared/lists.ts"
import { laterProbes, laterReading } from "../shared/readings/laterReads.ts"
import { changesProbe } from "./changesProbes.ts"
import { crawlingChecks } from "./crawling.ts"
import { listedObjectsChecks } from "./listedObjects.ts"
import { movingPagesChecks } from "./movingPages.ts"
import { ourPagesChecks } from "./ourPages.ts"
import { pageLimitsChecks } from "./pageLimits.ts"
import { pagesChecks } from "./pages.ts"
import { pagingChecks } from "./paging.ts"
import { pagingProbes } from "./pagingProbes.ts"
import { windowsChecks } from "./windows.ts"

/** Lists that only grow: their objects are read again where that is judged. */
const growing: ReadonlyArray<string> = ["sessions", "cdrs"]

/** Checks of pagination, with the probes of every list that the partner serves. */
export const pagingModule: CheckModule = {
  checks: [
    ...crawlingChecks,
    ...listedObjectsChecks,
    ...movingPagesChecks,
    ...ourPagesChecks,
    ...pageLimitsChecks,
    ...pagesChecks,
    ...pagingChecks,
    ...windowsChecks
  ],
  probes: (profile, role) => [
    ...listsOf(profile, role).map(changesProbe),
    ...listsOf(profile, role)
      .filter((list) => !growing.includes(list))
      .flatMap(laterProbes),
    ...listsOf(profile, role)
      .filter((list) => list === "sessions")
      .map(laterReading),
    ...listsOf(profile, role).flatMap(pagingProbes)
  ]
}
