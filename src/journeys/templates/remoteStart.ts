/** A driver starts a session from our app, charges, and stops it from our app. We are the EMSP. */
import { Schema } from "effect"
import { v2_2_1 } from "../../../schema/ocpi/v2_2_1/profile.ts"
import { since } from "../../../schema/ocpi/versions.ts"
import type { JourneyTemplate } from "../JourneyTemplate.ts"
import { catchUpOnSession } from "./remoteStartCatchUp.ts"
import { stopOurSession } from "./remoteStartReadBack.ts"
import { remoteStartStages } from "./remoteStartStages.ts"

const OcpiId = Schema.NonEmptyString.pipe(Schema.maxLength(36))

const Inputs = Schema.Struct({
  locationId: Schema.optionalWith(OcpiId, { exact: true }).annotations({
    description: "Location to charge at; default: the first with a free EVSE that can be started remotely"
  }),
  evseUid: Schema.optionalWith(OcpiId, { exact: true }).annotations({ description: "EVSE to charge at" }),
  connectorId: Schema.optionalWith(OcpiId, { exact: true }).annotations({ description: "Connector to use" }),
  waitSeconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 86_400)), { exact: true }).annotations({
    description: "How long to wait for each message of the partner, instead of the stage's own time"
  })
})

export const remoteStart: JourneyTemplate = {
  id: "remote-start",
  name: "Remote start, charge, remote stop",
  description:
    "A driver starts a session from our app, charges and stops it from our app; every message of the partner is graded.",
  outcome: "One session ran from START_SESSION to COMPLETED, and one CDR for it is here that agrees with it.",
  ourRole: "EMSP",
  supportedVersions: since(v2_2_1.version),
  needs: [
    ["locations", "SENDER"],
    ["tokens", "RECEIVER"],
    ["commands", "RECEIVER"],
    ["sessions", "SENDER"]
  ],
  requiredPlan: "integrate",
  expectedDurationSeconds: 120,
  inputs: Inputs,
  stages: remoteStartStages,
  cleanUp: stopOurSession,
  catchUp: { ...catchUpOnSession, setOffBy: "start-session" }
}
