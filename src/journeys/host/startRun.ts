/** Accepts an order for a journey: checks it, plans it, and records the run's first event. */
import { Effect, Option, Schema } from "effect"
import { connectionOf, type ReportId, type RunId } from "../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { newId } from "../../database/newId.ts"
import { Ledger, type RunFacts } from "../../ledger/Ledger.ts"
import { RunLogs } from "../../ledger/run/RunLog.ts"
import { beginFaultInjection } from "../../party/inbound/faultInjection.ts"
import { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { planVersionOf, reasonsAgainst } from "../catalogue/catalogue.ts"
import { dryRun } from "../catalogue/dryRun.ts"
import type { StartJourney } from "../catalogue/order.ts"
import { inputMisfits, misfits, misfitsInWords, overridden } from "../catalogue/overrides.ts"
import { type JourneyPlan, planOf } from "../catalogue/plan.ts"
import { playable } from "../catalogue/playable.ts"
import type { JourneyTemplate } from "../model/JourneyTemplate.ts"
import { waitSeconds } from "../model/waitSeconds.ts"
import { NotAccepted } from "../NotAccepted.ts"
import { journeyKind } from "../recovery/journeyKind.ts"
import { orDown } from "./journeyHost.ts"

/** A dry run of a journey. `target` null: without a connection, in `ocpiVersion` or the newest version that has the journey. */
export interface Rehearsing extends Pick<StartJourney, "inputs" | "scenario" | "templateId"> {
  readonly target: Party | null
  readonly ocpiVersion?: OcpiVersion
}

/**
 * The functions `order`, `rehearse` and `runnable`; they fail with `NotAccepted` if the order does not fit the
 * connection.
 */
export const makeStartRun = Effect.gen(function* () {
  const ledger = yield* Ledger
  const logs = yield* RunLogs
  const store = yield* PartyStore
  const calls = yield* PartnerCalls

  /** The template and the party, if the template can run for the party. */
  const runnable = Effect.fnUntraced(function* ({
    partyId,
    scenario,
    templateId
  }: Pick<StartJourney, "partyId" | "templateId" | "scenario">) {
    const party = yield* store.find(partyId)
    const template = Option.isNone(party) ? undefined : playable(templateId, party.value.version)
    if (template === undefined || Option.isNone(party)) {
      const missing = Option.isNone(party)
        ? `connection ${partyId}`
        : `journey ${templateId} for OCPI ${party.value.version}`
      return yield* new NotAccepted({ kind: "not_offered", message: `There is no ${missing}` })
    }
    const reasons = reasonsAgainst(template, party.value)
    if (reasons.length > 0) {
      return yield* new NotAccepted({ kind: "not_offered", message: reasons.join("; ") })
    }
    const wrong = misfits(template, scenario ?? {})
    if (wrong.length > 0) {
      return yield* new NotAccepted({ kind: "not_offered", message: misfitsInWords(wrong) })
    }
    return { template: overridden(template, scenario), party: party.value }
  })

  const inputsOf = (
    template: JourneyTemplate,
    { inputs, predecessorRunId }: Pick<StartJourney, "inputs" | "predecessorRunId">
  ) => {
    const wrong = inputMisfits(template, inputs, { isPlanned: predecessorRunId !== undefined })
    return wrong.length > 0
      ? new NotAccepted({ kind: "choose", message: misfitsInWords(wrong) })
      : // What the schema decodes is an object: every template's inputs are a struct.
        Effect.sync(() => Schema.decodeUnknownSync(template.inputs)(inputs) as StartJourney["inputs"])
  }

  /** What the run would do, without sending anything. */
  const rehearse = Effect.fnUntraced(function* (wanted: Rehearsing) {
    const version = wanted.target?.version ?? wanted.ocpiVersion
    const template =
      version === undefined
        ? versionNumbers.flatMap((one) => playable(wanted.templateId, one) ?? []).at(-1)
        : playable(wanted.templateId, version)
    if (template === undefined) {
      const message = `There is no journey ${wanted.templateId}${version === undefined ? "" : ` for OCPI ${version}`}`
      return yield* new NotAccepted({ kind: "not_offered", message })
    }
    const wrong = misfits(template, wanted.scenario ?? {})
    if (wrong.length > 0) return yield* new NotAccepted({ kind: "choose", message: misfitsInWords(wrong) })
    const inputs = yield* inputsOf(template, wanted)
    const { scenario } = wanted
    const planVersion = planVersionOf(template, wanted.target)
    const rehearsal = { template: overridden(template, scenario), planVersion, inputs, scenario }
    return yield* Effect.provideService(dryRun(rehearsal, wanted.target), PartnerCalls, calls)
  })

  /** Creates the run; this process then holds it, and its machine requests `begin`. */
  const order = Effect.fnUntraced(function* (wanted: StartJourney, id?: RunId) {
    const { party, template } = yield* runnable(wanted)
    const inputs = yield* inputsOf(template, wanted)
    const runId = id ?? ((yield* newId("run")) as RunId)
    const createdAt = yield* ledger.now
    const inboundFrom = yield* store.head(party.id)
    const plan = planOf(template, party, {
      runId,
      createdAt,
      inputs,
      inboundFrom,
      ...(wanted.scenario === undefined ? {} : { scenario: wanted.scenario })
    })
    const facts: RunFacts = {
      runId,
      reportId: (yield* newId("report")) as ReportId,
      ownerId: wanted.ownerId,
      kind: "journey",
      connectionId: connectionOf(party.id),
      connectionLabel: wanted.connectionLabel,
      ocpiVersion: party.version,
      subjectId: template.id,
      plan,
      predecessorRunId: wanted.predecessorRunId ?? null,
      createdAt
    }
    // Before the run exists, so that the scenario's faults apply to our answers from its first instant.
    yield* beginFaultInjection(party.id, runId, plan.scenario?.faults ?? [], longestEnd(template, plan)).pipe(
      Effect.provideService(PartyStore, store)
    )
    return yield* orDown(
      logs.create(journeyKind, facts, [
        {
          type: "run.created",
          key: "run/created",
          data: { stages: plan.stages.map((stage) => stage.id), templateId: template.id, plan }
        }
      ])
    )
  })

  return { order, rehearse, runnable }
})

/** The fault injection of a run ends so long after its longest possible end, in case the run is lost for good. */
const graceSeconds = 3600

function longestEnd({ stages }: JourneyTemplate, { createdAt, inputs }: JourneyPlan): string {
  const seconds = stages.reduce(
    (sum, stage) => sum + waitSeconds({ inputs }, stage.timeoutSeconds),
    graceSeconds
  )
  return new Date(Date.parse(createdAt) + seconds * 1000).toISOString()
}
