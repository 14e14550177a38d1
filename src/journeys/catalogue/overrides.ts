/** What a scenario changes about a template: time limits, how assertions count, and the faults that we play. Pure. */
import { Either, Schema } from "effect"
import { issuesOf } from "../../../schema/fields/issues.ts"
import { Overrides, type ScenarioFault } from "../../../schema/Scenario.ts"
import { isAnswerFault } from "../../party/inbound/faultInjection.ts"
import type { Act } from "../model/Act.ts"
import type { JourneyStage, JourneyTemplate } from "../model/JourneyTemplate.ts"

/** As the plan of a run keeps it. */
export const PlannedScenario = Schema.Struct({
  id: Schema.NullOr(Schema.String),
  name: Schema.String,
  version: Schema.Int,
  ...Overrides
})
export type PlannedScenario = typeof PlannedScenario.Type

type Changes = Pick<PlannedScenario, "assertions" | "faults" | "limits">

/** The template as the scenario has it. */
export const overridden = (template: JourneyTemplate, changes: Changes | undefined): JourneyTemplate =>
  changes === undefined
    ? template
    : { ...template, stages: template.stages.map((stage) => changedStage(stage, changes)) }

function changedStage(stage: JourneyStage, { assertions = {}, limits = {} }: Changes): JourneyStage {
  const seconds = limits[stage.id]
  const limited = seconds === undefined ? stage : limitedTo(stage, seconds)
  return {
    ...limited,
    expect: stage.expect.flatMap((rule) => {
      const strength = assertions[rule.id] ?? rule.strength
      return strength === "off" ? [] : [{ ...rule, strength }]
    })
  }
}

/** Has the stage requests of ours? */
const sends = ({ act }: Act): boolean => act === "exchange" || act === "simulate"

function limitedTo(stage: JourneyStage, seconds: number): JourneyStage {
  const limited = { ...stage, timeoutSeconds: seconds }
  const { act } = stage
  if (act.act === "await" || act.act === "serve" || act.act === "wait") {
    return { ...limited, act: { ...act, seconds: () => seconds } }
  }
  if (act.act !== "exchange") return limited
  return {
    ...limited,
    act: {
      ...act,
      call: (...given) => {
        const built = act.call(...given)
        return "unmet" in built ? built : { ...built, timeoutMillis: seconds * 1000 }
      }
    }
  }
}

/** Faults with which this stage's own request is bent. */
export const faultsAt = (stage: JourneyStage, faults: ReadonlyArray<ScenarioFault>) =>
  faults.filter(
    ({ fault, stageId }) =>
      fault === "duplicate-push" &&
      stage.writes &&
      // What may not be sent twice is sent twice only when it is named.
      (stageId === undefined ? stage.idempotent : stageId === stage.id)
  )

/** What in a scenario does not fit its template; `path` leads to it. */
export interface Misfit {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

/** Everything that does not fit; empty when all does. */
export function misfits(template: JourneyTemplate, changes: Changes): ReadonlyArray<Misfit> {
  const { assertions = {}, faults = [], limits = {} } = changes
  const stageIds = template.stages.map(({ id }) => id)
  const ruleIds = template.stages.flatMap(({ expect }) => expect.map(({ id }) => id))
  return [
    ...strangers("limits", Object.keys(limits), stageIds, `${template.id} has no stage`),
    ...strangers("assertions", Object.keys(assertions), ruleIds, `${template.id} has no assertion`),
    ...faults.flatMap((fault, index) =>
      faultMisfits(template, fault).map(({ message, path }) => ({
        path: ["faults", index, ...path],
        message
      }))
    )
  ]
}

/** What is wrong with inputs, by the template's schema. */
export const inputMisfits = (
  { inputs: schema }: JourneyTemplate,
  inputs: Readonly<Record<string, unknown>>
): ReadonlyArray<Misfit> =>
  Either.match(Schema.decodeUnknownEither(schema, { errors: "all" })(inputs), {
    onRight: () => [],
    onLeft: (error) =>
      issuesOf(error).map(({ message, path }) => ({
        path: ["inputs", ...path.map((part) => (typeof part === "number" ? part : String(part)))],
        message
      }))
  })

/** In words, e.g. `inputs.evseUid: is missing; limits.x: …`. */
export const misfitsInWords = (misfits: ReadonlyArray<Misfit>): string =>
  misfits.map(({ message, path }) => `${path.join(".")}: ${message}`).join("; ")

const strangers = (
  where: string,
  given: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
  words: string
): ReadonlyArray<Misfit> =>
  given
    .filter((id) => !known.includes(id))
    .map((id) => ({
      path: [where, id],
      message: `${words} ${JSON.stringify(id)}; there are: ${known.join(", ")}`
    }))

function faultMisfits(template: JourneyTemplate, fault: ScenarioFault): ReadonlyArray<Misfit> {
  const answers = isAnswerFault(fault.fault)
  const belongs = {
    module: answers,
    stageId: !answers,
    seconds: fault.fault === "late-answer",
    statusCode: fault.fault === "wrong-status"
  }
  const strange = Object.entries(belongs)
    .filter(([name, fits]) => !fits && fault[name as keyof typeof belongs] !== undefined)
    .map(([name]) => ({ path: [name], message: `${name} means nothing to ${fault.fault}` }))
  if (answers) return strange
  const writing = template.stages.filter(({ act, writes }) => writes && sends(act))
  if (fault.stageId === undefined || writing.some(({ id }) => id === fault.stageId)) return strange
  return [
    ...strange,
    {
      path: ["stageId"],
      message: `${fault.stageId} is no stage that sends a write; there are: ${writing.map(({ id }) => id).join(", ")}`
    }
  ]
}
