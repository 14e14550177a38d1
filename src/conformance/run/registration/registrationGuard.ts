/**
 * Watches the token of the registration over a run: where it was accepted last, which requests may have changed the
 * registration, and whether an HTTP 401 means that the registration is lost.
 */
import { Effect, Redacted } from "effect"
import type { Exchange } from "../../../../schema/Exchange.ts"
import type { StaleRun } from "../../../ledger/Ledger.ts"
import type { Party } from "../../../store/parties/Party.ts"
import type { PartyStore } from "../../../store/parties/PartyStore.ts"
import { type NotGathered, type Observation, tokenLost, tokenUnknown } from "../../model/Evidence.ts"
import type { ProbeRequest } from "../../model/Probe.ts"
import { forgotten, isAboutRegistration, lostRegistration, newestOf } from "./lostRegistration.ts"

/** The run whose registration is watched. */
interface GuardOptions {
  readonly store: PartyStore["Type"]
  readonly party: Party
  /** Sends a request outside the script of a check; undefined: it cannot be sent. */
  readonly send: (asking: ProbeRequest) => Effect.Effect<Observation | undefined, StaleRun>
  /** As of the prober. */
  readonly openedBefore: Effect.Effect<string | undefined>
  /** Adds answers to those of the run. */
  readonly note: (seen: ReadonlyArray<Observation>) => void
}

/** What is known of the token of the registration. */
export interface RegistrationGuard {
  readonly isRegistered: boolean
  /** Why nothing more is asked with the token; undefined: it is accepted, as far as is known. */
  readonly loss: () => NotGathered | undefined
  /** Had the partner lost the registration before the run began? Then it is not asked anything more, with the token or without. */
  readonly isForgotten: () => boolean
  /** Finds out why the registration is lost. `refusal`: what shows it; undefined: we have no token any more. */
  readonly lose: (refusal: Observation | undefined) => Effect.Effect<NotGathered>
  /** Notes what was seen. The observation; or why the registration is lost, where it is refused for want of one. */
  readonly unlessLost: (
    asking: ProbeRequest,
    seen: Observation
  ) => Effect.Effect<Observation | NotGathered, StaleRun>
  /** Notes requests of ours, of which some may have changed the registration. */
  readonly changed: (made: ReadonlyArray<Exchange>) => void
}

/** How often a run asks at most whether a token that was refused is still accepted elsewhere. */
const mostProofs = 8

/** Does the request carry the token of the registration, as requests do? */
export const isOfRegistration = ({ by, credentials, page }: ProbeRequest): boolean =>
  by === undefined &&
  page === undefined &&
  (credentials === undefined || (credentials.use === "live" && !("headerName" in credentials)))

/** Does the request carry the token of the registration, in whatever form or header? */
export const carriesToken = ({ by, credentials, page }: ProbeRequest): boolean =>
  by === undefined &&
  page === undefined &&
  (credentials === undefined || ["live", "raw", "base64"].includes(credentials.use))

/** How long a partner may refuse the old token while its PUT credentials is under way: longer than our answer takes as a rule. */
const renewalMillis = 2000

