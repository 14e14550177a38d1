/** Which runs change a registration: our tokens are others afterwards, or there are none. */

import { Effect } from "effect"
import { risksAskedFor, type Selection, selected } from "../../conformance/catalogue/selection.ts"
import { isFirstRegistration, suiteById } from "../../conformance/catalogue/suites.ts"
import type { PlannedTemplate } from "../../journeys/catalogue/order.ts"
import { JourneyRuns } from "../../journeys/JourneyRuns.ts"
import type { RunFacts } from "../../ledger/Ledger.ts"

/** Does a journey with these stages? By our own request, or by what the partner is to do. */
export const stagesChange = (stages: PlannedTemplate["stages"]): boolean =>
  stages.some(({ actor, module, writes }) => module === "credentials" && (writes || actor === "partner"))

/** Is it the partner that is to renew the registration? */
export const partnerRenews = ({ begins, stages }: Pick<PlannedTemplate, "begins" | "stages">): boolean =>
  begins === undefined && stages.some(({ actor, module }) => module === "credentials" && actor === "partner")

/** Does a run of that suite, of which these checks that are a risk are graded? */
const risksChange = (suiteId: string, risks: ReadonlyArray<unknown>): boolean =>
  isFirstRegistration(suiteId) ||
  (suiteById(suiteId)?.checks ?? []).some(({ id, module }) => module === "credentials" && risks.includes(id))

/** Does a run of that suite with this selection? */
export const suiteChanges = (suiteId: string, selection: Selection): boolean =>
  risksChange(suiteId, risksAskedFor(selected(suiteById(suiteId)?.checks ?? [], selection), selection))

/** Asked of a run as it was ordered. */
export const makeRunChanges = Effect.map(JourneyRuns, (journeys) => ({ kind, plan, subjectId }: RunFacts) => {
  if (kind === "conformance") {
    const { risks } = plan
    return risksChange(subjectId, Array.isArray(risks) ? risks : [])
  }
  return journeys.catalogue(null, {}).some(({ id, stages }) => id === subjectId && stagesChange(stages))
})
