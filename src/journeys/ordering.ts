/** Accepting an order for a journey: checks it, plans it, and writes the first line. */
import { Effect, Option, ParseResult, Schema } from "effect"
import type { ConnectionId, ReportId, RunId } from "../../schema/Ids.ts"
import { Ledger, type RunFacts } from "../ledger/Ledger.ts"
import { RunLogs } from "../ledger/RunLog.ts"
import { newId } from "../store/newId.ts"
import { PartyStore } from "../store/PartyStore.ts"
import { reasonsAgainst, templateById } from "./catalogue.ts"
import type { StartJourney } from "./JourneyRuns.ts"
import { NotAccepted } from "./NotAccepted.ts"
import { planOf } from "./plan.ts"
import { orDown } from "./RunRoster.ts"
import { journeyKind } from "./recovery.ts"

export const makeOrdering = Effect.gen(function* () {
  const ledger = yield* Ledger
  const logs = yield* RunLogs
  const store = yield* PartyStore

  /** The template and the party, when the one can run for the other. */
  const runnable = Effect.fnUntraced(function* ({
    partyId,
    templateId
  }: Pick<StartJourney, "partyId" | "templateId">) {
    const template = templateById(templateId)
    const party = yield* store.find(partyId)
    if (template === undefined || Option.isNone(party)) {
      const missing = template === undefined ? `template ${templateId}` : `connection ${partyId}`
      return yield* new NotAccepted({ kind: "not_offered", message: `There is no ${missing}` })
    }
    const reasons = reasonsAgainst(template, party.value)
    if (reasons.length > 0) {
      return yield* new NotAccepted({ kind: "not_offered", message: reasons.join("; ") })
    }
    return { template, party: party.value }
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
      inboundFrom
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
