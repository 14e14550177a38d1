/** The changes of a scenario to a template: time limits, strengths of rules, and faults that we inject. Pure. */

import { Either, Schema, SchemaAST, Struct } from "effect"
import { issuesOf } from "../../../schema/fields/issues.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { Overrides, type ScenarioFault } from "../../../schema/Scenario.ts"
import { keyText } from "../../findings/json.ts"
import { meantOrListed } from "../../findings/nearest.ts"
import { isAnswerFault } from "../../party/inbound/faultInjection.ts"
import type { Act } from "../model/Act.ts"
import type { JourneyStage, JourneyTemplate } from "../model/JourneyTemplate.ts"

/** A scenario as the plan of a run stores it. */
export const PlannedScenario = Schema.Struct({
  id: Schema.NullOr(Schema.String),
  name: Schema.String,
  version: Schema.Int,
  ...Overrides
})
/** A scenario as the plan of a run stores it. */
export type PlannedScenario = typeof PlannedScenario.Type

type Changes = Pick<PlannedScenario, "assertions" | "faults" | "limits">

/** The template with the scenario's changes. */
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

/** Does the act send requests of ours? */
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

/** The faults that are injected into this stage's own requests. */
export const faultsAt = (stage: JourneyStage, faults: ReadonlyArray<ScenarioFault>) =>
  faults.filter(
    ({ fault, stageId }) =>
      fault === "duplicate-push" &&
      stage.writes &&
      // A write that is not idempotent is sent twice only when the scenario names its stage.
      (stageId === undefined ? stage.idempotent : stageId === stage.id)
  )

/** Something in a scenario that does not match its template; `path` leads to it. */
export interface Misfit {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

/** Everything in the changes that does not match the template; empty when all does. */
export function misfits(template: JourneyTemplate, changes: Changes): ReadonlyArray<Misfit> {
  const { assertions = {}, faults = [], limits = {} } = changes
  const stageIds = template.stages.map(({ id }) => id)
  const ruleIds = template.stages.flatMap(({ expect }) => expect.map(({ id }) => id))
  return [
    ...unknownNames("limits", Object.keys(limits), stageIds, `${template.id} has no stage`),
    ...unknownNames("assertions", Object.keys(assertions), ruleIds, `${template.id} has no assertion`),
    ...faults.flatMap((fault, index) =>
      faultMisfits(template, fault).map(({ message, path }) => ({
        path: ["faults", index, ...path],
        message
      }))
    )
  ]
}

/**
 * Everything in the inputs that the template's schema refuses, also inputs that the template does not have. `isPlanned`: the inputs are
 * from the plan of a run, whose release may have had other inputs, so that unknown ones are ignored.
 */
export const inputMisfits = (
  { id, inputs: schema }: JourneyTemplate,
  inputs: Readonly<Record<string, unknown>>,
  { isPlanned = false }: { readonly isPlanned?: boolean } = {}
): ReadonlyArray<Misfit> => {
  const known = namesIn(schema.ast)
  const unknown = isPlanned ? [] : unknownNames("inputs", Object.keys(inputs), known, `${id} has no input`)
  const given = Struct.pick(inputs, ...known)
  const onExcessProperty = isPlanned ? "ignore" : "error"
  return Either.match(Schema.decodeUnknownEither(schema, { errors: "all", onExcessProperty })(given), {
    onRight: () => unknown,
    onLeft: (error) => [
      ...unknown,
      ...issuesOf(error).map(({ message, path }) => ({
        path: ["inputs", ...path.map((part) => (typeof part === "number" ? part : keyText(part)))],
        message
      }))
    ]
  })
}

const namesIn = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).map(({ name }) => keyText(name))

/** The misfits in one line, e.g. `inputs.evseUid: is missing; limits.x: …`. */
export const misfitsInWords = (misfits: ReadonlyArray<Misfit>): string =>
  misfits.map(({ message, path }) => `${path.join(".")}: ${message}`).join("; ")

const unknownNames = (
  where: string,
  given: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
  words: string
): ReadonlyArray<Misfit> =>
  given
    .filter((id) => !known.includes(id))
    .map((id) => ({
      path: [where, id],
      message: `${words} ${JSON.stringify(id)}${known.length === 0 ? "" : meantOrListed(id, known)}`
    }))

/** The modules of all versions: a partner may call any of them. */
const modules: ReadonlyArray<string> = [
  ...new Set(versionNumbers.flatMap((version) => profileOf(version).modules))
]

function faultMisfits(template: JourneyTemplate, fault: ScenarioFault): ReadonlyArray<Misfit> {
  const answers = isAnswerFault(fault.fault)
  const belongs = {
    module: answers,
    stageId: !answers,
    seconds: fault.fault === "late-answer",
    statusCode: fault.fault === "wrong-status"
  }
  const strange = [
    ...Object.entries(belongs)
      .filter(([name, fits]) => !fits && fault[name as keyof typeof belongs] !== undefined)
      .map(([name]) => ({ path: [name], message: `the fault ${fault.fault} has no setting ${name}` })),
    ...(answers && fault.module !== undefined && !modules.includes(fault.module)
      ? [
          {
            path: ["module"],
            message: `OCPI has no module ${JSON.stringify(fault.module)}${meantOrListed(fault.module, modules)}`
          }
        ]
      : [])
  ]
  if (answers) return strange
  const writing = template.stages.filter(({ act, writes }) => writes && sends(act))
  if (fault.stageId === undefined || writing.some(({ id }) => id === fault.stageId)) return strange
  return [
    ...strange,
    {
      path: ["stageId"],
      message: `the stage ${fault.stageId} sends no write; those that do are: ${writing.map(({ id }) => id).join(", ")}`
    }
  ]
}
