/** Starting, steering and taking over journey runs: the registry of run actors in this process. */
import { Context, Data, type Effect } from "effect"
import type { Role } from "../../schema/Connection.ts"
import type { OwnerId, PartyId, RunId } from "../../schema/Ids.ts"
import type { JourneyTemplateView } from "../../schema/Journey.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import type { Decision } from "../../schema/Recovery.ts"
import type { RunRow } from "../ledger/Ledger.ts"
import type { Party } from "../store/PartyStore.ts"

/** The run's present state does not take this. `kind` decides the HTTP status: 409, 422 or 400. */
export class NotAccepted extends Data.TaggedError("NotAccepted")<{
  readonly kind: "state" | "stale" | "not_offered" | "choose"
  readonly message: string
}> {}

/** A template as it stands for a target. */
export type PlannedTemplate = Omit<JourneyTemplateView, "requiredPlan"> & { readonly requiredPlan: string }

export interface StartJourney {
  readonly ownerId: OwnerId
  /** Party id = connection id. */
  readonly partyId: PartyId
  readonly connectionLabel: string
  readonly templateId: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly predecessorRunId?: RunId
}

export class JourneyRuns extends Context.Tag("journeys/JourneyRuns")<
  JourneyRuns,
  {
    /** Templates for a party (null: without a target, nothing is runnable or not; version and role filter). */
    readonly catalogue: (
      target: Party | null,
      filter: { readonly ocpiVersion?: OcpiVersion; readonly theirRole?: Role }
    ) => ReadonlyArray<PlannedTemplate>
    /** Checks `inputs` against the template's schema; NotAccepted kind `choose` says what is wrong with them. */
    readonly start: (order: StartJourney) => Effect.Effect<RunRow, NotAccepted>
    /**
     * Applies a decision that is offered now. Idempotent: the same decision with the same version again answers the
     * same result. Without a decision: the recommended option if it repeats no write, else NotAccepted `choose`.
     */
    readonly recover: (
      ownerId: OwnerId,
      runId: RunId,
      request: { readonly decision?: Decision; readonly recoveryVersion?: number }
    ) => Effect.Effect<RunRow, NotAccepted>
    readonly cancel: (ownerId: OwnerId, runId: RunId) => Effect.Effect<RunRow, NotAccepted>
  }
>() {}
