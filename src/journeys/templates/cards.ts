/** A driver shows a card at the partner's charge point, and the partner asks us what we think of it. We are the EMSP. */
import { Schema } from "effect"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { JourneyStage, JourneyTemplate } from "../model/JourneyTemplate.ts"
import { cdrPushed, everythingAgrees } from "../stages/asEmsp/billing.ts"
import { type AuthorizationVerdict, askedFirst, authorize, offerToken } from "../stages/asEmsp/card.ts"
import { sessionActive, sessionCompleted, sessionUpdates } from "../stages/asEmsp/chargeStages.ts"
import { nothingStarts } from "../stages/asEmsp/nothingStarts.ts"
import { catchUpOnSession } from "../stages/charge/catchUps.ts"
import { tokenStays } from "../stages/charge/driver.ts"
import { OcpiId, waitFields } from "../stages/charge/inputs.ts"
import { stopOurSession } from "../stages/charge/readBacks.ts"

const ground = {
  ourRole: "EMSP",
  supportedVersions: versionNumbers,
  needs: [
    ["tokens", "RECEIVER"],
    ["sessions", "SENDER"]
  ],
  requiredPlan: "integrate",
  inputs: Schema.Struct({
    ...waitFields,
    cardUid: Schema.optionalWith(OcpiId, { exact: true }).annotations({
      description: "uid of a card that you have at hand; default: one that is made up for the run"
    })
  }),
  cleanUp: stopOurSession,
  remains: tokenStays,
  catchUp: { ...catchUpOnSession, setOffBy: "offer-token" }
} satisfies Partial<JourneyTemplate>

/** The driver comes back in his own time. */
const completed: JourneyStage = {
  ...sessionCompleted,
  timeoutSeconds: 900,
  description:
    "The card is shown once more, or the cable is pulled; the partner pushes the session as COMPLETED."
}

const charging = (verdict: AuthorizationVerdict): ReadonlyArray<JourneyStage> => [
  offerToken(verdict),
  authorize,
  sessionActive,
  sessionUpdates,
  completed,
  cdrPushed,
  askedFirst,
  everythingAgrees
]

const denied = (
  id: string,
  verdict: AuthorizationVerdict,
  words: Pick<JourneyTemplate, "name" | "description" | "packs">
): JourneyTemplate => ({
  ...ground,
  id,
  ...words,
  outcome: "The partner asked us, and let nobody charge.",
  expectedDurationSeconds: 60,
  stages: [
    offerToken(verdict),
    authorize,
    nothingStarts(20, {
      title: "A card that is not allowed starts no session",
      reference: "mod_tokens, AllowedType enum",
      checkId: "JRN-001"
    })
  ]
})

export const cardJourneys: ReadonlyArray<JourneyTemplate> = [
  {
    ...ground,
    id: "rfid-allowed",
    packs: ["go-live"],
    name: "RFID card, allowed",
    description: "A driver shows a card; the partner asks us, we allow it, and the driver charges.",
    outcome: "The partner asked first, the session names our authorization, and its CDR agrees with it.",
    expectedDurationSeconds: 180,
    stages: charging("ALLOWED")
  },
  denied("rfid-blocked", "BLOCKED", {
    name: "RFID card, blocked",
    packs: ["go-live"],
    description: "A driver shows a card; the partner asks us, and we say that it is blocked."
  }),
  denied("rfid-expired", "EXPIRED", {
    name: "RFID card, expired",
    description: "A driver shows a card; the partner asks us, and we say that it has expired."
  }),
  denied("rfid-no-credit", "NO_CREDIT", {
    name: "RFID card, no credit",
    description: "A driver shows a card; the partner asks us, and we say that there is not enough credit."
  }),
  denied("rfid-unknown", "unknown", {
    name: "RFID card, unknown",
    description: "A driver shows a card that the partner still lists; it asks us, and we know no such card."
  }),
  {
    ...ground,
    id: "rfid-offline",
    packs: ["resilience"],
    name: "RFID card, offline whitelist",
    description:
      "A driver shows a card that may charge when we cannot be reached; the partner asks, and gets HTTP 503 for an answer.",
    outcome: "The partner tried to ask us, let the driver charge by its own list, and billed the session.",
    expectedDurationSeconds: 180,
    stages: charging("outOfReach")
  }
]
