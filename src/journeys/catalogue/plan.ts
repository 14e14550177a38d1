/** The plan of a run. Stored with the run and on its first line, so that the ledger alone tells what was ordered. */
import { Schema } from "effect"
import { journeyRunVersion } from "../../../machines/journeyRun.ts"
import type { JourneyRunInput } from "../../../machines/journeyRunContext.ts"
import { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { RunFacts } from "../../ledger/Ledger.ts"
import { counterpartOf, isBehindHub } from "../../party/wire/routing.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { JourneyTemplate } from "../model/JourneyTemplate.ts"
import type { RunHistory } from "../model/RunHistory.ts"
import { planVersionOf, stagePlans } from "./catalogue.ts"
import { PlannedScenario } from "./overrides.ts"

const StageAct = Schema.Literal(
  "exchange",
  "simulate",
  "await",
  "serve",
  "wait",
  "checkpoint",
  "register",
  "judge"
)

const StoredStage = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  act: StageAct,
  writes: Schema.Boolean,
  idempotent: Schema.Boolean,
  readBack: Schema.Boolean,
  optionalForLater: Schema.Boolean,
  sends: Schema.Array(Schema.String)
})

/** Everything that the run's template does not say: target, parties, inputs and the scenario's changes. */
export const JourneyPlan = Schema.Struct({
  runId: RunId,
  templateId: Schema.String,
  planVersion: Schema.String,
  machineVersion: Schema.Int,
  createdAt: Schema.String,
  ocpiVersion: OcpiVersion,
  inputs: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  us: Schema.Struct({ countryCode: Schema.String, partyId: Schema.String, name: Schema.String }),
  /** The partner's party, as far as it was known then. */
  them: Schema.optionalWith(Schema.Struct({ countryCode: Schema.String, partyId: Schema.String }), {
    exact: true
  }),
  /** All parties of the partner with its role, where its credentials name more than one. */
  theirParties: Schema.optionalWith(
    Schema.Array(Schema.Struct({ countryCode: Schema.String, partyId: Schema.String })),
    { exact: true }
  ),
  /** The partner's party is a hub. */
  throughHub: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  /** Position of the party's newest exchange when the run was ordered: earlier ones do not belong to the run. */
  inboundFrom: Schema.Int,
  /** Of runs of earlier releases: how many EVSEs of the list come after the others, so that runs open at once took different ones. */
  lane: Schema.optionalWith(Schema.Int, { exact: true }),
  stages: Schema.Array(StoredStage),
  /** The scenario's changes to the template. */
  scenario: Schema.optionalWith(PlannedScenario, { exact: true })
})
/** The plan of a run. */
export type JourneyPlan = typeof JourneyPlan.Type

/** The plan of an order. */
export const planOf = (
  template: JourneyTemplate,
  party: Party,
  order: Pick<JourneyPlan, "runId" | "createdAt" | "inputs" | "inboundFrom" | "scenario">
): JourneyPlan => ({
  ...order,
  templateId: template.id,
  planVersion: planVersionOf(template, party),
  machineVersion: journeyRunVersion,
  ocpiVersion: party.version,
  us: party.identity,
  ...themOf(party),
  stages: stagePlans(template)
})

function themOf(party: Party): Pick<JourneyPlan, "them" | "theirParties" | "throughHub"> {
  const them = counterpartOf(party)
  if (them === undefined) return {}
  const named = (party.counterpart.parties ?? []).filter(({ role }) => role === them.role)
  const ids = ({ countryCode, partyId }: typeof them) => ({ countryCode, partyId })
  return {
    them: ids(them),
    ...(named.length > 1 ? { theirParties: named.map(ids) } : {}),
    ...(isBehindHub(party) ? { throughHub: true } : {})
  }
}

/** Decodes a stored plan, once for each object; throws on one that we did not write. */
export function readPlan(stored: unknown): JourneyPlan {
  const known = plans.get(stored as object)
  if (known !== undefined) return known
  const plan = decodePlan(stored)
  plans.set(stored as object, plan)
  return plan
}

const decodePlan = Schema.decodeUnknownSync(JourneyPlan)
/** By the stored object, which is never changed in place. */
const plans = new WeakMap<object, JourneyPlan>()

/** The input of the run's machine, from the stored plan. */
export const machineInput = (facts: RunFacts): JourneyRunInput => ({ stages: readPlan(facts.plan).stages })

/** The history of a run: its plan and its events so far. */
export const historyOf = (plan: JourneyPlan, events: ReadonlyArray<LedgerEvent>): RunHistory => ({
  runId: plan.runId,
  createdAt: plan.createdAt,
  inputs: plan.inputs,
  profile: profileOf(plan.ocpiVersion),
  us: plan.us,
  them: plan.them,
  theirParties: plan.theirParties,
  throughHub: plan.throughHub,
  lane: plan.lane,
  events
})
