/** The order of a run, and a template as it can be ordered. */
import type { OwnerId, PartyId, RunId } from "../../../schema/Ids.ts"
import type { JourneyTemplateView } from "../../../schema/Journey.ts"
import type { PlannedScenario } from "./overrides.ts"

/** A template as the catalogue shows it for a target. */
export type PlannedTemplate = Omit<JourneyTemplateView, "requiredPlan"> & { readonly requiredPlan: string }

/** The order of a run. */
export interface StartJourney {
  /** The id of the run; default: a new one. */
  readonly runId?: RunId
  readonly ownerId: OwnerId
  /** Party id = connection id. */
  readonly partyId: PartyId
  readonly connectionLabel: string
  /** Id of a template or a pack. */
  readonly templateId: string
  readonly inputs: Readonly<Record<string, unknown>>
  /** Changes to the template. */
  readonly scenario?: PlannedScenario
  readonly predecessorRunId?: RunId
}
