/**
 * Sends the requests of probes: the intent is recorded in the ledger, then the exchange is made, then its completion is
 * recorded. An identical reading request is sent once per run. `limit` bounds the requests under way to one partner; pages on
 * the web, which may be anybody's, are fetched beside them.
 */
import { Context, Deferred, Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { EventDraft, StaleRun } from "../../ledger/Ledger.ts"
import { type EndSlash, makeFollowUps } from "../../ocpi/followUp.ts"
import { type OcpiCall, OcpiClient, type PartnerAnswer } from "../../ocpi/OcpiClient.ts"
import { atOtherSlash, sentAgain, withLimit } from "../../party/outbound/followUpCalls.ts"
import { noteTraffic, objectRedirect } from "../../party/outbound/noteTraffic.ts"
import { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import { Handshake } from "../../party/registration/Handshake.ts"
import { durableExchange } from "../../runs/durableExchange.ts"
import { durableRegistration } from "../../runs/durableRegistration.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { hasAnswer, type NotGathered, type Observation } from "../model/Evidence.ts"
import { isApart } from "../model/isApart.ts"
import type { ProbeRequest } from "../model/Probe.ts"
import { cutShort, withheld } from "../model/Probe.ts"
import type { SendRequest } from "./gather.ts"
import { makeHungRequests } from "./hungRequests.ts"
import type { StepMark } from "./journal.ts"
import { answerSeen } from "./observations.ts"
import { makePartnerSilence } from "./partnerSilence.ts"
import { makePreparation } from "./prepareCall.ts"
import { makeRegistrar } from "./registration/registrar.ts"
import { makeRegistrationGuard, type RegistrationGuard } from "./registration/registrationGuard.ts"

/** The run for which a prober sends requests. */
export interface ProberOptions {
  readonly party: Party
  /** Our second connection at the partner: it sends the requests with `by: "second"`. */
  readonly second?: Party | undefined
  /** What the run has seen of the partner so far; default: the answers to its requests. */
  readonly seen?: () => ReadonlyArray<Observation>
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<unknown, StaleRun>
  /** The same for the answers to reading requests, which may wait for the next request. */
  readonly buffer: ProberOptions["record"]
  /** The stage at work, to which the ledger's events belong. */
  readonly stageId: () => string
  /** Why nothing more may be sent; undefined while the run goes on. The prober asks before each request. */
  readonly stopped: () => string | undefined
  /** When an earlier run of the connection read something with the token of now, ISO 8601 UTC; undefined: none did. */
  readonly openedBefore: Effect.Effect<string | undefined>
  /** Bounds the concurrent requests to the partner. */
  readonly limit: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** `always`: also when the run is to stop, as clean-up and steps that are always done. Default: unless stopped. */
export type SendWhen = "always" | "unless stopped"

/** Pages on the web under way at once. */
const pagesAtOnce = 4

/**
 * Sends requests to the partner of one conformance run and records them. Each method fails with `StaleRun` if another
 * process owns the run.
 */
export interface Prober {
  /** Sends a reading request, or returns the evidence of an identical earlier one. */
  readonly send: SendRequest<StaleRun>
  /** Sends a request of a script and marks it in the ledger as the script's step. */
  readonly write: (
    asking: ProbeRequest,
    mark: StepMark,
    when?: SendWhen
  ) => Effect.Effect<Observation | NotGathered, StaleRun>
  /** Runs a handshake and returns its last exchange: POST credentials if it succeeded. */
  readonly register: (
    mark: StepMark,
    version?: OcpiVersion,
    when?: SendWhen
  ) => Effect.Effect<Observation | NotGathered, StaleRun>
  /**
   * The answers that this process has seen to requests over OCPI, in the order in which they came. One that was followed by
   * another request (`followedBy`) is among them.
   */
  readonly answers: () => ReadonlyArray<Observation>
}

/** A prober with no requests sent so far. It counts unanswered requests and remembers reading requests for one run. */
export const makeProber = Effect.fnUntraced(function* (
  options: ProberOptions
): Effect.fn.Return<Prober, never, Handshake | OcpiClient | PartnerCalls | PartyStore> {
  const calls = yield* PartnerCalls
  const store = yield* PartyStore
  const ofExchanges = Context.make(OcpiClient, yield* OcpiClient).pipe(Context.add(PartyStore, store))
  const registrar = makeRegistrar(store, calls, yield* Handshake, options.party)
  const sent = new Map<string, Deferred.Deferred<Observation | NotGathered, StaleRun>>()
  const answers: Array<Observation> = []
  const pages = (yield* Effect.makeSemaphore(pagesAtOnce)).withPermits(1)
  /** Whether object URLs end in a slash, once the partner has redirected one. */
  let endSlash: EndSlash | undefined
  const prepare = yield* makePreparation({
    store,
    calls,
    registrar,
    party: options.party,
    second: options.second,
    guard: () => guard,
    endSlash: () => endSlash,
    seen: options.seen ?? (() => answers)
  })
  const guard: RegistrationGuard = yield* makeRegistrationGuard({
    store,
    party: options.party,
    send: (asking) =>
      Effect.flatMap(prepare(asking), (call) =>
        "withheld" in call
          ? Effect.succeed(undefined)
          : Effect.map(exchangeOnce(call, asking, undefined), ({ seen }) => seen)
      ),
    note: (seen) => answers.push(...seen),
    openedBefore: options.openedBefore
  })
  const silence = makePartnerSilence()
  // What hangs for one of our registrations may be answered to the other.
  const hung = { first: makeHungRequests(), second: makeHungRequests() }
  const followUps = makeFollowUps()

  /** Why that request is not sent, and whose act that is; undefined: the run goes on. */
  const stop = (
    call: Pick<OcpiCall, "method" | "module" | "url">,
    asking: Partial<ProbeRequest>,
    when: SendWhen = "unless stopped"
  ): NotGathered | undefined => {
    const reason = when === "always" ? undefined : options.stopped()
    if (reason !== undefined) return cutShort(reason)
    const isOwed = when === "always"
    const alike =
      asking.page === true || (isOwed && isApart(call.module))
        ? undefined
        : hung[asking.by ?? "first"].reason({ ...call, isUsual: isUsual(asking), isOwed })
    return alike ?? (isOwed ? undefined : silence.reason())
  }

  const exchangeOnce = Effect.fnUntraced(function* (
    call: OcpiCall,
    asking: ProbeRequest,
    mark: StepMark | undefined
  ): Effect.fn.Return<
    { readonly answer: PartnerAnswer; readonly seen: Observation },
    StaleRun,
    OcpiClient | PartyStore
  > {
    const party = asking.by === "second" ? (options.second ?? options.party) : options.party
    const via = asking.by === "second" ? throughConnection(party) : undefined
    const { registration } = asking
    const answer = yield* durableExchange<StaleRun>({
      party,
      call,
      record: options.record,
      recordEnd: mark === undefined ? options.buffer : options.record,
      key: call.exchangeId,
      stageId: options.stageId(),
      intent: mark === undefined && via === undefined ? undefined : { ...mark, ...via },
      completion: via,
      // Store tokens before the completion: a crash between the two must not lose our access.
      settle: (answer) => (registration === undefined ? Effect.void : registrar.settle(registration, answer))
    })
    if (asking.page !== true) {
      silence.count(party, answer.exchange)
      hung[asking.by ?? "first"].count(answer.exchange, isUsual(asking))
    }
    if (isAsUsual(asking)) yield* noteTraffic(party, asking, answer)
    const { fault } = answer.exchange
    const seen = {
      exchange: answer.exchange,
      json: answer.json,
      ...(fault?.kind === "too_large" ? { unread: fault.message } : {}),
      ...(asking.page === true ? { page: true as const } : {}),
      ...(isUsual(asking) ? {} : { isUnusual: true as const }),
      ...linkOf(asking),
      about: asking.about ?? ""
    }
    return { answer, seen }
  }, Effect.provide(ofExchanges))

  const exchange = Effect.fnUntraced(function* (
    call: OcpiCall,
    asking: ProbeRequest,
    mark?: StepMark,
    when?: SendWhen
  ): Effect.fn.Return<Observation | NotGathered, StaleRun> {
    const isTakenAsItIs = asking.asIs === true || asking.page === true || asking.registration !== undefined
    const follows = isTakenAsItIs ? undefined : followUps()
    for (let present = call; ; ) {
      const stopped = stop(present, asking, when)
      if (stopped !== undefined) return stopped
      const { answer, seen } = yield* exchangeOnce(present, asking, mark)
      const asked = follows?.next(answer.exchange)
      // A limit that a probe sets is part of what it tests.
      const isTested = asked?.why === "smaller" && asking.query?.["limit"] !== undefined
      const next = isTested ? undefined : asked
      if (seen.exchange.response !== null && asking.page !== true)
        answers.push(next === undefined ? seen : { ...seen, followedBy: next.why })
      if (next === undefined) {
        const found = yield* guard.unlessLost(asking, seen)
        // The answer to a token that was renewed meanwhile is none to the request.
        if (found !== seen && !("withheld" in found)) answers.splice(answers.indexOf(seen), 1, found)
        return found
      }
      if (next.why === "slash") {
        endSlash = objectRedirect(asking, answer) ?? endSlash
        present = yield* atOtherSlash(present, next.endSlash)
      } else if (next.why === "smaller") {
        present = yield* withLimit(present, next.limit)
      } else {
        yield* Effect.sleep(next.millis)
        present = yield* sentAgain(present)
      }
    }
  })

  const send: SendRequest<StaleRun> = Effect.fnUntraced(function* (asking) {
    const call = yield* prepare(asking)
    if ("withheld" in call) return call
    const signature = signatureOf(call, asking)
    const earlier = asking.again === true ? undefined : sent.get(signature)
    if (earlier !== undefined) {
      return yield* Effect.map(Deferred.await(earlier), (seen) =>
        "withheld" in seen ? seen : { ...seen, ...linkOf(asking), about: asking.about ?? "" }
      )
    }
    const mine = yield* Deferred.make<Observation | NotGathered, StaleRun>()
    if (asking.again !== true) sent.set(signature, mine)
    const limit = asking.page === true ? pages : options.limit
    return yield* limit(exchange(call, asking)).pipe(Effect.onExit((exit) => Deferred.done(mine, exit)))
  })

  const write: Prober["write"] = (asking, mark, when) =>
    Effect.flatMap(prepare(asking), (call) =>
      "withheld" in call ? Effect.succeed(call) : options.limit(exchange(call, asking, mark, when))
    )

  const register: Prober["register"] = Effect.fnUntraced(function* (mark, version, when) {
    const stopped = guard.loss() ?? stop({ method: "POST", module: "credentials", url: "" }, {}, when)
    if (stopped !== undefined) return stopped
    const stageId = options.stageId()
    const { done: refused, made } = yield* durableRegistration(
      {
        partyId: options.party.id,
        record: options.record,
        lineOf: (_, end, exchange) => ({
          key: `${exchange.id}/${end}`,
          stageId,
          // The step counts as done once the request that carries our credentials is answered.
          ...(end === "intended" && handsOver(exchange) ? { data: { ...mark } } : {})
        })
      },
      registrar.register(version)
    )
    const seen = made.map((one) => answerSeen(one))
    answers.push(...seen.filter(hasAnswer))
    guard.changed(made)
    const last = seen.at(-1)
    return last === undefined
      ? withheld("not_tested", refused ?? "nothing was sent for the registration", "ours")
      : { ...last, ...(refused === undefined ? {} : { handshakeError: refused }) }
  })

  return { send, write, register, answers: () => (guard.isForgotten() ? [] : answers) }
})

const linkOf = ({ linkedFrom }: ProbeRequest) => (linkedFrom === undefined ? {} : { linkedFrom })

/** POST or PUT credentials. */
const handsOver = ({ module, request: { method } }: Exchange) =>
  module === "credentials" && (method === "POST" || method === "PUT")

/** Event data that marks exchanges of another connection than the run's own. */
export const throughConnection = ({ id }: Party): { readonly connectionId: string } => ({ connectionId: id })

/**
 * Is the request an ordinary one? Answers to requests that are wrong on purpose, and pages on the web, say nothing about the
 * partner's dialect.
 */
const isAsUsual = ({ credentials, headers, page, rawBody }: Partial<ProbeRequest>) =>
  credentials === undefined && headers === undefined && page === undefined && rawBody === undefined

/** Is it a request of ordinary operation, which every partner has to answer? */
const isUsual = (asking: Partial<ProbeRequest>) => isAsUsual(asking) && asking.wrongOnPurpose === undefined

/** Requests with the same signature are identical to the partner. */
function signatureOf(call: OcpiCall, { by, credentials, headers }: ProbeRequest): string {
  const live = credentials === undefined || (credentials.use === "live" && !("headerName" in credentials))
  const as =
    live || credentials.use === "raw" || credentials.use === "base64" ? call.authorization?.form : credentials
  return JSON.stringify([call.method, call.url, call.body, call.rawBody, headers, as, by])
}
