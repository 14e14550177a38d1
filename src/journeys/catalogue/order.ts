/** What is ordered when a run is started, and a template as it can be ordered. */
import type { OwnerId, PartyId, RunId } from "../../../schema/Ids.ts"
import type { JourneyTemplateView } from "../../../schema/Journey.ts"
import type { PlannedScenario } from "./overrides.ts"

/** A template as it stands for a target. */
export type PlannedTemplate = Omit<JourneyTemplateView, "requiredPlan"> & { readonly requiredPlan: string }

export interface StartJourney {
  /** Of the run that is to be made; default: a new one. */
  readonly runId?: RunId
  readonly ownerId: OwnerId
  /** Party id = connection id. */
  readonly partyId: PartyId
  readonly connectionLabel: string
  /** Of a template or a pack. */
  readonly templateId: string
  readonly inputs: Readonly<Record<string, unknown>>
  /** What is to be otherwise than the template has it. */
  readonly scenario?: PlannedScenario
  readonly predecessorRunId?: RunId
}
