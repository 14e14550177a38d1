/** Starting, controlling and taking over journey runs: the registry of run actors in this process. */
import { Context, Effect, Layer, Option } from "effect"
import type { OwnerId, PartyId, RunId } from "../../schema/Ids.ts"
import type { Pack } from "../../schema/Journey.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../schema/ocpi/Role.ts"
import type { Decision } from "../../schema/Recovery.ts"
import type { DryRun, ScenarioDraft } from "../../schema/Scenario.ts"
import { Ledger, type RunFacts, type RunRow } from "../ledger/Ledger.ts"
import { sweepRuns } from "../runs/sweep.ts"
import type { Party } from "../store/parties/PartyStore.ts"
import type { RunServices } from "./actor/RunContext.ts"
import { plannedTemplates } from "./catalogue/catalogue.ts"
import type { PlannedTemplate, StartJourney } from "./catalogue/order.ts"
import type { Misfit } from "./catalogue/overrides.ts"
import { readPlan } from "./catalogue/plan.ts"
import { misfitsOf, plannedPacks } from "./catalogue/playable.ts"
import { type JourneyHost, makeJourneyHost, orDown } from "./host/journeyHost.ts"
import { makeRunControls } from "./host/runControls.ts"
import { makeStartRun, type Rehearsing } from "./host/startRun.ts"
import { takeRun } from "./host/takeOver.ts"
import type { NotAccepted } from "./NotAccepted.ts"
import { journeyKind } from "./recovery/recovery.ts"

export class JourneyRuns extends Context.Tag("journeys/JourneyRuns")<
  JourneyRuns,
  {
    /** Templates for a party (null: without a target, nothing is runnable or not; version and role filter). */
    readonly catalogue: (
      target: Party | null,
      filter: { readonly ocpiVersion?: OcpiVersion; readonly theirRole?: Role }
    ) => ReadonlyArray<PlannedTemplate>
    /** Packs for a party, or in general. */
    readonly packs: (
      target: Party | null,
      filter: { readonly ocpiVersion?: OcpiVersion; readonly theirRole?: Role }
    ) => ReadonlyArray<Pack>
    /** Everything in a scenario that does not fit its template. */
    readonly misfits: (draft: ScenarioDraft) => ReadonlyArray<Misfit>
    /** What a run would do, stage by stage; nothing is sent. */
    readonly dryRun: (wanted: Rehearsing) => Effect.Effect<DryRun, NotAccepted>
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
    /** A person's word in a stage that asks for one. NotAccepted `state`: none is asked for; `choose`: not among the answers. */
    readonly answer: (
      ownerId: OwnerId,
      runId: RunId,
      attested: { readonly answer: string; readonly note?: string }
    ) => Effect.Effect<RunRow, NotAccepted>
    readonly cancel: (ownerId: OwnerId, runId: RunId) => Effect.Effect<RunRow, NotAccepted>
  }
>() {
  /**
   * `leaseSeconds`: the ledger's term; runs that nobody holds are looked for every second, and ten times within it.
   * `publicUrl`: where we are reached from outside.
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
            partyId: facts.connectionId as string as PartyId, // a party has its connection's id
            connectionLabel: facts.connectionLabel,
            templateId: facts.subjectId,
            inputs: plan.inputs,
            ...(plan.scenario === undefined ? {} : { scenario: plan.scenario }),
            predecessorRunId: facts.runId
          }
        }

        const startSuccessor: RunServices["startSuccessor"] = (facts, successorRunId) =>
          Effect.gen(function* () {
            const runId = successorRunId as RunId // made by newId when the restart was decided
            if (Option.isNone(yield* orDown(ledger.run(facts.ownerId, runId)))) {
              const { asks, log } = yield* order(orderOf(facts), runId)
              yield* host.launch(log, asks, "new")
            }
            return undefined
            // What the run has done meanwhile, or its partner, may stand against another one.
          }).pipe(Effect.catchTag("NotAccepted", ({ message }) => Effect.succeed(message)))
        const host: JourneyHost = yield* makeJourneyHost({ ...options, startSuccessor })
        const { answer, cancel, recover } = yield* makeRunControls(host, (row) =>
          Effect.asVoid(runnable(orderOf(row.facts)))
        )

        const start = Effect.fn("JourneyRuns.start")(function* (wanted: StartJourney) {
          const { asks, log } = yield* order(wanted, wanted.runId)
          const row = log.row()
          yield* host.launch(log, asks, "new")
          return row
        })

        yield* sweepRuns({
          name: "journey",
          kind: journeyKind,
          leaseSeconds: options.leaseSeconds,
          takeUp: (log, row) => takeRun(host, log, row)
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