/** A guard that has seen nothing. */
export const makeRegistrationGuard = Effect.fnUntraced(function* ({
  note,
  openedBefore,
  party,
  send,
  store
}: GuardOptions): Effect.fn.Return<RegistrationGuard> {
  const since = yield* store.head(party.id)
  /** The token with which the partner is called, by value. */
  const outboundToken = Effect.map(store.tokens(party.id), (tokens) => {
    const outbound = tokens.find(({ slot }) => slot === "outbound")
    return outbound && Redacted.value(outbound.value)
  })
  const atFirst = yield* outboundToken
  const proving = (yield* Effect.makeSemaphore(1)).withPermits(1)
  const isRegistered = party.registration === "registered"
  /** The requests of this process about the registration, oldest first. */
  const changes: Array<Exchange> = []
  /** The newest request that the token in use has opened, and when. */
  let accepted: { readonly asking: ProbeRequest; readonly at: number } | undefined
  let proofs = 0
  let lost: NotGathered | undefined
  let isForgotten = false

  const lose = (refusal: Observation | undefined): Effect.Effect<NotGathered> =>
    Effect.map(
      lostRegistration({
        store,
        partyId: party.id,
        since,
        acceptedAt: accepted?.at,
        own: changes,
        refusal: refusal?.exchange
      }),
      (found) => {
        lost = found
        return found
      }
    )

  const accept = (asking: ProbeRequest, { exchange }: Observation) => {
    if (exchange.request.method === "GET" && exchange.response?.httpStatus === 200)
      accepted = { asking, at: Date.parse(exchange.startedAt) }
  }

  /** The answer HTTP 401 to a request with the token; undefined: it was not sent. */
  const refusalOf = (asking: ProbeRequest): Effect.Effect<Observation | "opened" | undefined, StaleRun> =>
    Effect.map(send({ ...asking, about: "once more, for the token that is in use" }), (seen) => {
      if (seen === undefined || seen.exchange.response?.httpStatus === 401) return seen
      accept(asking, seen)
      return "opened"
    })

  /**
   * Is the token of the registration refused where it was accepted before? Asked once more there, because a partner may refuse it
   * at one endpoint alone; where it has opened nothing yet, at versions and at a list.
   */
  const provenLoss: Effect.Effect<NotGathered | undefined, StaleRun> = proving(
    Effect.gen(function* () {
      if (lost !== undefined || proofs >= mostProofs) return lost
      proofs += 1
      const places = accepted === undefined ? everywhere(party) : [accepted.asking]
      const refusals: Array<Observation> = []
      for (const asking of places) {
        // The partner may be about to renew its credentials: until we have answered, we send the old token.
        const first = yield* refusalOf(asking)
        const isRefused = first !== undefined && first !== "opened" && accepted !== undefined
        const found = isRefused ? yield* Effect.delay(refusalOf(asking), renewalMillis) : first
        if (found === "opened" || lost !== undefined) return lost
        if (found !== undefined) refusals.push(found)
      }
      const last = refusals.pop()
      if (last === undefined) return undefined
      const about = accepted === undefined ? tokenUnknown : tokenLost
      const found = yield* lose(last)
      const isUnasked = found.blockedBy?.exchangeId === last.exchange.id
      const acceptedAt = accepted === undefined && isUnasked ? yield* openedBefore : undefined
      if (acceptedAt !== undefined) {
        isForgotten = true
        lost = forgotten(last.exchange, acceptedAt)
        return lost
      }
      note([...refusals, found.blockedBy?.exchangeId === last.exchange.id ? { ...last, about } : last])
      return found
    })
  )

  /** Is the partner's token another one than when the run began, or none any more? */
  const isReplaced: Effect.Effect<boolean> = Effect.map(outboundToken, (now) => now !== atFirst)

  /** Has the partner renewed its credentials since we began to send that request? Then it was sent with the old token. */
  const isRenewedSince = ({ startedAt }: Exchange): Effect.Effect<boolean> =>
    Effect.map(
      newestOf(
        { store, partyId: party.id, since },
        (call) => isAboutRegistration(call) && call.response !== null && call.response.httpStatus < 300
      ),
      (call) =>
        call?.request.method === "PUT" &&
        // A request that had been prepared by then may have waited for its turn.
        Date.parse(call.startedAt) + call.durationMs + renewalMillis >= Date.parse(startedAt)
    )

  return {
    isRegistered,
    loss: () => lost,
    isForgotten: () => isForgotten,
    lose,
    unlessLost: Effect.fnUntraced(function* (asking, seen) {
      const { exchange } = seen
      if (!isRegistered || asking.by === "second") return seen
      // Another form of the token is refused as it should be, unless the token was replaced or ended.
      const isRefused = exchange.response?.httpStatus === 401 && carriesToken(asking)
      if (isRefused && (isOfRegistration(asking) || (yield* isReplaced))) {
        const why = yield* provenLoss
        if (why !== undefined && (isForgotten || asking.judgesToken !== true)) return why
        if (why === undefined && (yield* isRenewedSince(exchange))) return (yield* send(asking)) ?? seen
      }
      if (isAboutRegistration(exchange)) changes.push(exchange)
      if (isOfRegistration(asking)) accept(asking, seen)
      return seen
    }),
    changed: (made) => {
      changes.push(...made.filter(isAboutRegistration))
    }
  }
})

/** Requests that any token of a registration opens: versions, and a list that each partner of that role has. */
const everywhere = ({ counterpart }: Party): ReadonlyArray<ProbeRequest> => [
  { module: "versions", interfaceRole: "SENDER", operation: "list", url: counterpart.versionsUrl },
  {
    module: counterpart.role === "CPO" ? "locations" : "tokens",
    interfaceRole: "SENDER",
    operation: "list",
    query: { limit: "1" }
  }
]
