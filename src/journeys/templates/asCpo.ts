/** The templates in which we are the CPO. */
import type { JourneyTemplate } from "../JourneyTemplate.ts"
import { playSession } from "./playSession.ts"

export const cpoTemplates: ReadonlyArray<JourneyTemplate> = [playSession]
