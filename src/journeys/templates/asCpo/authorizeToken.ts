import { Schema } from "effect"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, keyText, objectIn, sameId } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import type { Call, Unmet } from "../../model/Act.ts"
import type { JourneyStage, JourneyTemplate, Rule, Ruling } from "../../model/JourneyTemplate.ts"
import { answerOf, dataOf, type RunHistory } from "../../model/RunHistory.ts"
import { answeredWith, misfit, noAnswerReason, ownError } from "../../model/rulings.ts"
import { freshId } from "../../stages/asCpo/ourPlace.ts"
import { pushLocation, retirePlace } from "../../stages/asCpo/ourPlaceStages.ts"
import { invalidToken, partnersToken, readTokens } from "../../stages/asCpo/partnerTokens.ts"
import { tokenFields, waitFields } from "../../stages/charge/inputs.ts"

const reference = "mod_tokens, Sender Interface, POST Method"

const asking = (history: RunHistory, uid: unknown, type: unknown): Call => ({
  module: "tokens",
  interfaceRole: "SENDER",
  operation: "POST authorize",
  method: "POST",
  path: [keyText(uid), "authorize"],
  query: { type: keyText(type) },
  body: { location_id: freshId(history, "L"), evse_uids: [freshId(history, "E")] }
})

const ask = (
  stage: Pick<JourneyStage, "id" | "name" | "description">,
  token: (history: RunHistory) => JsonObject | Unmet,
  expect: ReadonlyArray<Rule>
): JourneyStage => ({
  ...stage,
  actor: "us",
  module: "tokens",
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "POST tokens/authorize",
    call: (history) => {
      const shown = token(history)
      return isUnmet(shown) ? shown : asking(history, shown["uid"], shown["type"])
    }
  },
  // The request changes nothing at the partner.
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect
})

const isUnmet = (shown: JsonObject | Unmet): shown is Unmet => typeof shown["unmet"] === "string"

/** `allowed` in the answer of the stage; undefined: there is none. */
const allowedIn = (history: RunHistory, stageId: string): unknown =>
  objectIn(dataOf(answerOf(history, stageId)))["allowed"]

const isRefused =
  (stageId: string, whose: string) =>
  (history: RunHistory): Ruling => {
    const answer = answerOf(history, stageId)
    if (answer === undefined) return { notTested: "POST authorize was not sent" }
    if (answer.response === null) return { message: noAnswerReason(answer), actual: answer.outcome }
    const first = answerOf(history, "authorize")
    if (ownError(answer, "") !== undefined && first !== undefined && ownError(first, "") !== undefined)
      return {
        notTested: "The partner answered POST authorize for a valid token with an error of its own, too"
      }
    return allowedIn(history, stageId) === "ALLOWED"
      ? {
          message: `The partner allows a charge with ${whose}`,
          pointer: "/data/allowed",
          expected: "anything but ALLOWED",
          actual: "ALLOWED"
        }
      : ownError(answer, "anything but ALLOWED, or that the token is not known")
  }

/** What may be said of a valid token: it may have no credit, or not be allowed to charge here (mod_tokens, AllowedType enum). */
const ofValid = ["ALLOWED", "NOT_ALLOWED", "NO_CREDIT"]

const answered = [200, 201]

const askForGood = ask(
  {
    id: "authorize",
    name: "Ask for a valid token",
    description: "POST authorize for a token that the partner lists as valid, at our EVSE."
  },
  (history) => partnersToken(history) ?? { unmet: "No token of the partner's can be used" },
  [
    {
      id: "authorize.answered",
      title: "The partner answers POST authorize",
      strength: "must",
      reference,
      // That HTTP 201 is for what creates an object is a SHOULD of the text, which a suite tells (TOK-012).
      judge: answeredWith("authorize", answered)
    },
    {
      id: "authorize.valid",
      title: "The answer is a valid AuthorizationInfo object",
      strength: "must",
      reference: "mod_tokens, AuthorizationInfo Object",
      judge: (history) => {
        const answer = answerOf(history, "authorize")
        if (!answered.some((status) => status === answer?.response?.httpStatus))
          return { notTested: "The partner did not answer HTTP 200 or 201" }
        const flaw = misfit(history.profile, "AuthorizationInfo", dataOf(answer))
        return flaw === undefined ? undefined : { ...flaw, pointer: `/data${flaw.pointer ?? ""}` }
      }
    },
    {
      id: "authorize.allowed",
      title: "The partner takes a token for valid that it lists as valid",
      strength: "should",
      reference,
      judge: (history) => {
        const answer = answerOf(history, "authorize")
        if (misfit(history.profile, "AuthorizationInfo", dataOf(answer)) !== undefined)
          return { notTested: "There was no verdict" }
        const allowed = allowedIn(history, "authorize")
        return ofValid.some((word) => word === allowed)
          ? undefined
          : {
              message: "The partner does not take a token for valid that it lists as valid",
              pointer: "/data/allowed",
              expected: ofValid.join(", "),
              actual: inWords(allowed)
            }
      }
    },
    {
      id: "authorize.token",
      title: "The answer names the token of the request",
      strength: "must",
      reference: "mod_tokens, AuthorizationInfo Object",
      judge: (history) => {
        const { token } = objectIn(dataOf(answerOf(history, "authorize")))
        // The oldest version's answer has no token; where one is required, the rule about the whole object reports its
        // absence.
        if (token === undefined) return undefined
        const { uid } = objectIn(token)
        const asked = partnersToken(history)?.["uid"]
        return sameId(uid, asked)
          ? undefined
          : {
              message: "The answer names another token than the request",
              pointer: "/data/token/uid",
              expected: inWords(asked),
              actual: inWords(uid)
            }
      }
    }
  ]
)

const askForUnknown = ask(
  {
    id: "authorize-unknown",
    name: "Ask for an unknown token",
    description: "POST authorize for a token that nobody has issued."
  },
  (history) => ({ uid: freshId(history, "X"), type: "RFID" }),
  [
    {
      id: "authorize-unknown.refused",
      title: "The partner does not allow a token that it has not issued",
      strength: "must",
      reference,
      judge: isRefused("authorize-unknown", "a token that nobody has issued")
    }
  ]
)

const askForInvalid = ask(
  {
    id: "authorize-invalid",
    name: "Ask for an invalid token",
    description: "POST authorize for a token that the partner lists as invalid."
  },
  (history) =>
    invalidToken(history) ?? {
      unmet: "No token of the list that was read is invalid",
      goesOn: true
    },
  [
    {
      id: "authorize-invalid.refused",
      title: "The partner does not allow a token that it lists as invalid",
      strength: "must",
      reference,
      judge: isRefused("authorize-invalid", "a token that it lists as invalid")
    }
  ]
)

/**
 * Authorization of three tokens of the partner at our charge point: a valid one, an invalid one and an unknown one. We
 * are the CPO.
 */
export const authorizeToken: JourneyTemplate = {
  ...retirePlace,
  id: "authorize-token",
  packs: ["go-live"],
  name: "Ask whether a driver may charge",
  description:
    "Drivers show three tokens at our charge point: a valid one of the partner, an invalid one and one that nobody has issued; we ask the partner each time.",
  outcome: "The partner allowed the valid token, and no other.",
  ourRole: "CPO",
  supportedVersions: versionNumbers,
  needs: [["tokens", "SENDER"]],
  requiredPlan: "integrate",
  expectedDurationSeconds: 10,
  inputs: Schema.Struct({ ...tokenFields, ...waitFields }),
  stages: [readTokens(true, { andInvalid: true }), pushLocation(), askForGood, askForUnknown, askForInvalid]
}
