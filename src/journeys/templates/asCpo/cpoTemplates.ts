import type { JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { authorizeToken } from "./authorizeToken.ts"
import { chargingPreferences } from "./chargingPreferences.ts"
import { partnerReads } from "./partnerReads.ts"
import { partnerStarts } from "./partnerStarts.ts"
import { playSession } from "./playSession.ts"
import { pushLocation } from "./pushLocation.ts"
import { pushTariff } from "./pushTariff.ts"
import { tokenPush } from "./tokenPush.ts"
import { tokenSync } from "./tokenSync.ts"

/** The templates in which we are the CPO. */
export const cpoTemplates: ReadonlyArray<JourneyTemplate> = [
  playSession,
  pushLocation,
  pushTariff,
  partnerStarts,
  authorizeToken,
  tokenSync,
  tokenPush,
  partnerReads,
  chargingPreferences
]
