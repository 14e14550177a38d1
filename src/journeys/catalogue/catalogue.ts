/** All journey templates, and how each fits a target. */
import { createHash } from "node:crypto"
import { JSONSchema } from "effect"
import type { StagePlan } from "../../../machines/journeyRunContext.ts"
import type { Stage } from "../../../schema/Journey.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { withArticle } from "../../findings/words.ts"
import { endpointNamed, endpointOf } from "../../party/outbound/endpoints.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { Act } from "../model/Act.ts"
import type { Beginning, JourneyStage, JourneyTemplate } from "../model/JourneyTemplate.ts"
import { cpoTemplates } from "../templates/asCpo/cpoTemplates.ts"
import { chargesLookedAt } from "../templates/asEmsp/afterwards.ts"
import { cardJourneys } from "../templates/asEmsp/cards.ts"
import { firstReads } from "../templates/asEmsp/firstReads.ts"
import { remoteStart } from "../templates/asEmsp/remoteStart.ts"
import { reserveAndCancel, reserveAndExpire, reserveAndUse } from "../templates/asEmsp/reservations.ts"
import { startRejected } from "../templates/asEmsp/startRejected.ts"
import { startTimeout } from "../templates/asEmsp/startTimeout.ts"
import { syncAfterAbsence } from "../templates/asEmsp/syncAfterAbsence.ts"
import { unlock } from "../templates/asEmsp/unlock.ts"
import { registrationTemplates } from "../templates/registration/registrations.ts"
import type { PlannedTemplate } from "./order.ts"

/** All templates, in the order in which the catalogue lists them. */
export const templates: ReadonlyArray<JourneyTemplate> = [
  remoteStart,
  firstReads,
  startRejected,
  startTimeout,
  unlock,
  reserveAndUse,
  reserveAndCancel,
  reserveAndExpire,
  ...cardJourneys,
  ...chargesLookedAt,
  syncAfterAbsence,
  ...cpoTemplates,
  ...registrationTemplates
]

/** The template with that id; undefined when there is none. Packs are in `playable.ts`. */
export const templateById = (id: string): JourneyTemplate | undefined =>
  templates.find((template) => template.id === id)

/** The facts about the stages that the machine needs. */
export const stagePlans = (template: JourneyTemplate): ReadonlyArray<StagePlan> =>
  template.stages.map(({ act, id, idempotent, name, optionalForLater, writes }) => ({
    id,
    name,
    act: act.act,
    writes,
    idempotent,
    readBack: canReadBack(act),
    optionalForLater,
    sends: sendsOf(act)
  }))

/** Can every write of the act be read back at the partner? */
function canReadBack(act: Act): boolean {
  if (act.act === "simulate") return act.steps.every(({ readBack }) => readBack !== undefined)
  return (act.act === "exchange" || act.act === "register") && act.readBack !== undefined
}

function sendsOf(act: Act): ReadonlyArray<string> {
  if (act.act === "exchange" || act.act === "register") return [act.sends]
  if (act.act === "simulate") return act.steps.map(({ sends }) => sends)
  return act.act === "serve" && act.result !== undefined ? [`POST ${act.command} result`] : []
}

/** Why the template cannot run for this party; empty when it can. What a partner of another kind lacks is no reason of its own. */
export function reasonsAgainst(template: JourneyTemplate, target: Party): ReadonlyArray<string> {
  const unfit = unfitFor(template, target)
  if (unfit.length > 0) return unfit
  return template.begins === undefined ? missingFor(template, target) : misplacedFor(template.begins, target)
}

function unfitFor(template: JourneyTemplate, target: Party): ReadonlyArray<string> {
  return [
    ...(target.role === template.ourRole
      ? []
      : [
          // Of two roles the one that we do not have is the partner's.
          `The journey is for a partner that is ${withArticle(target.role)}; this one is ${withArticle(template.ourRole)}`
        ]),
    ...(target.hub === undefined
      ? []
      : [
          "We are a hub in this connection, and a journey is between two parties: make a connection without hub"
        ]),
    ...(template.supportedVersions.includes(target.version)
      ? []
      : [`Version ${target.version} is not among ${template.supportedVersions.join(", ")}`])
  ]
}

