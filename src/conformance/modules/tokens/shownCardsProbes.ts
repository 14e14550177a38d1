/** Cards of ours that drivers show at the partner's charge points while the run listens, and what came of each. */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { type JsonObject, objectIn, sameId } from "../../../findings/json.ts"
import { type CardName, testCard } from "../../../party/modules/testCards.ts"
import { type Evidence, isWithheld, type Observation } from "../../model/Evidence.ts"
import { type Probe, type ProbeStep, withheld } from "../../model/Probe.ts"
import { isAuthorize, pathOf } from "./localStarts.ts"
import { putToken } from "./testToken.ts"

/** Id of the probe that pushes our cards and waits until they are shown. */
const shownCards = "tokens.cards"
/** The partner's calls while cards were shown. */
export const cardCalls = "tokens.cards-calls"

/** The card of this run. */
export const card = (evidence: Evidence, name: CardName): JsonObject =>
  testCard(
    evidence.profile,
    evidence.party,
    { mark: evidence.mark, name },
    dateTimeOf(Date.parse(evidence.startedAt))
  )

/** The step that pushes a card to the partner. */
export const putStep = (name: CardName): string => `${shownCards}#put ${name}`
const told = ["NEVER", "ALWAYS", "INVALID", "OFFLINE"] as const
/** In 2.1.1 the answer of authorize has no token, so that a session with an unknown card could not be billed. */
const namesIn = ({ profile }: Evidence): ReadonlyArray<CardName> =>
  profile.authorizationDetails ? [...told, "UNKNOWN"] : ["NEVER", "ALWAYS"]

/** Is the call an authorize of the card? */
export const isAsked = (seen: Observation, json: JsonObject): boolean =>
  isAuthorize(seen) && sameId(pathOf(seen).at(-2), json["uid"])
/** Is the call a PUT of a session with the card? */
export const isSession = (
  { exchange, json }: Observation,
  { profile }: Evidence,
  shown: JsonObject
): boolean => {
  const session = objectIn(json)
  return (
    exchange.module === "sessions" &&
    exchange.request.method === "PUT" &&
    (profile.tokenReference === "auth_id"
      ? sameId(session["auth_id"], shown[profile.contract])
      : sameId(objectIn(session[profile.tokenReference])["uid"], shown["uid"]))
  )
}

const uidsOf = (evidence: Evidence) =>
  namesIn(evidence)
    .map((name) => card(evidence, name)["uid"])
    .join(", ")

/** What the operator is to do. */
export const provoke = (uid: unknown): string =>
  `nobody has shown the card ${uid}: order listenSeconds, and meanwhile show it at a charge point and charge`

const put = (name: (typeof told)[number]): ProbeStep => ({
  id: `put ${name}`,
  act: (evidence) => {
    const json = card(evidence, name)
    if ((evidence.listenSeconds ?? 0) <= 0)
      return withheld(
        "unobservable",
        "cards are shown while a run listens: order listenSeconds, then show at charge points the cards that the run names, and charge"
      )
    return namesIn(evidence).includes(name) ? putToken(evidence, json) : undefined
  }
})

/** The waits, in their order; `first` is for any of the cards. */
const waits = ["first", "NEVER", "ALWAYS", "INVALID", "OFFLINE", "UNKNOWN"] as const

/** The first wait for a card. It begins after the PUT of the cards, and its seconds count towards the `listenSeconds` of the run. */
export const cardsWait = `${shownCards}#first`

/** When a card was used last, by the waits that are over, in milliseconds since 1970; undefined: none was. */
function lastUse(evidence: Evidence): number | undefined {
  const calls = waits.flatMap((id) => {
    const gathered = evidence.gathered(`${shownCards}#${id}`)
    return gathered === undefined || isWithheld(gathered) ? [] : gathered.seen
  })
  return calls.length === 0
    ? undefined
    : Math.max(...calls.map(({ exchange }) => Date.parse(exchange.startedAt)))
}

/** Waits until the run has listened since a card was used last; not at all when none of the cards was shown so far. */
const wait = (
  id: (typeof waits)[number],
  name: CardName | undefined,
  matches: (seen: Observation, evidence: Evidence, shown: JsonObject) => boolean
): ProbeStep => ({
  id,
  act: (evidence) => {
    const names = name === undefined ? namesIn(evidence) : [name]
    const first = evidence.gathered(cardsWait)
    if (names.some((one) => !namesIn(evidence).includes(one))) return undefined
    if (name !== undefined && (first === undefined || isWithheld(first))) return undefined
    const shown = names.map((one) => card(evidence, one))
    const from = lastUse(evidence)
    return {
      wait: {
        seconds: evidence.listenSeconds ?? 0,
        ...(from === undefined ? {} : { from }),
        instruction: `Show these cards at charge points, each at another one, and charge: ${uidsOf(evidence)}; the run listens meanwhile to all that the partner sends`,
        provoke: provoke(uidsOf(evidence)),
        matches: (seen) => shown.some((one) => matches(seen, evidence, one))
      }
    }
  }
})

const isUse = (seen: Observation, evidence: Evidence, shown: JsonObject) =>
  isAsked(seen, shown) || isSession(seen, evidence, shown)

/** PUT of our cards, then waits until they are shown at charge points; and the calls of the partner meanwhile. */
export const shownCardsProbes: ReadonlyArray<Probe> = [
  {
    id: shownCards,
    ofActs: true,
    steps: [
      ...told.map(put),
      wait("first", undefined, isUse),
      wait("NEVER", "NEVER", isUse),
      wait("ALWAYS", "ALWAYS", isUse),
      wait("INVALID", "INVALID", isSession),
      wait("OFFLINE", "OFFLINE", isSession),
      wait("UNKNOWN", "UNKNOWN", isSession)
    ]
  },
  { id: cardCalls, after: [shownCards], source: "inbound.run" }
]
