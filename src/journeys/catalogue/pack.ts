/**
 * Several templates as one: a pack is one run whose stages are those of its templates, in order. Each part sees only its
 * own events, under its own ids, so that a template does not know whether it is part of a pack.
 */
import { Schema } from "effect"
import { RunId } from "../../../schema/Ids.ts"
import { isExchangeEvent, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { inPart, type JourneyStage, type JourneyTemplate, type Rule } from "../model/JourneyTemplate.ts"
import type { RunHistory } from "../model/RunHistory.ts"

/** The public facts about a pack. */
export interface PackOutline {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly outcome: string
}

/** From the history of a whole run to that of one part. */
type View = (whole: RunHistory) => RunHistory

/**
 * One template made of several, all with the same role of ours. Its inputs are an object with those of each template
 * under its id, and `waitSeconds` for all.
 */
export function composed(outline: PackOutline, members: ReadonlyArray<JourneyTemplate>): JourneyTemplate {
  const [first] = members
  if (first === undefined) throw new Error(`The pack ${outline.id} has no template`)
  const parts = members.map((template, index) => ({ template, view: viewOf(template.id, index) }))
  return {
    ...outline,
    ourRole: first.ourRole,
    supportedVersions: first.supportedVersions.filter((version) =>
      members.every(({ supportedVersions }) => supportedVersions.includes(version))
    ),
    needs: [...new Map(members.flatMap(({ needs }) => needs.map((need) => [need.join(), need]))).values()],
    requiredPlan: first.requiredPlan,
    expectedDurationSeconds: members.reduce((sum, one) => sum + one.expectedDurationSeconds, 0),
    inputs: Schema.Struct({
      ...Object.fromEntries(
        members.map(({ id, inputs }) => [id, Schema.optionalWith(inputs, { exact: true })])
      ),
      waitSeconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 86_400)), {
        exact: true
      }).annotations({
        description: "How long to wait for each message of the partner, instead of the stage's own time"
      })
    }),
    stages: parts.flatMap(({ template, view }) =>
      template.stages.map((stage) => stageOfPart(stage, template.id, view))
    ),
    parts: parts.map(({ template: { catchUp, cleanUp, id, remains }, view }) => ({
      id,
      ...told(
        { ...(cleanUp === undefined ? {} : { cleanUp }), ...(remains === undefined ? {} : { remains }) },
        view
      ),
      ...(catchUp === undefined
        ? {}
        : { catchUp: { ...told(catchUp, view), setOffBy: inPart(id) + catchUp.setOffBy } })
    }))
  }
}

/** The part's own events under its own ids, and what the partner has sent since the part began. */
function viewOf(id: string, index: number): View {
  const prefix = inPart(id)
  const known = new WeakMap<ReadonlyArray<LedgerEvent>, RunHistory>()
  const isOurs = ({ stageId }: LedgerEvent) => stageId?.startsWith(prefix) === true
  const look: View = (whole) => {
    const begin = whole.events.find(isOurs)
    const from = begin?.sequence ?? Number.POSITIVE_INFINITY
    const events = whole.events.flatMap((event): ReadonlyArray<LedgerEvent> => {
      if (event.type === "inbound.received") {
        const { stageId: _, ...rest } = event
        return event.sequence === 0 || event.sequence >= from ? [isOurs(event) ? local(event) : rest] : []
      }
      if (event.stageId !== undefined) return isOurs(event) ? [local(event)] : []
      return !isExchangeEvent(event) || event.data?.part === id ? [event] : []
    })
    const { [id]: own, waitSeconds } = whole.inputs
    return {
      ...whole,
      // Each part needs a run id of its own, because tokens and other ids are made from it.
      runId: RunId.make(`${whole.runId}${index}`),
      createdAt: begin?.occurredAt ?? whole.createdAt,
      inputs: {
        ...(waitSeconds === undefined ? {} : { waitSeconds }),
        ...(typeof own === "object" && own !== null ? own : {})
      },
      events
    }
  }
  const local = (event: LedgerEvent): LedgerEvent => ({
    ...event,
    stageId: (event.stageId ?? "").slice(prefix.length)
  })
  return (whole) => {
    const seen = known.get(whole.events)
    if (seen !== undefined) return seen
    const seenNow = look(whole)
    known.set(whole.events, seenNow)
    return seenNow
  }
}

function stageOfPart(stage: JourneyStage, part: string, view: View): JourneyStage {
  const prefix = inPart(part)
  const { setOffBy } = stage
  return {
    ...told(stage, view),
    id: prefix + stage.id,
    part,
    act: told(stage.act, view),
    expect: stage.expect.map((rule) => ruleOfPart(rule, prefix, view)),
    ...(stage.catchUp === undefined ? {} : { catchUp: told(stage.catchUp, view) }),
    ...(setOffBy === undefined ? {} : { setOffBy: (history) => prefix + setOffBy(view(history)) })
  }
}

function ruleOfPart(rule: Rule, prefix: string, view: View): Rule {
  const { setOffBy } = rule
  return {
    ...told(rule, view),
    id: prefix + rule.id,
    ...(setOffBy === undefined
      ? {}
      : {
          setOffBy: (history) => {
            const stageId = setOffBy(view(history))
            return stageId === undefined ? undefined : prefix + stageId
          }
        })
  }
}

/** The same declaration, with every function asked about the part's history. */
function told<A extends object>(declaration: A, view: View): A {
  const entries = Object.entries(declaration).map(([name, value]) => [name, toldValue(value, view)])
  // Every value keeps its type: a function of a history stays one.
  return Object.fromEntries(entries) as A
}

function toldValue(value: unknown, view: View): unknown {
  if (typeof value === "function") {
    return (...given: ReadonlyArray<unknown>) =>
      value(...given.map((one) => (isHistory(one) ? view(one) : one)))
  }
  if (Array.isArray(value)) return value.map((one) => toldValue(one, view))
  return isPlain(value) ? told(value, view) : value
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

const isHistory = (value: unknown): value is RunHistory =>
  isPlain(value) && "events" in value && "profile" in value && "runId" in value
