import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import type { JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { startSession } from "../../stages/asEmsp/commands/remoteControl.ts"
import {
  answeredSomehow,
  nothingStarts,
  refusal,
  stopsUnanswered
} from "../../stages/asEmsp/nothingStarts.ts"
import { pushToken, readLocations } from "../../stages/asEmsp/preparation.ts"
import { forACharge } from "../../stages/asEmsp/templateDefaults.ts"
import { chosenPlace } from "../../stages/charge/place.ts"

/** An EVSE uid that no partner has. */
const noEvse = "PF-NO-SUCH-EVSE"

// It uses no EVSE: those that other runs have are as good as any.
const { looksForEvse: _, ...readAnyLocation } = readLocations([])

/** START_SESSION for an EVSE that does not exist: the partner must refuse it. We are the EMSP. */
export const startRejected: JourneyTemplate = {
  ...forACharge,
  id: "start-rejected",
  packs: ["go-live"],
  name: "Start rejected",
  description:
    "START_SESSION names an EVSE that the location does not have; the partner must refuse it, in its answer or by its result.",
  outcome: "The partner refused the command, and started no session.",
  supportedVersions: versionNumbers,
  expectedDurationSeconds: 45,
  stages: [
    readAnyLocation,
    pushToken,
    {
      ...startSession({
        placed: (history) => {
          const place = chosenPlace(history, [])
          return "none" in place ? place : { ...place, evseUid: noEvse, connectorId: undefined }
        },
        expect: answeredSomehow
      }),
      stopsIf: stopsUnanswered
    },
    refusal,
    nothingStarts(15)
  ]
}
