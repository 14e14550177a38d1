/** What every template has in which a driver of ours charges at the partner's. */
import type { JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { catchUpOnSession } from "../charge/catchUps.ts"
import { tokenStays } from "../charge/driver.ts"
import { PlaceInputs } from "../charge/inputs.ts"
import { stopOurSession } from "../charge/readBacks.ts"

/** A charge that our commands begin and end. */
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