function missingFor({ needs }: JourneyTemplate, target: Party): ReadonlyArray<string> {
  if (target.registration !== "registered")
    return ["The connection is not registered; run its handshake first"]
  return needs
    .filter(([module, role]) => endpointOf(target, module, role) === undefined)
    .map(([module, role]) => `The partner offers no ${endpointNamed(target.version, module, role)}`)
}

function misplacedFor(begins: Beginning, target: Party): ReadonlyArray<string> {
  if (target.registration === "registered")
    return ["The connection is already registered; create another one for a registration"]
  return begins === "invited" && target.invitation?.state !== "open"
    ? [
        "The partner has no invitation of ours; POST the connection's invitation, and give its token to the partner"
      ]
    : []
}

/**
 * The version of the plan: a hash that changes with the stages and rules of the template, the OCPI version and the
 * partner's endpoints.
 */
export function planVersionOf(template: JourneyTemplate, target: Party | null): string {
  const aim = JSON.stringify(target === null ? null : [target.version, target.counterpart.endpoints])
  return createHash("sha256")
    .update(`${playedText(template)},"target":${aim}}`)
    .digest("hex")
    .slice(0, 16)
}

/** Stages and rules as JSON, without the end of the object; made once for each template. */
function playedText(template: JourneyTemplate): string {
  const known = played.get(template)
  if (known !== undefined) return known
  const parts = {
    id: template.id,
    stages: stagePlans(template),
    rules: template.stages.flatMap(({ expect }) => expect.map(({ id, strength }) => [id, strength]))
  }
  const text = JSON.stringify(parts).slice(0, -1)
  played.set(template, text)
  return text
}

const played = new WeakMap<JourneyTemplate, string>()

/** The catalogue for a target, or for none. */
export const plannedTemplates = (
  target: Party | null,
  filter: { readonly ocpiVersion?: OcpiVersion; readonly theirRole?: Role }
): ReadonlyArray<PlannedTemplate> =>
  templates
    .filter(
      ({ supportedVersions }) =>
        filter.ocpiVersion === undefined || supportedVersions.includes(filter.ocpiVersion)
    )
    .filter(({ ourRole }) => filter.theirRole === undefined || filter.theirRole !== ourRole)
    .map((template) => {
      const reasons = target === null ? [] : reasonsAgainst(template, target)
      return {
        id: template.id,
        name: template.name,
        supportedVersions: template.supportedVersions,
        ...shownOf(template),
        outcome: template.outcome,
        description: template.description,
        ourRole: template.ourRole,
        ...(template.begins === undefined ? {} : { begins: template.begins }),
        planVersion: planVersionOf(template, target),
        runnable: target !== null && reasons.length === 0,
        reasons,
        requiredPlan: template.requiredPlan,
        expectedDurationSeconds: template.expectedDurationSeconds
      }
    })

/** What the catalogue shows of a template whatever the target is, made once. */
function shownOf(template: JourneyTemplate): Pick<PlannedTemplate, "stages" | "inputs"> {
  const known = shown.get(template)
  if (known !== undefined) return known
  const made = { stages: template.stages.map(stageView), inputs: { ...JSONSchema.make(template.inputs) } }
  shown.set(template, made)
  return made
}

const shown = new WeakMap<JourneyTemplate, Pick<PlannedTemplate, "stages" | "inputs">>()

const stageView = (stage: JourneyStage): Stage => ({
  id: stage.id,
  name: stage.name,
  actor: stage.actor,
  module: stage.module,
  description: stage.description,
  writes: stage.writes,
  timeoutSeconds: stage.timeoutSeconds,
  assertions: stage.expect.map(({ id, reference, strength, title }) => ({ id, title, strength, reference }))
})
