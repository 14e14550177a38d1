/** Stages with an RFID card: we push the card, a driver shows it, and the partner asks us for authorization. */

import { pathSegments } from "../../../findings/calledPath.ts"
import { sameId } from "../../../findings/json.ts"
import { verdictsModule } from "../../../party/modules/tokens.ts"
import { cardWishes } from "../../../party/simulation/chargePoint/scriptedCards.ts"
import type { PartyObject } from "../../../store/parties/PartyStore.ts"
import type { JourneyStage, Rule } from "../../model/JourneyTemplate.ts"
import { cameBefore, inboundOf, type RunHistory, whyNotBegun } from "../../model/RunHistory.ts"
import { ourSession } from "../charge/chargeFacts.ts"
import { askedPlace, authorizationsOf, type Driver, tokenUidOf } from "../charge/driver.ts"
import { pushTokenRules } from "./commands/commandRules.ts"
import { keptToken, tokenPut } from "./tokenPut.ts"

const must = { strength: "must" } as const
const should = { strength: "should" } as const

/** Our answer to the partner's authorization request. `unknown`: the card does not exist; `outOfReach`: HTTP 503. */
export type AuthorizationVerdict = "ALLOWED" | "BLOCKED" | "EXPIRED" | "NO_CREDIT" | "unknown" | "outOfReach"

const cardOf = (verdict: AuthorizationVerdict): Driver => ({
  kind: "card",
  whitelist: verdict === "outOfReach" ? "ALLOWED_OFFLINE" : "NEVER",
  visualNumber: cardWishes.shown
})

/** The card and the prepared verdict on it, as own objects. */
function keptFor(history: RunHistory, verdict: AuthorizationVerdict): ReadonlyArray<PartyObject> {
  if (verdict === "unknown") return []
  const kept = keptToken(history, cardOf(verdict))
  const json = verdict === "outOfReach" ? { outOfReach: true } : { allowed: verdict }
  return [kept, { ...kept, module: verdictsModule, json }]
}

/** Stage `offer-token`: prepares our verdict and pushes the card. */
export const offerToken = (verdict: AuthorizationVerdict): JourneyStage => {
  const driver = cardOf(verdict)
  return {
    id: "offer-token",
    name: "Push the card",
    actor: "us",
    module: "tokens",
    description: `PUT a card with whitelist ${driver.whitelist}; only this run uses it.`,
    timeoutSeconds: 30,
    act: { ...tokenPut(driver), keeps: (history) => keptFor(history, verdict) },
    writes: true,
    idempotent: true,
    optionalForLater: false,
    expect: pushTokenRules("offer-token")
  }
}

/** Authorization requests for other cards, in words. */
const otherCards = (history: RunHistory): ReadonlyArray<string> =>
  inboundOf(history)
    .filter(({ module, operation }) => module === "tokens" && operation === "POST authorize")
    .filter(({ request }) => !sameId(pathSegments(request.url).at(-2), tokenUidOf(history)))
    .map(
      ({ request }) => `The partner asked about another card: ${new URL(request.url, "http://here").pathname}`
    )

const askedRules: ReadonlyArray<Rule> = [
  {
    id: "authorize.asked",
    begunByPerson: true,
    title: "The partner asks for authorization when the card is shown",
    ...must,
    reference: "mod_tokens, Real-time authorization",
    checkId: "JRN-001",
    setOffBy: () => "offer-token",
    judge: (history) =>
      authorizationsOf(history).length > 0
        ? undefined
        : {
            message: "The partner sent no POST authorize for the card in time",
            expected: "POST authorize",
            actual: "none"
          }
  },
  {
    id: "authorize.place",
    title: "POST authorize names the location where the driver wants to charge",
    ...should,
    reference: "mod_tokens, LocationReferences class",
    judge: (history) =>
      authorizationsOf(history).length === 0
        ? { notTested: "The partner sent no POST authorize for the card" }
        : askedPlace(history)["location_id"] === undefined
          ? {
              message: "The request has no location_id",
              pointer: "/location_id",
              expected: "location_id"
            }
          : undefined
  }
]

/** A charge with the card shows that somebody has used it. */
const chargedUnasked = (history: RunHistory): ReadonlyArray<string> =>
  ourSession(history) === undefined
    ? []
    : ["The partner told us of a charge with the card, and had not asked"]

const shown = { id: "authorize", module: "tokens" } as const

/** Stage `authorize`: a driver shows the card, and the partner asks us. */
export const authorize: JourneyStage = {
  ...shown,
  name: "The card is shown",
  actor: "partner",
  description:
    "A driver shows the card at a free EVSE of the partner, and the partner asks us for authorization.",
  timeoutSeconds: 300,
  act: {
    act: "await",
    instruction: (history) =>
      `Plug in at a free EVSE and show the RFID card ${tokenUidOf(history)} there; the partner must ask us for its authorization. To use a card that you have, give its uid as the input cardUid.`,
    look: (history) => ({
      found: authorizationsOf(history).length > 0,
      nearMisses: [...otherCards(history), ...chargedUnasked(history)]
    }),
    expects: (history) => ({
      method: "POST",
      module: "tokens",
      path: [tokenUidOf(history), "authorize"],
      query: { type: "RFID" }
    })
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: askedRules,
  // The request is sent once and cannot be read later.
  setOffBy: () => "offer-token",
  // What would be waited for next is the charge of that driver.
  stopsIf: (history) =>
    authorizationsOf(history).length > 0 || ourSession(history) !== undefined
      ? undefined
      : (whyNotBegun(shown, history) ??
        "The partner did not ask for the card, and told us of no charge with it")
}

/** Stage `asked-first`: was the authorization requested before the session started? */
export const askedFirst: JourneyStage = {
  id: "asked-first",
  name: "The authorization came first",
  actor: "us",
  module: "tokens",
  description: "Check that the partner asked for authorization before it pushed the session.",
  timeoutSeconds: 1,
  act: { act: "judge" },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [
    {
      id: "asked-first.order",
      title: "The partner asks for authorization before it pushes the session",
      ...must,
      reference: "mod_tokens, Real-time authorization",
      checkId: "JRN-001",
      setOffBy: () => "offer-token",
      judge: (history) => {
        const session = ourSession(history)?.messages[0]?.exchange
        const asked = authorizationsOf(history)[0]
        if (session === undefined)
          return { notTested: "The partner pushed no session of ours that we could accept" }
        // That it has not asked at all is a rule of the stage in which the card is shown.
        if (asked === undefined) return { notTested: "The partner sent no POST authorize for the card" }
        return !cameBefore(history, session, asked)
          ? undefined
          : {
              message: "The partner pushed the session before it asked for authorization",
              expected: "first POST authorize, then the session"
            }
      }
    }
  ]
}
