/**
 * Journeys in which a driver shows a card at the partner's charge point, and the partner asks us for authorization. We
 * are the EMSP.
 */
import { Schema } from "effect"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import type { Act } from "../../model/Act.ts"
import type { JourneyStage, JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { cdrPushed, everythingAgrees } from "../../stages/asEmsp/billing.ts"
import { type AuthorizationVerdict, askedFirst, authorize, offerToken } from "../../stages/asEmsp/card.ts"
import { sessionActive, sessionCompleted, sessionUpdates } from "../../stages/asEmsp/chargeStages.ts"
import { nothingStarts } from "../../stages/asEmsp/nothingStarts.ts"
import { catchUpOnSession } from "../../stages/charge/catchUps.ts"
import { authorizationsOf, tokenStays } from "../../stages/charge/driver.ts"
import { OcpiId, waitFields } from "../../stages/charge/inputs.ts"
import { stopOurSession } from "../../stages/charge/readBacks.ts"

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
      description: "uid of a card that you have; default: one invented for the run"
    })
  }),
  cleanUp: stopOurSession,
  remains: tokenStays,
  catchUp: { ...catchUpOnSession, setOffBy: "offer-token" }
} satisfies Partial<JourneyTemplate>

/** The act, which goes on after a push that we refused: the end of the charge may be far. */
function untilDriverEnds({ act }: JourneyStage): Act {
  if (act.act !== "await") return act
  const { isSentOnce: _, ...rest } = act
  return rest
}

/** Stage `session-completed` with more time, because a person ends the charge. */
const completed: JourneyStage = {
  ...sessionCompleted,
  act: untilDriverEnds(sessionCompleted),
  timeoutSeconds: 900,
  description:
    "The driver shows the card again, or pulls the cable; the partner pushes the session as COMPLETED."
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
  outcome: "The partner asked us, and started no session.",
  expectedDurationSeconds: 60,
  stages: [
    offerToken(verdict),
    authorize,
    nothingStarts(20, {
      although: "we had not allowed the card",
      // That the partner has not asked is a rule of the stage in which the card is shown.
      unless: (history) =>
        authorizationsOf(history).length === 0
          ? "The partner sent no POST authorize for the card"
          : undefined,
      title: "The partner starts no session for a card that we did not allow",
      reference: "mod_tokens, AllowedType enum",
      checkId: "JRN-001"
    })
  ]
})

/** These journeys, in the order of the catalogue. */
export const cardJourneys: ReadonlyArray<JourneyTemplate> = [
  {
    ...ground,
    id: "rfid-allowed",
    packs: ["go-live"],
    name: "RFID card, allowed",
    description: "A driver shows a card; the partner asks us, we allow the card, and the driver charges.",
    outcome:
      "The partner asked before the session, the session names our authorization, and the CDR agrees with the session.",
    expectedDurationSeconds: 180,
    stages: charging("ALLOWED")
  },
  denied("rfid-blocked", "BLOCKED", {
    name: "RFID card, blocked",
    packs: ["go-live"],
    description: "A driver shows a card; the partner asks us, and we answer BLOCKED."
  }),
  denied("rfid-expired", "EXPIRED", {
    name: "RFID card, expired",
    description: "A driver shows a card; the partner asks us, and we answer EXPIRED."
  }),
  denied("rfid-no-credit", "NO_CREDIT", {
    name: "RFID card, no credit",
    description: "A driver shows a card; the partner asks us, and we answer NO_CREDIT."
  }),
  denied("rfid-unknown", "unknown", {
    name: "RFID card, unknown",
    description:
      "A driver shows a card that the partner still lists; the partner asks us, and we answer that the card is unknown."
  }),
  {
    ...ground,
    id: "rfid-offline",
    packs: ["resilience"],
    name: "RFID card, offline whitelist",
    description:
      "A driver shows a card that may charge while we cannot be reached; the partner asks us, and we answer HTTP 503.",
    outcome: "The partner asked us, allowed the card by its own list, and billed the session.",
    expectedDurationSeconds: 180,
    stages: charging("outOfReach")
  }
]
