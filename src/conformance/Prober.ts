/**
 * Sending what probes ask: intent to the ledger, one exchange, completion to the ledger. The same request is sent once
 * per run, and never more at a time to one partner than allowed.
 */
import { Clock, Deferred, Effect, Redacted } from "effect"
import type { EventDraft, StaleRun } from "../ledger/Ledger.ts"
import { type Answer, type OcpiCall, OcpiClient } from "../ocpi/OcpiClient.ts"
import { authorizationValue, issueToken } from "../ocpi/tokens.ts"
import { PartnerCalls } from "../party/PartnerCalls.ts"
import { newId } from "../store/newId.ts"
import type { Party } from "../store/PartyStore.ts"
import type { Seen, Withheld } from "./Evidence.ts"
import type { Ask } from "./gather.ts"
import type { Asking, Credentials } from "./Probe.ts"
import { withheld } from "./Probe.ts"

export interface ProberOptions {
  readonly party: Party
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

export const makeProber = (
  options: ProberOptions
): Effect.Effect<Ask<StaleRun>, never, OcpiClient | PartnerCalls> =>
  Effect.gen(function* () {
    const client = yield* OcpiClient
    const calls = yield* PartnerCalls
    const sent = new Map<string, Deferred.Deferred<Seen | Withheld, StaleRun>>()
    let silences = 0

    const stop = () =>
      options.stopped() ??
      (silences >= silenceLimit
        ? `the partner did not answer ${silenceLimit} requests in a row: the rest was not sent`
        : undefined)

    const exchange = (call: OcpiCall, about: string): Effect.Effect<Seen | Withheld, StaleRun> =>
      Effect.gen(function* () {
        const reason = stop()
        if (reason !== undefined) return withheld("not_tested", reason)
        const startedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
        const stageId = options.stageId()
        yield* options.record([
          {
            type: "exchange.intended",
            key: `${call.exchangeId}/intended`,
            stageId,
            exchange: client.intent(call, startedAt)
          }
        ])
        const answer: Answer = yield* client.exchange(call)
        silences = answer.exchange.response === null ? silences + 1 : 0
        yield* options.record([
          {
            type: "exchange.completed",
            key: `${call.exchangeId}/completed`,
            stageId,
            exchange: answer.exchange
          }
        ])
        return { exchange: answer.exchange, json: answer.json, about }
      })

    return (asking) =>
      Effect.gen(function* () {
        const call = yield* prepare(calls, options.party, asking)
        if ("withheld" in call) return call
        const signature = signatureOf(call, asking)
        const earlier = asking.again === true ? undefined : sent.get(signature)
        if (earlier !== undefined) {
          return yield* Effect.map(Deferred.await(earlier), (seen) =>
            "withheld" in seen ? seen : { ...seen, about: asking.about ?? "" }
          )
        }
        const mine = yield* Deferred.make<Seen | Withheld, StaleRun>()
        if (asking.again !== true) sent.set(signature, mine)
        return yield* options
          .limit(exchange(call, asking.about ?? ""))
          .pipe(Effect.onExit((exit) => Deferred.done(mine, exit)))
      })
  })

function prepare(
  calls: PartnerCalls["Type"],
  party: Party,
  asking: Asking
): Effect.Effect<OcpiCall | Withheld> {
  return Effect.gen(function* () {
    const { about: _, again: __, credentials, ...request } = asking
    const call = yield* calls.prepare(party, {
      ...request,
      method: "GET",
      exchangeId: yield* newId("exchange")
    })
    return yield* withCredentials(call, credentials ?? { use: "live" })
  }).pipe(Effect.catchTag("NoEndpoint", ({ message }) => Effect.succeed(withheld("not_applicable", message))))
}

/** Only ever replaces the Authorization header; a live token keeps its value. */
function withCredentials(call: OcpiCall, credentials: Credentials): Effect.Effect<OcpiCall> {
  return Effect.gen(function* () {
    const { authorization, ...bare } = call
    switch (credentials.use) {
      case "none":
        return bare
      case "random":
        return {
          ...bare,
          authorization: { token: yield* issueToken, form: authorization?.form ?? "raw" }
        }
      case "literal": {
        const random = Redacted.value(yield* issueToken)
        const value = credentials.value.replace("$RANDOM", random)
        return { ...bare, authorization: { token: Redacted.make(value), form: "literal" as const } }
      }
      case "raw":
      case "base64":
        return authorization === undefined
          ? bare
          : { ...bare, authorization: { token: authorization.token, form: credentials.use } }
      case "live": {
        if (!("headerName" in credentials) || authorization === undefined) return call
        const value = authorizationValue(authorization.token, authorization.form)
        return { ...bare, headers: { ...bare.headers, [credentials.headerName]: value } }
      }
    }
  })
}

/** Two requests with the same signature are the same question to the partner. */
function signatureOf(call: OcpiCall, { credentials }: Asking): string {
  const live = credentials === undefined || (credentials.use === "live" && !("headerName" in credentials))
  const as =
    live || credentials.use === "raw" || credentials.use === "base64" ? call.authorization?.form : credentials
  return JSON.stringify([call.method, call.url, as])
}
