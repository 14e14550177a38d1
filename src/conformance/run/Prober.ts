/**
 * Sending what probes ask: intent to the ledger, one exchange, completion to the ledger. The same reading request is sent
 * once per run, and never more at a time to one partner than allowed.
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

export interface ProberOptions {
  readonly party: Party
  /** Through which askings `by: "second"` go. */
  readonly second?: Party | undefined
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<unknown, StaleRun>
  /** The module being graded, as the ledger's stage. */
  readonly stageId: () => string
  /** Why nothing more may be sent; undefined while the run goes on. Asked before each request: the safe point. */
  readonly stopped: () => string | undefined
  /** Limits what is under way to the partner. */
  readonly limit: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** Silent exchanges one after the other, after which a partner is taken to be away. */
const silenceLimit = 6

export interface Prober {
  readonly ask: SendRequest<StaleRun>
  /**
   * Sends a request of a script, marked in the ledger as its step. `anyhow`: also when the run is to stop, for cleaning
   * up.
   */
  readonly write: (
    asking: ProbeRequest,
    mark: StepMark,
    anyhow?: "anyhow"
  ) => Effect.Effect<Observation | NotGathered, StaleRun>
  /** Registers as a handshake does; answers the last of its requests, which is POST credentials when all went well. */
  readonly register: (
    mark: StepMark,
    version?: OcpiVersion,
    anyhow?: "anyhow"
  ) => Effect.Effect<Observation | NotGathered, StaleRun>
}

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

    /** The second one as it stands now: the run has not got its connection for itself. */
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
          // A limit that a probe sets is the question itself.
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
          // Tokens first: a crash between the two must not lose the way in.
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
              // The step is done once this is answered.
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

/** Stands on ledger lines of exchanges that are not of the run's own connection. */
export const throughConnection = ({ id }: Party): { readonly connectionId: string } => ({ connectionId: id })

/** What is answered to a request that is wrong on purpose tells nothing of the usual traffic. */
const isAsUsual = ({ credentials, headers, rawBody }: ProbeRequest) =>
  credentials === undefined && headers === undefined && rawBody === undefined

/** Headers with others laid over them: a name in another case is the same name. */
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

/** Two requests with the same signature are the same question to the partner. */
function signatureOf(call: OcpiCall, { by, credentials, headers }: ProbeRequest): string {
  const live = credentials === undefined || (credentials.use === "live" && !("headerName" in credentials))
  const as =
    live || credentials.use === "raw" || credentials.use === "base64" ? call.authorization?.form : credentials
  return JSON.stringify([call.method, call.url, call.body, call.rawBody, headers, as, by])
}
