/** Accepting an order for a journey: checks it, plans it, and writes the first line. */
import { Effect, Option, ParseResult, Schema } from "effect"
import type { ConnectionId, ReportId, RunId } from "../../schema/Ids.ts"
import { Ledger, type RunFacts } from "../ledger/Ledger.ts"
import { RunLogs } from "../ledger/RunLog.ts"
import { beginPlaying } from "../party/playing.ts"
import { newId } from "../store/newId.ts"
import { PartyStore } from "../store/PartyStore.ts"
import { reasonsAgainst } from "./catalogue.ts"
import type { StartJourney } from "./JourneyRuns.ts"
import type { JourneyTemplate } from "./JourneyTemplate.ts"
import { NotAccepted } from "./NotAccepted.ts"
import { misfits, overridden } from "./overrides.ts"
import { type JourneyPlan, planOf } from "./plan.ts"
import { playable } from "./playable.ts"
import { orDown } from "./RunRoster.ts"
import { journeyKind } from "./recovery.ts"
import { waitSeconds } from "./waiting.ts"

export const makeOrdering = Effect.gen(function* () {
  const ledger = yield* Ledger
  const logs = yield* RunLogs
  const store = yield* PartyStore

  /** The template and the party, when the one can run for the other. */
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
      const message = wrong.map(({ message, path }) => `${path.join(".")}: ${message}`).join("; ")
      return yield* new NotAccepted({ kind: "not_offered", message })
    }
    return { template: overridden(template, scenario), party: party.value }
  })

  /** Writes `run.created`; the run is then held by this process and asks to begin. */
  const order = Effect.fnUntraced(function* (wanted: StartJourney, id?: RunId) {
    const { party, template } = yield* runnable(wanted)
    const inputs = yield* Schema.decodeUnknown(template.inputs)(wanted.inputs).pipe(
      Effect.mapError(
        (error) =>
          new NotAccepted({
            kind: "choose",
            message: ParseResult.ArrayFormatter.formatErrorSync(error)
              .map(
                ({ message, path }) => `inputs${path.map((part) => `.${String(part)}`).join("")}: ${message}`
              )
              .join("; ")
          })
      )
    )
    const runId = id ?? ((yield* newId("run")) as RunId)
    const createdAt = yield* ledger.now
    const inboundFrom = yield* store.head(party.id)
    // What the schema decoded is an object: every template's inputs are a struct.
    const plan = planOf(template, party, {
      runId,
      createdAt,
      inputs: inputs as StartJourney["inputs"],
      inboundFrom,
      ...(wanted.scenario === undefined ? {} : { scenario: wanted.scenario })
    })
    const facts: RunFacts = {
      runId,
      reportId: (yield* newId("report")) as ReportId,
      ownerId: wanted.ownerId,
      kind: "journey",
      connectionId: party.id as string as ConnectionId, // a party has its connection's id
      connectionLabel: wanted.connectionLabel,
      ocpiVersion: party.version,
      subjectId: template.id,
      plan,
      predecessorRunId: wanted.predecessorRunId ?? null,
      createdAt
    }
    // Before the run is there: from its first instant our answers are as its scenario has them.
    yield* beginPlaying(party.id, runId, plan.scenario?.faults ?? [], longestEnd(template, plan)).pipe(
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

  return { order, runnable }
})

/** Faults of a run that was lost for good must not be played for ever. */
const graceSeconds = 3600

function longestEnd({ stages }: JourneyTemplate, { createdAt, inputs }: JourneyPlan): string {
  const seconds = stages.reduce(
    (sum, stage) => sum + waitSeconds({ inputs }, stage.timeoutSeconds),
    graceSeconds
  )
  return new Date(Date.parse(createdAt) + seconds * 1000).toISOString()
}
