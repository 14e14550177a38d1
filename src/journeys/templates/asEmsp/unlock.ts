import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import type { JourneyTemplate } from "../../model/JourneyTemplate.ts"
import {
  awaitResult,
  claimsEvse,
  commandAct,
  refused,
  unplaced
} from "../../stages/asEmsp/commands/commandResult.ts"
import { commandRules } from "../../stages/asEmsp/commands/commandRules.ts"
import { readLocations } from "../../stages/asEmsp/preparation.ts"
import { PlaceInputs } from "../../stages/charge/inputs.ts"
import { chosenPlace } from "../../stages/charge/place.ts"
import { readsPlaceAgain } from "../../stages/charge/takenBack.ts"

const needed = ["UNLOCK_CAPABLE"]

/** Our support unlocks a connector in which a driver's cable is stuck. We are the EMSP. */
export const unlock: JourneyTemplate = {
  id: "unlock",
  name: "Unlock a connector",
  description:
    "Sends UNLOCK_CONNECTOR for a connector of a free EVSE, and waits for the charge point's result.",
  outcome: "The partner accepted the command, and the charge point unlocked the connector.",
  ourRole: "EMSP",
  supportedVersions: versionNumbers,
  needs: [
    ["locations", "SENDER"],
    ["commands", "RECEIVER"]
  ],
  requiredPlan: "integrate",
  expectedDurationSeconds: 30,
  inputs: PlaceInputs,
  stages: [
    readLocations(needed),
    {
      id: "unlock",
      name: "Unlock the connector",
      actor: "us",
      module: "commands",
      description: "Send UNLOCK_CONNECTOR for the chosen connector.",
      timeoutSeconds: 30,
      act: commandAct("UNLOCK_CONNECTOR", (history, responseUrl) => {
        const place = chosenPlace(history, needed)
        if ("none" in place) return unplaced(place)
        const { connectorId, evseUid, locationId } = place
        return connectorId === undefined
          ? { unmet: `EVSE ${evseUid} names no connector` }
          : {
              response_url: responseUrl,
              location_id: locationId,
              evse_uid: evseUid,
              connector_id: connectorId
            }
      }),
      writes: true,
      // Unlocking twice has the same effect as once.
      idempotent: true,
      optionalForLater: false,
      ...claimsEvse(needed),
      expect: commandRules("unlock"),
      readsAgain: (history) => readsPlaceAgain(history, "unlock"),
      stopsIf: refused("unlock")
    },
    awaitResult("unlock-result", "unlock", "The unlocking's result")
  ]
}
