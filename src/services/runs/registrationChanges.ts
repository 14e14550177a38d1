/** Which runs change a registration, so that our tokens are different ones afterwards, or none. */

import { Effect, Schema } from "effect"
import { SuitePlan } from "../../../schema/ledger/SuitePlan.ts"
import { risksAskedFor, type Selection, selected } from "../../conformance/catalogue/selection.ts"
import { isFirstRegistration, suiteById } from "../../conformance/catalogue/suites.ts"
import type { PlannedTemplate } from "../../journeys/catalogue/order.ts"
import { JourneyRuns } from "../../journeys/JourneyRuns.ts"
import type { RunFacts } from "../../ledger/Ledger.ts"

/** Whether a journey with these stages changes the registration, by our requests or by those of the partner. */
export const stagesChange = (stages: PlannedTemplate["stages"]): boolean =>
  stages.some(({ actor, module, writes }) => module === "credentials" && (writes || actor === "partner"))

/** Whether the journey waits for the partner to renew an existing registration. */
export const partnerRenews = ({ begins, stages }: Pick<PlannedTemplate, "begins" | "stages">): boolean =>
  begins === undefined && stages.some(({ actor, module }) => module === "credentials" && actor === "partner")

/** Whether a run of the suite changes the registration when it grades these RISK checks. */
const risksChange = (suiteId: string, risks: ReadonlyArray<string>): boolean =>
  isFirstRegistration(suiteId) ||
  (suiteById(suiteId)?.checks ?? []).some(({ id, module }) => module === "credentials" && risks.includes(id))

/** Whether a run of the suite with this selection changes the registration. */
export const suiteChanges = (suiteId: string, selection: Selection): boolean =>
  risksChange(suiteId, risksAskedFor(selected(suiteById(suiteId)?.checks ?? [], selection), selection))

const risksIn = Schema.decodeUnknownSync(SuitePlan.pick("risks"))

/** Makes the function that says whether an existing run changes the registration. */
export const makeRunChanges = Effect.map(JourneyRuns, (journeys) => ({ kind, plan, subjectId }: RunFacts) => {
  if (kind === "conformance") return risksChange(subjectId, risksIn(plan).risks ?? [])
  return journeys.catalogue(null, {}).some(({ id, stages }) => id === subjectId && stagesChange(stages))
})
