/** A dry run: what a run would do, stage by stage. Nothing is sent, and nothing is stored. */
import { Effect, Either } from "effect"
import { RunId } from "../../../schema/Ids.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { DryRun, PlannedStage } from "../../../schema/Scenario.ts"
import type { OcpiCall } from "../../ocpi/OcpiClient.ts"
import { isAnswerFault } from "../../party/inbound/faultInjection.ts"
import { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import { nowIso } from "../../party/wire/instants.ts"
import type { Party } from "../../store/parties/Party.ts"
import { traced } from "../../telemetry/traced.ts"
import type { Act, Call, Unmet } from "../model/Act.ts"
import type { JourneyStage, JourneyTemplate } from "../model/JourneyTemplate.ts"
import type { RunHistory } from "../model/RunHistory.ts"
import { waitSeconds } from "../model/waitSeconds.ts"
import { reasonsAgainst } from "./catalogue.ts"
import { faultsAt, type PlannedScenario } from "./overrides.ts"

/** The run id in a dry run; no run has it. */
const noRun = RunId.make("run_00000000000000000000000000000000")
/** Stands for a response_url, which is made only when the request is. */
const later = "made-when-it-is-sent"

/** What is to be run dry. */
interface Rehearsal {
  /** The template with the scenario's changes. */
  readonly template: JourneyTemplate
  readonly planVersion: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly scenario: PlannedScenario | undefined
}

/** The stages and requests of a run. `target` null: only what is known without a target. */
export const dryRun = traced("journeys.dryRun")(function* (
  { inputs, planVersion, scenario, template }: Rehearsal,
  target: Party | null
) {
  const now = yield* nowIso
  const faults = scenario?.faults ?? []
  const stages: Array<PlannedStage> = []
  for (const stage of template.stages) {
    const planned = target === null ? noTarget : yield* requestOf(stage, target, inputs, now)
    stages.push({
      id: stage.id,
      name: stage.name,
      actor: stage.actor,
      does: inWords(stage.act),
      writes: stage.writes,
      timeoutSeconds: limitOf(stage, inputs),
      ...(isSent(stage.act) ? planned : { request: null, dependsOn: null }),
      assertions: stage.expect.map(({ id, strength }) => ({ id, strength })),
      faults: faultsAt(stage, faults).map(({ fault }) => fault)
    })
  }
  const reasons = target === null ? [noConnection] : reasonsAgainst(template, target)
  const answer: DryRun = {
    templateId: template.id,
    runnable: reasons.length === 0,
    reasons,
    planVersion,
    stages,
    faults: faults.filter(({ fault }) => isAnswerFault(fault))
  }
  return answer
})

/** For how long the run would wait, in seconds: where somebody has to act, the input `waitSeconds` takes precedence. */
const limitOf = ({ actor, timeoutSeconds }: JourneyStage, inputs: Rehearsal["inputs"]): number =>
  actor === "partner" || actor === "operator" ? waitSeconds({ inputs }, timeoutSeconds) : timeoutSeconds

type Planned = Pick<PlannedStage, "dependsOn" | "request">

/** A sandbox partner is made when a run starts, so a dry run has none. */
const noConnection = "No connection was named: the requests are known once there is a partner to send them to"

const noTarget: Planned = { request: null, dependsOn: noConnection }

const requestOf = Effect.fnUntraced(function* (
  stage: JourneyStage,
  target: Party,
  inputs: Rehearsal["inputs"],
  now: string
) {
  const history: RunHistory = {
    runId: noRun,
    createdAt: now,
    inputs,
    profile: profileOf(target.version),
    us: target.identity,
    events: []
  }
  const built = builtWith(stage.act, history, now)
  if (built === undefined || "unmet" in built) {
    return { request: null, dependsOn: "What earlier stages bring" } satisfies Planned
  }
  const calls = yield* PartnerCalls
  const prepared = yield* Effect.either(calls.prepare(target, { ...built, exchangeId: noRun }))
  return Either.match(prepared, {
    onLeft: ({ message }): Planned => ({ request: null, dependsOn: message }),
    onRight: ({ body, method, url }: OcpiCall): Planned => ({
      request: { method, url, ...(body === undefined ? {} : { body }) },
      dependsOn: null
    })
  })
})

/** The request of the act; undefined when it depends on answers that only a real run has. */
function builtWith(act: Act, history: RunHistory, now: string): Call | Unmet | undefined {
  try {
    if (act.act === "exchange") return act.call(history, act.command === undefined ? "" : later, now)
    return act.act === "simulate" ? act.steps[0]?.call(history, now) : undefined
  } catch {
    return undefined
  }
}

const isSent = ({ act }: Act): boolean => act === "exchange" || act === "simulate" || act === "register"

function inWords(act: Act): string {
  switch (act.act) {
    case "exchange":
    case "register":
      return act.sends
    case "simulate":
      return act.steps.map(({ sends }) => sends).join(", ")
    case "serve":
      return `Answers ${act.command}`
    case "await":
      return "Waits for the partner"
    case "wait":
      return "Lets time pass"
    case "checkpoint":
      return "Asks a person"
    case "judge":
      return "Judges what was recorded"
  }
}
