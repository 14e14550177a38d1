/** Defaults of templates in which our driver charges at the partner. */
import type { JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { catchUpOnSession } from "../charge/catchUps.ts"
import { tokenStays } from "../charge/driver.ts"
import { PlaceInputs } from "../charge/inputs.ts"
import { stopOurSession } from "../charge/readBacks.ts"

/** Defaults of a charge that our commands start and stop. */
export const forACharge = {
  ourRole: "EMSP",
  needs: [
    ["locations", "SENDER"],
    ["tokens", "RECEIVER"],
    ["commands", "RECEIVER"],
    ["sessions", "SENDER"]
  ],
  requiredPlan: "integrate",
  inputs: PlaceInputs,
  cleanUp: stopOurSession,
  remains: tokenStays,
  catchUp: { ...catchUpOnSession, setOffBy: "start-session" }
} satisfies Partial<JourneyTemplate>
