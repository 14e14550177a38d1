/** Whom a CPO asks when a card is shown, by the card's whitelist, and what the answer leads to (mod_tokens). */

import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding } from "../../../findings/finding.ts"
import { type JsonObject, objectIn } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import type { CardName } from "../../../party/modules/testCards.ts"
import { type Check, inconclusive, noneOf } from "../../model/Check.ts"
import { type Evidence, isWithheld, type Observation } from "../../model/Evidence.ts"
import { onAllCalls } from "../shared/allCalls.ts"
import { unlessTaken } from "../shared/takenWrites.ts"
import { pathOf } from "./localStarts.ts"
import { card, cardCalls, isAsked, isSession, provoke, putStep } from "./shownCardsProbes.ts"

/** What happened with one card: the calls of authorize for it, and the first push of each of its sessions. */
interface Use {
  readonly card: JsonObject
  readonly asked: ReadonlyArray<Observation>
  readonly sessions: ReadonlyArray<Observation>
  /** All calls, oldest first. */
  readonly calls: ReadonlyArray<Observation>
}

const useOf = (evidence: Evidence, name: CardName): Use => {
  const calls = evidence.seen(cardCalls)
  const json = card(evidence, name)
  const told = calls.filter((seen) => isSession(seen, evidence, json))
  const idOf = (seen: Observation) => pathOf(seen).at(-1)
  return {
    card: json,
    calls,
    asked: calls.filter((seen) => isAsked(seen, json)),
    sessions: told.filter((seen, index) => told.findIndex((one) => idOf(one) === idOf(seen)) === index)
  }
}

const base = {
  module: "tokens",
  versions: versionNumbers,
  roles: ["CPO"],
  mode: "OBS",
  // The partner is told of the cards first.
  phase: "write",
  strength: "must",
  reference: "mod_tokens, WhitelistType enum",
  partial: true
} as const
const later = versionsWhere(({ authorizationDetails }) => authorizationDetails)
const sends = (what: string) =>
  `PUT of a card of ours that ${what}; then a driver presents the card at a charge point`

/** Judges the use of a card that was shown, and taken when the partner was told of it. */
const onUse = (
  name: CardName,
  judge: (use: Use, evidence: Evidence) => ReadonlyArray<Finding>
): Check["judge"] =>
  onAllCalls(cardCalls, ["tokens", "sessions"], (evidence) => {
    const step = putStep(name === "UNKNOWN" ? "NEVER" : name)
    const put = evidence.gathered(step)
    if (put !== undefined && isWithheld(put)) return inconclusive("unobservable", put.reason)
    const untaken = name === "UNKNOWN" ? undefined : unlessTaken(evidence, step)
    if (untaken !== undefined) return untaken
    const use = useOf(evidence, name)
    return use.asked.length + use.sessions.length === 0
      ? inconclusive("unobservable", provoke(use.card["uid"]))
      : noneOf(
          judge(use, evidence),
          `${use.asked.length} calls of authorize, ${use.sessions.length} sessions`
        )
  })

const needs = (name: CardName) => () => [putStep(name === "UNKNOWN" ? "NEVER" : name), cardCalls]

const about = (seen: Observation, message: string, expected: string, actual: string): Finding =>
  finding(seen, message, { expected, actual })

/** Sessions without a call of authorize before them; each session needs a call of its own. */
const unasked = ({ asked, calls, sessions }: Use): ReadonlyArray<Finding> =>
  sessions
    .filter(
      (session, index) => asked.filter((seen) => calls.indexOf(seen) < calls.indexOf(session)).length <= index
    )
    .map((session) =>
      about(session, "a session began without a call of authorize", "POST authorize before it", "no call")
    )

/** authorize was called, and no session came. */
const unstarted = (
  { asked, sessions }: Use,
  answer: string,
  more: Pick<Finding, "ambiguous" | "strength"> = {}
): ReadonlyArray<Finding> =>
  asked.slice(0, sessions.length === 0 ? 1 : 0).map((seen) => ({
    ...about(seen, `no session began although ${answer}`, "PUT of a session", "no session"),
    ...more
  }))

