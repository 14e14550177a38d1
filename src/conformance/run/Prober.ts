/**
 * Sends the requests of probes: the intent is recorded in the ledger, then the exchange is made, then its completion is
 * recorded. An identical reading request is sent once per run. `limit` bounds the requests under way to one partner.
 */
import { Deferred, Effect, Option } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { newId } from "../../database/newId.ts"
import type { EventDraft, StaleRun } from "../../ledger/Ledger.ts"
import { type OcpiCall, OcpiClient } from "../../ocpi/OcpiClient.ts"
import { joinUrl } from "../../ocpi/urls.ts"
import { noteTraffic } from "../../party/outbound/noteTraffic.ts"
import { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import { Handshake } from "../../party/registration/Handshake.ts"
import { durableExchange } from "../../runs/durableExchange.ts"
import { durableRegistration } from "../../runs/durableRegistration.ts"
import { type Party, PartyStore } from "../../store/parties/PartyStore.ts"
import type { NotGathered, Observation } from "../model/Evidence.ts"
import type { ProbeRequest } from "../model/Probe.ts"
import { withheld } from "../model/Probe.ts"
import type { SendRequest } from "./gather.ts"
import type { StepMark } from "./journal.ts"
import { makeRegistrar } from "./registrar.ts"
import { answeredTo } from "./Watch.ts"
import { withCredentials } from "./withCredentials.ts"

/** The run for which a prober sends requests. */
export interface ProberOptions {
  readonly party: Party
  /** Our second connection at the partner: it sends the requests with `by: "second"`. */
  readonly second?: Party | undefined
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<unknown, StaleRun>
  /** The stage at work, to which the ledger's events belong. */
  readonly stageId: () => string
  /** Why nothing more may be sent; undefined while the run goes on. The prober asks before each request. */
  readonly stopped: () => string | undefined
  /** Bounds the concurrent requests to the partner. */
  readonly limit: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** After so many exchanges in a row without an answer, the prober takes the partner to be away and sends nothing more. */
const silenceLimit = 6

/**
 * Sends requests to the partner of one conformance run and records them. Each method fails with `StaleRun` if another
 * process owns the run.
 */
export interface Prober {
  /** Sends a reading request, or returns the evidence of an identical earlier one. */
  readonly ask: SendRequest<StaleRun>
  /**
   * Sends a request of a script and marks it in the ledger as the script's step. `anyhow`: send it although the run is to
   * stop, for clean-up.
   */
  readonly write: (
    asking: ProbeRequest,
    mark: StepMark,
    anyhow?: "anyhow"
  ) => Effect.Effect<Observation | NotGathered, StaleRun>
  /** Runs a handshake and returns its last exchange: POST credentials if it succeeded. */
  readonly register: (
    mark: StepMark,
    version?: OcpiVersion,
    anyhow?: "anyhow"
  ) => Effect.Effect<Observation | NotGathered, StaleRun>
}

/** A prober with no requests sent so far. It counts unanswered requests and remembers reading requests for one run. */
export const makeProber = (
  options: ProberOptions
): Effect.Effect<Prober, never, Handshake | OcpiClient | PartnerCalls | PartyStore> =>
  Effect.gen(function* () {
    const client = yield* OcpiClient
    const calls = yield* PartnerCalls
    const store = yield* PartyStore
    const registrar = makeRegistrar(store, calls, yield* Handshake, options.party)
    const sent = new Map<string, Deferred.Deferred<Observation | NotGathered, StaleRun>>()
    let silences = 0

    const stop = () =>
      options.stopped() ??
      (silences >= silenceLimit
        ? `the partner did not answer ${silenceLimit} requests in a row: the rest was not sent`
        : undefined)

    /** The second connection as stored now: other work may have changed it, because the run does not lock it. */
    const secondNow = Effect.gen(function* () {
      if (options.second === undefined) return undefined
      return Option.getOrUndefined(
        Option.filter(
          yield* store.find(options.second.id),
          ({ registration }) => registration === "registered"
        )
      )
    })

    const prepare = (asking: ProbeRequest): Effect.Effect<OcpiCall | NotGathered> =>
      Effect.gen(function* () {
        const party = asking.by === "second" ? yield* secondNow : options.party
        if (party === undefined)
          return withheld("not_tested", "the second connection at the partner is not registered any more")
        const {
          about: _,
          again: __,
          by: ___,
          credentials,
          headers,
          rawBody,
          registration,
          resultOf,
          resultVia,
          ...request
        } = asking
        const former = registrar.former()
        if (credentials?.use === "former" && former === undefined)
          return withheld("not_tested", "the token that was live before is not known any more")
        const exchangeId = yield* newId("exchange")
        const responseUrl =
          resultOf === undefined
            ? undefined
            : {
                response_url: joinUrl(
                  yield* calls.expectResult(party, resultOf, exchangeId, resultVia),
                  [],
                  resultVia?.query
                )
              }
        const call = yield* calls.prepare(party, {
          ...request,
          ...(responseUrl === undefined
            ? {}
            : resultVia?.in === "query"
              ? { query: { ...request.query, ...responseUrl } }
              : { body: { ...(request.body as object), ...responseUrl } }),
          method: request.method ?? "GET",
          // A limit that a probe sets is part of what it tests.
          fixedLimit: request.query?.["limit"] !== undefined,
          exchangeId
        })
        const complete = {
          ...call,
          ...(rawBody === undefined ? {} : { rawBody }),
          headers: overlaid(call.headers, headers)
        }
        const authorized = yield* withCredentials(complete, credentials ?? { use: "live" }, former)
        return registration === "hand over" ? yield* registrar.offer(authorized, request.body) : authorized
      }).pipe(
        Effect.catchTag("NoEndpoint", ({ message }) => Effect.succeed(withheld("not_applicable", message)))
      )

    const exchange = (
      call: OcpiCall,
      asking: ProbeRequest,
      mark?: StepMark,
      anyhow?: "anyhow"
    ): Effect.Effect<Observation | NotGathered, StaleRun> =>
      Effect.gen(function* () {
        const reason = anyhow === undefined ? stop() : undefined
        if (reason !== undefined) return withheld("not_tested", reason)
        const party = asking.by === "second" ? (options.second ?? options.party) : options.party
        const via = asking.by === "second" ? throughConnection(party) : undefined
        const { registration } = asking
        const answer = yield* durableExchange<StaleRun>({
          party,
          call,
          record: options.record,
          key: call.exchangeId,
          stageId: options.stageId(),
          intent: mark === undefined && via === undefined ? undefined : { ...mark, ...via },
          completion: via,
          // Store tokens before the completion: a crash between the two must not lose our access.
          settle: (answer) =>
            registration === undefined ? Effect.void : registrar.settle(registration, answer)
        }).pipe(Effect.provideService(OcpiClient, client), Effect.provideService(PartyStore, store))
        silences = answer.exchange.response === null ? silences + 1 : 0
        if (isAsUsual(asking))
          yield* Effect.provideService(noteTraffic(party, asking, answer), PartyStore, store)
        const { fault } = answer.exchange
        return {
          exchange: answer.exchange,
          json: answer.json,
          ...(fault?.kind === "too_large" ? { unread: fault.message } : {}),
          about: asking.about ?? ""
        }
      })

    const ask: SendRequest<StaleRun> = (asking) =>
      Effect.gen(function* () {
        const call = yield* prepare(asking)
        if ("withheld" in call) return call
        const signature = signatureOf(call, asking)
        const earlier = asking.again === true ? undefined : sent.get(signature)
        if (earlier !== undefined) {
          return yield* Effect.map(Deferred.await(earlier), (seen) =>
            "withheld" in seen ? seen : { ...seen, about: asking.about ?? "" }
          )
        }
        const mine = yield* Deferred.make<Observation | NotGathered, StaleRun>()
        if (asking.again !== true) sent.set(signature, mine)
        return yield* options
          .limit(exchange(call, asking))
          .pipe(Effect.onExit((exit) => Deferred.done(mine, exit)))
      })

    const write: Prober["write"] = (asking, mark, anyhow) =>
      Effect.flatMap(prepare(asking), (call) =>
        "withheld" in call ? Effect.succeed(call) : options.limit(exchange(call, asking, mark, anyhow))
      )

    const register: Prober["register"] = (mark, version, anyhow) =>
      Effect.gen(function* () {
        const reason = anyhow === undefined ? stop() : undefined
        if (reason !== undefined) return withheld("not_tested", reason)
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
        const last = made.at(-1)
        return last === undefined
          ? withheld("not_tested", refused ?? "nothing was sent for the registration")
          : answeredTo(last)
      })

    return { ask, write, register }
  })

/** POST or PUT credentials. */
const handsOver = ({ module, request: { method } }: Exchange) =>
  module === "credentials" && (method === "POST" || method === "PUT")

/** Event data that marks exchanges of another connection than the run's own. */
export const throughConnection = ({ id }: Party): { readonly connectionId: string } => ({ connectionId: id })

/** Is the request an ordinary one? Answers to requests that are wrong on purpose say nothing about the partner's dialect. */
const isAsUsual = ({ credentials, headers, rawBody }: ProbeRequest) =>
  credentials === undefined && headers === undefined && rawBody === undefined

/** `below` with the headers of `above`, which win; header names are case-insensitive. */
function overlaid(
  below: Readonly<Record<string, string>> = {},
  above: Readonly<Record<string, string>> = {}
): Readonly<Record<string, string>> {
  const named = new Set(Object.keys(above).map((name) => name.toLowerCase()))
  return {
    ...Object.fromEntries(Object.entries(below).filter(([name]) => !named.has(name.toLowerCase()))),
    ...above
  }
}

/** Requests with the same signature are identical to the partner. */
function signatureOf(call: OcpiCall, { by, credentials, headers }: ProbeRequest): string {
  const live = credentials === undefined || (credentials.use === "live" && !("headerName" in credentials))
  const as =
    live || credentials.use === "raw" || credentials.use === "base64" ? call.authorization?.form : credentials
  return JSON.stringify([call.method, call.url, call.body, call.rawBody, headers, as, by])
}
