/** What can be played: a template, or a pack as it is in a version. */

import type { Pack } from "../../../schema/Journey.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { ScenarioDraft } from "../../../schema/Scenario.ts"
import type { Party } from "../../store/parties/PartyStore.ts"
import type { JourneyTemplate } from "../model/JourneyTemplate.ts"
import { planVersionOf, reasonsAgainst, templateById, templates } from "./catalogue.ts"
import { inputMisfits, type Misfit, misfits, overridden } from "./overrides.ts"
import { type JourneyPack, packIn, packsOf, versionsOf } from "./packs.ts"
import type { JourneyPlan } from "./plan.ts"

/** Every pack of the catalogue. */
export const packs: ReadonlyArray<JourneyPack> = packsOf(templates)

/**
 * What each pack plays in each version, composed when it is first asked for: hundreds of rules are wrapped then, which
 * every start of a run would pay again. Always the same for the same pack and version.
 */
const played = new WeakMap<JourneyPack, Map<OcpiVersion, JourneyTemplate | undefined>>()

function inVersion(pack: JourneyPack, version: OcpiVersion): JourneyTemplate | undefined {
  const known = played.get(pack) ?? new Map<OcpiVersion, JourneyTemplate | undefined>()
  played.set(pack, known)
  if (!known.has(version)) known.set(version, packIn(pack, version, templates))
  return known.get(version)
}

/** The template with that id, or what the pack with that id plays in this version. */
export function playable(id: string, version: OcpiVersion): JourneyTemplate | undefined {
  const pack = packs.find((one) => one.id === id)
  return pack === undefined ? templateById(id) : inVersion(pack, version)
}

/** Packs for a party, or as they are in general. */
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
          ? [`Nothing of it exists in version ${target.version}; it is for ${versions.join(", ")}`]
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

/** Everything in a draft that does not fit what it names, in the version that it fits best. */
export function misfitsOf(draft: ScenarioDraft): ReadonlyArray<Misfit> {
  const candidates = versionNumbers.flatMap((version) => playable(draft.templateId, version) ?? [])
  const [least] = candidates
    .map((template) => [...misfits(template, draft), ...inputMisfits(template, draft.inputs ?? {})])
    .toSorted((a, b) => a.length - b.length)
  return least ?? [{ path: ["templateId"], message: `There is no journey and no pack ${draft.templateId}` }]
}

/** The template of a run, as its scenario has it; undefined when this release does not know it. */
export function templateOf(plan: JourneyPlan): JourneyTemplate | undefined {
  const template = playable(plan.templateId, plan.ocpiVersion)
  return template === undefined ? undefined : overridden(template, plan.scenario)
}
