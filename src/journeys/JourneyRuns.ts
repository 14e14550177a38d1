/** Starts, controls and takes over journey runs: the registry of run actors in this process. */
import { Context, Effect, Layer, Option } from "effect"
import { type OwnerId, partyOf, type RunId } from "../../schema/Ids.ts"
import type { Pack } from "../../schema/Journey.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../schema/ocpi/Role.ts"
import type { Decision } from "../../schema/Recovery.ts"
import type { DryRun, ScenarioDraft } from "../../schema/Scenario.ts"
import { Ledger, type RunFacts, type RunRow } from "../ledger/Ledger.ts"
import type { NotStopped } from "../runs/stopRun.ts"
import { sweepRuns } from "../runs/sweep.ts"
import type { Party } from "../store/parties/Party.ts"
import { traced } from "../telemetry/traced.ts"
import type { RunServices } from "./actor/RunContext.ts"
import { plannedTemplates } from "./catalogue/catalogue.ts"
import type { PlannedTemplate, StartJourney } from "./catalogue/order.ts"
import type { Misfit } from "./catalogue/overrides.ts"
import { readPlan } from "./catalogue/plan.ts"
import { misfitsOf, plannedPacks } from "./catalogue/playable.ts"
import { type JourneyHost, makeJourneyHost, orDown } from "./host/journeyHost.ts"
import { makeRunControls } from "./host/runControls.ts"
import { makeStartRun, type Rehearsing } from "./host/startRun.ts"
import { takeOver } from "./host/takeOver.ts"
import type { NotAccepted } from "./NotAccepted.ts"
import { journeyKind } from "./recovery/journeyKind.ts"

/** The journey runs, and what can be started. */
export class JourneyRuns extends Context.Tag("journeys/JourneyRuns")<
  JourneyRuns,
  {
    /**
     * The templates for a party. Null: without a target, so nothing says what is runnable. `filter`: by version and the
     * partner's role.
     */
    readonly catalogue: (
      target: Party | null,
      filter: { readonly ocpiVersion?: OcpiVersion; readonly theirRole?: Role }
    ) => ReadonlyArray<PlannedTemplate>
    /** The packs for a party, or for none. */
    readonly packs: (
      target: Party | null,
      filter: { readonly ocpiVersion?: OcpiVersion; readonly theirRole?: Role }
    ) => ReadonlyArray<Pack>
    /** Everything in a scenario that does not match its template; empty when all does. */
    readonly misfits: (draft: ScenarioDraft) => ReadonlyArray<Misfit>
    /** What a run would do, stage by stage. Nothing is sent. */
    readonly dryRun: (wanted: Rehearsing) => Effect.Effect<DryRun, NotAccepted>
    /**
     * Starts a run. Fails with NotAccepted; kind `choose`: `inputs` do not match the template's schema, and the message
     * says where.
     */
    readonly start: (order: StartJourney) => Effect.Effect<RunRow, NotAccepted>
    /**
     * Applies a decision that is offered now. Idempotent: the same decision with the same version returns the same
     * result. Without a decision: applies the recommended one if it repeats no write, else fails with NotAccepted
     * `choose`.
     */
    readonly recover: (
      ownerId: OwnerId,
      runId: RunId,
      request: { readonly decision?: Decision; readonly recoveryVersion?: number }
    ) => Effect.Effect<RunRow, NotAccepted>
    /**
     * Answers the checkpoint of a waiting stage. NotAccepted `state`: no stage asks; `choose`: the answer is none of the
     * offered ones.
     */
    readonly answer: (
      ownerId: OwnerId,
      runId: RunId,
      attested: { readonly answer: string; readonly note?: string }
    ) => Effect.Effect<RunRow, NotAccepted>
    /** Stops the run at the next safe point, whichever process works on it, or none; then it cleans up. */
    readonly cancel: (ownerId: OwnerId, runId: RunId) => Effect.Effect<RunRow, NotStopped>
  }
>() {
  /**
   * `leaseSeconds`: the ledger's lease term; runs without an owner are searched every second, and at least ten times
   * within the term. `publicUrl`: where we are reached from outside.
   */
  static readonly layer = (options: { readonly leaseSeconds: number; readonly publicUrl: string }) =>
    Layer.scoped(
      JourneyRuns,
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const { order, rehearse, runnable } = yield* makeStartRun

        const orderOf = (facts: RunFacts): StartJourney => {
          const plan = readPlan(facts.plan)
          return {
            ownerId: facts.ownerId,
            partyId: partyOf(facts.connectionId),
            connectionLabel: facts.connectionLabel,
            templateId: facts.subjectId,
            inputs: plan.inputs,
            ...(plan.scenario === undefined ? {} : { scenario: plan.scenario }),
            predecessorRunId: facts.runId
          }
        }

        const startSuccessor: RunServices["startSuccessor"] = Effect.fnUntraced(
          function* (facts, successorRunId) {
            const runId = successorRunId as RunId // `newId` made it when the restart was decided
            if (Option.isNone(yield* orDown(ledger.run(facts.ownerId, runId)))) {
              const { actions, log } = yield* order(orderOf(facts), runId)
              yield* host.launch(log, actions, "new")
            }
            return undefined
            // The successor can be refused, for what the run or its partner has done meanwhile.
          },
          Effect.catchTag("NotAccepted", ({ message }) => Effect.succeed(message))
        )
        const host: JourneyHost = yield* makeJourneyHost({ ...options, startSuccessor })
        const { answer, cancel, recover } = yield* makeRunControls(host, {
          leaseSeconds: options.leaseSeconds,
          mayRestart: (row) => Effect.asVoid(runnable(orderOf(row.facts)))
        })

        const start = traced("JourneyRuns.start")(function* (wanted: StartJourney) {
          const { actions, log } = yield* order(wanted, wanted.runId)
          const row = log.row()
          yield* host.launch(log, actions, "new")
          return row
        })

        yield* sweepRuns({
          kind: journeyKind,
          leaseSeconds: options.leaseSeconds,
          onClaimed: (log, row) => takeOver(host, log, row)
        })
        return JourneyRuns.of({
          catalogue: plannedTemplates,
          packs: plannedPacks,
          misfits: misfitsOf,
          dryRun: rehearse,
          start,
          recover,
          answer,
          cancel
        })
      })
    )
}
