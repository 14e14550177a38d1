/**
 * Why a registration that was there is not there any more: a request of ours that was about it, a request of the partner, or
 * nobody's. What depends on it is then blocked by that one exchange.
 */
import { Effect } from "effect"
import { registrationForgotten } from "../../../../schema/Assertion.ts"
import type { Exchange } from "../../../../schema/Exchange.ts"
import type { PartyId } from "../../../../schema/Ids.ts"
import { requestName } from "../../../findings/answers.ts"
import type { PartyStore } from "../../../store/parties/PartyStore.ts"
import type { NotGathered } from "../../model/Evidence.ts"

/** What is known when the token is not accepted any more. */
interface Loss {
  readonly store: PartyStore["Type"]
  readonly partyId: PartyId
  /** Position of the party's newest exchange when the run began. */
  readonly since: number
  /** When the token was last accepted, in milliseconds since 1970; undefined: that is not known. */
  readonly acceptedAt: number | undefined
  /** The requests of this run about the registration, oldest first. */
  readonly own: ReadonlyArray<Exchange>
  /** The exchange that shows that the token is refused; undefined: we have no token any more. */
  readonly refusal: Exchange | undefined
}

/** The check that reports a token which is refused although neither side has changed the registration. */
const reportedBy = "CRED-012"

/** How many calls are read at once. */
const page = 500

/** A request that may change the registration. */
export const isAboutRegistration = ({ module, request: { method } }: Exchange): boolean =>
  module === "credentials" && ["POST", "PUT", "DELETE"].includes(method)

/** Why nothing more is asked with the token, and whose act that is. */
export const lostRegistration = Effect.fnUntraced(function* (loss: Loss): Effect.fn.Return<NotGathered> {
  const { acceptedAt = 0, own, refusal } = loss
  const isSince = ({ startedAt, durationMs }: Exchange) => Date.parse(startedAt) + durationMs >= acceptedAt
  const ours = own.findLast(isSince)
  if (ours !== undefined) return byUs(ours)
  const last = yield* newestOf(
    loss,
    (exchange) => isAboutRegistration(exchange) && isSince(exchange) && isDone(exchange)
  )
  if (last !== undefined) return byPartner(last)
  return refusal === undefined ? byOwner : unasked(refusal, loss.acceptedAt)
})

/** Why nothing is asked: the partner had lost the registration before the run began, which is no finding about it. */
export const forgotten = (refusal: Exchange, acceptedAt: string): NotGathered => {
  const what = `${registrationForgotten}: it accepted its token at ${acceptedAt}, before this run, and answered HTTP 401 to it when the run began, although neither side has ended or renewed it; register anew, then run again`
  return {
    withheld: "not_tested",
    reason: what,
    attribution: "operator",
    blockedBy: { exchangeId: refusal.id, what }
  }
}

/** The newest call since the run began for which it holds. */
export const newestOf = Effect.fnUntraced(function* (
  { partyId, since, store }: Pick<Loss, "partyId" | "since" | "store">,
  isWanted: (call: Exchange) => boolean
): Effect.fn.Return<Exchange | undefined> {
  for (let upTo = Number.MAX_SAFE_INTEGER; ; ) {
    const calls = yield* store.exchangesBefore(partyId, { direction: "inbound", limit: page, upTo })
    const found = calls.find(({ exchange, position }) => position > since && isWanted(exchange))
    if (found !== undefined) return found.exchange
    const last = calls.at(-1)
    if (last === undefined || last.position <= since || calls.length < page) return undefined
    upTo = last.position - 1
  }
})

const isDone = ({ response }: Exchange) => response !== null && response.httpStatus < 300

const byUs = (exchange: Exchange): NotGathered => {
  const what = `the registration was lost by a request of this run: the partner refuses the token that is in use since ${requestName(exchange)} ${answerOf(exchange)}`
  return {
    withheld: "not_tested",
    reason: what,
    attribution: "ours",
    blockedBy: { exchangeId: exchange.id, what }
  }
}

const byPartner = (exchange: Exchange): NotGathered => {
  const what =
    exchange.request.method === "DELETE"
      ? "the partner has ended the registration while the run went on: it sent DELETE credentials"
      : `the partner has renewed the registration while the run went on (${exchange.request.method} credentials), and refuses the token that it sent in it`
  return { withheld: "not_tested", reason: what, blockedBy: { exchangeId: exchange.id, what } }
}

const unasked = (refusal: Exchange, acceptedAt: number | undefined): NotGathered => {
  const what =
    acceptedAt === undefined
      ? "the partner does not know the registration any more: it has answered HTTP 401 to its token since the run began, although neither side has ended or renewed it; register again before the next run"
      : `the partner accepted the token of the registration until ${new Date(acceptedAt).toISOString()}, and has answered HTTP 401 to it since, although neither side has ended or renewed the registration`
  return {
    withheld: "not_tested",
    reason: what,
    blockedBy: { check: reportedBy, exchangeId: refusal.id, what }
  }
}

const byOwner: NotGathered = {
  withheld: "not_tested",
  reason: "the registration was ended on our side while the run went on",
  attribution: "ours"
}

const answerOf = ({ fault, outcome, response }: Exchange): string =>
  response === null
    ? `got no answer (${fault?.message ?? outcome})`
    : `was answered HTTP ${response.httpStatus}${response.ocpiStatusCode === null ? "" : `, status_code ${response.ocpiStatusCode}`}`
