/** Requests of scripts that change the registration: what is handed over is kept before anything else is done. */
import { Effect, type Redacted } from "effect"
import type { Answer, OcpiCall } from "../ocpi/OcpiClient.ts"
import { issueToken } from "../ocpi/tokens.ts"
import { tokenIn } from "../party/credentialsObject.ts"
import type { PartnerCalls } from "../party/PartnerCalls.ts"
import { forgetTokens } from "../party/tokenSlots.ts"
import { type Party, PartyStore, type PartyToken } from "../store/PartyStore.ts"
import { isObject } from "./answers.ts"
import { wasAccepted } from "./journal.ts"
import type { Asking } from "./Probe.ts"

export interface Registrar {
  /** The token that was live before it was replaced or ended; undefined when that did not happen in this process. */
  readonly former: () => Redacted.Redacted<string> | undefined
  /** The call with our credentials object as its body, `over` laid over it; the token in it works from now on. */
  readonly offer: (call: OcpiCall, over: unknown) => Effect.Effect<OcpiCall>
  /** What the partner's answer made of the registration. */
  readonly settle: (what: NonNullable<Asking["registration"]>, answer: Answer) => Effect.Effect<void>
}

/** The partner calls us back while the request is open, and may be slow at it. */
const offerMillis = 45_000

export const makeRegistrar = (
  store: PartyStore["Type"],
  calls: PartnerCalls["Type"],
  party: Party
): Registrar => {
  let former: Redacted.Redacted<string> | undefined

  const slot = (name: PartyToken["slot"]) =>
    Effect.map(store.tokens(party.id), (tokens) => tokens.find((token) => token.slot === name))

  const offer: Registrar["offer"] = (call, over) =>
    Effect.gen(function* () {
      const value = yield* issueToken
      const name = (yield* slot("issued"))?.name ?? "tokenB"
      yield* store.putToken(party.id, "pending", { name, value })
      return {
        ...call,
        body: { ...(yield* calls.ourCredentials(party, value)), ...(isObject(over) ? over : {}) },
        timeoutMillis: offerMillis,
        secrets: [...call.secrets, { name, value }]
      }
    })

  const adopt = ({ exchange, json }: Answer) =>
    Effect.gen(function* () {
      const [issued, outbound, pending] = [
        yield* slot("issued"),
        yield* slot("outbound"),
        yield* slot("pending")
      ]
      const token = wasAccepted(exchange) ? tokenIn(isObject(json) ? json["data"] : undefined) : undefined
      if (token === undefined || pending === undefined) {
        // Without an answer the partner may have taken it: then it calls with the pending token.
        if (exchange.response !== null) yield* store.putToken(party.id, "pending", null)
        return
      }
      former = outbound?.value
      yield* store.putToken(party.id, "outbound", { name: outbound?.name ?? "tokenC", value: token })
      // Still known, so that a partner that goes on with its old token is seen to do so.
      yield* store.putToken(
        party.id,
        "previous",
        issued === undefined ? null : { name: issued.name, value: issued.value }
      )
      yield* store.putToken(party.id, "issued", { name: pending.name, value: pending.value })
      yield* store.putToken(party.id, "pending", null)
    })

  const end = ({ exchange }: Answer) =>
    Effect.gen(function* () {
      if (!wasAccepted(exchange)) return
      former = (yield* slot("outbound"))?.value
      yield* Effect.provideService(forgetTokens(party.id), PartyStore, store)
    })

  return {
    former: () => former,
    offer,
    settle: (what, answer) => (what === "hand over" ? adopt(answer) : end(answer))
  }
}