/**
 * Judge when a CPO calls authorize for cards of ours that are shown, by their whitelist, and what follows from the
 * answer (mod_tokens, WhitelistType enum).
 */
export const shownCardsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TOK-120",
    title: "Token with whitelist NEVER: authorize is called before each session",
    sends: sends("has the whitelist NEVER"),
    passes: "a call of authorize before each session with the card",
    hint: "Call authorize before each session with a token whose whitelist is NEVER.",
    needs: needs("NEVER"),
    judge: onUse("NEVER", unasked)
  },
  {
    ...base,
    id: "TOK-121",
    title: "Token with whitelist ALWAYS: authorize is not called",
    sends: sends("has the whitelist ALWAYS"),
    passes: "a session with the card, and no call of authorize",
    hint: "Decide by the stored token, without a call, when its whitelist is ALWAYS.",
    needs: needs("ALWAYS"),
    judge: onUse("ALWAYS", ({ asked }) =>
      asked.map((seen) =>
        about(seen, "authorize was called for a card with whitelist ALWAYS", "no call", "POST authorize")
      )
    )
  },
  {
    ...base,
    id: "TOK-123",
    versions: later,
    title: "Token with valid = false and whitelist NEVER: authorize is called, and ALLOWED starts a session",
    sends: sends("is not valid and has the whitelist NEVER; we allow it when we are asked"),
    passes: "a call of authorize, then a session",
    hint: "Let the whitelist decide whether to call authorize; its answer counts more than valid of the stored token.",
    needs: needs("INVALID"),
    judge: onUse("INVALID", (use) => [...unasked(use), ...unstarted(use, "we allowed the card")])
  },
  {
    ...base,
    id: "TOK-125",
    versions: later,
    title: "Token with whitelist ALLOWED_OFFLINE: a session starts when we are unavailable",
    sends: sends("has the whitelist ALLOWED_OFFLINE; we answer HTTP 503 about it"),
    passes: "a session with the card, its auth_method WHITELIST",
    hint: "Decide by the stored token when its whitelist is ALLOWED_OFFLINE and the EMSP cannot be reached.",
    needs: needs("OFFLINE"),
    judge: onUse("OFFLINE", (use) => [
      ...unstarted(use, "we were away", {
        strength: "should",
        ambiguous: {
          readings: [
            "HTTP 503 means that the EMSP cannot be reached, and the stored token decides",
            "HTTP 503 is an answer that allows nothing"
          ],
          section: "mod_tokens, WhitelistType enum"
        }
      }),
      ...use.sessions
        .filter(({ json }) => objectIn(json)["auth_method"] !== "WHITELIST")
        .map((seen) => {
          const method = shown(objectIn(seen.json)["auth_method"])
          return about(seen, "auth_method of the session is not WHITELIST", "auth_method WHITELIST", method)
        })
    ])
  },
  {
    ...base,
    id: "TOK-126",
    versions: later,
    strength: "should",
    title: "Unknown token: the session has the token of our authorize answer",
    reference: "mod_tokens, AuthorizationInfo object",
    sends:
      "no request: a card is shown that the partner does not know, and our answer to authorize is ALLOWED with the token of that card",
    passes: "a session whose cdr_token is the token of our answer",
    hint: "Take uid, type and contract_id from the token of the answer.",
    needs: needs("UNKNOWN"),
    judge: onUse("UNKNOWN", (use, { profile }) => [
      ...unstarted(use, "we allowed the card"),
      ...use.sessions.flatMap((seen) => {
        const told = objectIn(objectIn(seen.json)[profile.tokenReference])
        const other = ["uid", "type", profile.contract].find((field) => told[field] !== use.card[field])
        return other === undefined
          ? []
          : [
              {
                ...about(
                  seen,
                  `the session has another ${other}`,
                  shown(use.card[other]),
                  shown(told[other])
                ),
                pointer: `/${profile.tokenReference}/${other}`
              }
            ]
      })
    ])
  }
]
