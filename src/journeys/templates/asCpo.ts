/** The templates in which we are the CPO. */
import type { JourneyTemplate } from "../JourneyTemplate.ts"
import { partnerStarts } from "./partnerStarts.ts"
import { playSession } from "./playSession.ts"
import { pushLocation } from "./pushLocation.ts"
import { pushTariff } from "./pushTariff.ts"

export const cpoTemplates: ReadonlyArray<JourneyTemplate> = [
  playSession,
  pushLocation,
  pushTariff,
  partnerStarts
]
