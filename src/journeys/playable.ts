/** What can be played: a template, or a pack as it is in a version. */
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { templateById, templates } from "./catalogue.ts"
import type { JourneyTemplate } from "./JourneyTemplate.ts"
import { overridden } from "./overrides.ts"
import { type JourneyPack, packIn, packsOf } from "./packs.ts"
import type { JourneyPlan } from "./plan.ts"

/** Every pack of the catalogue. */
export const packs: ReadonlyArray<JourneyPack> = packsOf(templates)

/** The template with that id, or what the pack with that id plays in this version. */
export function playable(id: string, version: OcpiVersion): JourneyTemplate | undefined {
  const pack = packs.find((one) => one.id === id)
  return pack === undefined ? templateById(id) : packIn(pack, version, templates)
}

/** The template of a run, as its scenario has it; undefined when this release does not know it. */
export function templateOf(plan: JourneyPlan): JourneyTemplate | undefined {
  const template = playable(plan.templateId, plan.ocpiVersion)
  return template === undefined ? undefined : overridden(template, plan.scenario)
}
