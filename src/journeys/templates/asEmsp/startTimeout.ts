import { Schema } from "effect"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { cardWishes } from "../../../party/simulation/chargePoint/scriptedCards.ts"
import type { JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { awaitResult, refused } from "../../stages/asEmsp/commands/commandResult.ts"
import { commandRules } from "../../stages/asEmsp/commands/commandRules.ts"
import { forRemoteStart, startSession } from "../../stages/asEmsp/commands/remoteControl.ts"
import { nothingStarts } from "../../stages/asEmsp/nothingStarts.ts"
import { readLocations, tokenPush } from "../../stages/asEmsp/preparation.ts"
import { forACharge } from "../../stages/asEmsp/templateDefaults.ts"
import { appDriver } from "../../stages/charge/driver.ts"
import { placeFields, waitFields } from "../../stages/charge/inputs.ts"

const driver = { ...appDriver, visualNumber: cardWishes.unplugged }
const result = awaitResult("start-result", "start-session", "The start's result")

/** A driver starts from our app and never plugs in. We are the EMSP. */
export const startTimeout: JourneyTemplate = {
  ...forACharge,
  id: "start-timeout",
  packs: ["resilience"],
  name: "Start time-out",
  description:
    "The partner accepts START_SESSION, and nobody plugs in: it must post the result, and start no session late.",
  outcome:
    "The partner posted the result of the start, and started no session after a result that it had failed.",
  supportedVersions: versionNumbers,
  expectedDurationSeconds: 120,
  inputs: Schema.Struct({
    ...placeFields,
    ...waitFields,
    lateSeconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 3600)), { exact: true }).annotations({
      description: "Seconds to wait for a session that starts late; default: 60"
    })
  }),
  stages: [
    readLocations(forRemoteStart),
    tokenPush(driver),
    { ...startSession({ driver, expect: commandRules("start-session") }), stopsIf: refused("start-session") },
    {
      ...withoutStop(),
      description: "Nobody plugs in; the partner posts the charge point's result.",
      // The partner decides whether a start without a plug is a success or a failure.
      expect: result.expect.filter(({ id }) => id !== "start-result.accepted")
    },
    nothingStarts(60)
  ]
}

/** The result does not end this run, whatever it is. */
function withoutStop() {
  const { stopsIf: _, ...stage } = result
  return stage
}
