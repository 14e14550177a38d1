/** What can be run: a template, or a pack in a version. */

import type { Pack } from "../../../schema/Journey.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { ScenarioDraft } from "../../../schema/Scenario.ts"
import { nearest } from "../../findings/nearest.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { JourneyTemplate } from "../model/JourneyTemplate.ts"
import { planVersionOf, reasonsAgainst, templateById, templates } from "./catalogue.ts"
import { inputMisfits, type Misfit, misfits, overridden } from "./overrides.ts"
import { type JourneyPack, packIn, packsOf, versionsOf } from "./packs.ts"
import type { JourneyPlan } from "./plan.ts"

/** Every pack of the catalogue. */
export const packs: ReadonlyArray<JourneyPack> = packsOf(templates)

/**
 * The template of each pack in each version, composed at first use: composing wraps hundreds of rules, which every start
 * of a run would otherwise repeat. Always the same object for the same pack and version.
 */
const played = new WeakMap<JourneyPack, Map<OcpiVersion, JourneyTemplate | undefined>>()

function inVersion(pack: JourneyPack, version: OcpiVersion): JourneyTemplate | undefined {
  const known = played.get(pack) ?? new Map<OcpiVersion, JourneyTemplate | undefined>()
  played.set(pack, known)
  if (!known.has(version)) known.set(version, packIn(pack, version, templates))
  return known.get(version)
}

/** The template with that id, or the pack with that id in this version. */
export function playable(id: string, version: OcpiVersion): JourneyTemplate | undefined {
  const pack = packs.find((one) => one.id === id)
  return pack === undefined ? templateById(id) : inVersion(pack, version)
}

/** The packs for a party, or for none. */
export const plannedPacks = (
  target: Party | null,
  filter: { readonly ocpiVersion?: OcpiVersion; readonly theirRole?: Role }
): ReadonlyArray<Pack> =>
  packs.flatMap((pack) => {
    const versions = versionsOf(pack, templates)
    const version = target?.version ?? filter.ocpiVersion
    const template = inVersion(pack, version ?? versions.at(-1)!) // a pack exists in one version at least
    const newest = template ?? inVersion(pack, versions.at(-1)!)!
    if (filter.ocpiVersion !== undefined && !versions.includes(filter.ocpiVersion)) return []
    if (filter.theirRole === newest.ourRole) return []
    const reasons =
      target === null
        ? []
        : template === undefined
          ? [`It does not exist in version ${target.version}, only in ${versions.join(", ")}`]
          : reasonsAgainst(template, target)
    return [
      {
        id: pack.id,
        name: pack.name,
        description: pack.description,
        outcome: pack.outcome,
        ourRole: newest.ourRole,
        templateIds: pack.templateIds,
        supportedVersions: versions,
        planVersion: planVersionOf(newest, target),
        runnable: target !== null && reasons.length === 0,
        reasons,
        requiredPlan: newest.requiredPlan,
        expectedDurationSeconds: newest.expectedDurationSeconds,
        faults: pack.faults ?? []
      }
    ]
  })

/** Everything in a draft that does not match its template, in the version that it matches best. */
export function misfitsOf(draft: ScenarioDraft): ReadonlyArray<Misfit> {
  const candidates = versionNumbers.flatMap((version) => playable(draft.templateId, version) ?? [])
  const [least] = candidates
    .map((template) => [...misfits(template, draft), ...inputMisfits(template, draft.inputs ?? {})])
    .toSorted((a, b) => a.length - b.length)
  if (least !== undefined) return least
  const near = nearest(
    draft.templateId,
    [...templates, ...packs].map(({ id }) => id)
  )
  const meant = near === undefined ? "" : `; did you mean ${near}?`
  return [{ path: ["templateId"], message: `No journey and no pack has the id ${draft.templateId}${meant}` }]
}

/** The template of a run with its scenario's changes; undefined when this release does not have the template. */
export function templateOf(plan: JourneyPlan): JourneyTemplate | undefined {
  const template = playable(plan.templateId, plan.ocpiVersion)
  return template === undefined ? undefined : overridden(template, plan.scenario)
}
