/** Requests of scripts that change the registration: what is handed over is kept before anything else is done. */
import { Clock, Effect, type Redacted } from "effect"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { isObject } from "../../findings/json.ts"
import type { OcpiCall, PartnerAnswer } from "../../ocpi/OcpiClient.ts"
import { issueToken } from "../../ocpi/tokens.ts"
import type { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import type { Handshake } from "../../party/registration/Handshake.ts"
import { tokenIn } from "../../party/wire/credentialsObject.ts"
import { registrationAfter } from "../../party/wire/registration.ts"
import { forgetAfterDelete, takeToken } from "../../party/wire/tokenSlots.ts"
import { type Party, PartyStore, type PartyToken } from "../../store/parties/PartyStore.ts"
import type { ProbeRequest } from "../model/Probe.ts"
import { wasAccepted } from "./journal.ts"

export interface Registrar {
  /** The token that was live before it was replaced or ended; undefined when that did not happen in this process. */
  readonly former: () => Redacted.Redacted<string> | undefined
  /** The call with our credentials object as its body, `over` laid over it; the token in it works from now on. */
  readonly offer: (call: OcpiCall, over: unknown) => Effect.Effect<OcpiCall>
  /** What the partner's answer made of the registration. */
  readonly settle: (
    what: NonNullable<ProbeRequest["registration"]>,
    answer: PartnerAnswer
  ) => Effect.Effect<void>
  /** Registers as a handshake of the connection does. Why it failed, if so. */
  readonly register: (version?: OcpiVersion) => Effect.Effect<string | undefined>
}

/** The partner calls us back while the request is open, and may be slow at it. */
const offerMillis = 45_000

export const makeRegistrar = (
  store: PartyStore["Type"],
  calls: PartnerCalls["Type"],
  handshake: Handshake["Type"],
  party: Party
): Registrar => {
  let former: Redacted.Redacted<string> | undefined

  const slot = (name: PartyToken["slot"]) =>
    Effect.map(store.tokens(party.id), (tokens) => tokens.find((token) => token.slot === name))

  const offer: Registrar["offer"] = (call, over) =>
    Effect.gen(function* () {
      const value = yield* issueToken
      const issued = yield* slot("issued")
      const name = issued === undefined || issued.name === "tokenA" ? "tokenB" : issued.name
      yield* store.putToken(party.id, "pending", { name, value })
      return {
        ...call,
        body: { ...(yield* calls.ourCredentials(party, value)), ...(isObject(over) ? over : {}) },
        timeoutMillis: offerMillis,
        secrets: [...call.secrets, { name, value }]
      }
    })

  const adopt = ({ exchange, json }: PartnerAnswer) =>
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
      const name = outbound === undefined || outbound.name === "tokenA" ? "tokenC" : outbound.name
      yield* Effect.provideService(takeToken(party.id, { name, value: token }), PartyStore, store)
      // Still known, so that a partner that goes on with its old token is seen to do so.
      yield* store.putToken(
        party.id,
        "previous",
        issued === undefined || issued.name === "tokenA" ? null : { name: issued.name, value: issued.value }
      )
      yield* store.putToken(party.id, "issued", { name: pending.name, value: pending.value })
      yield* store.putToken(party.id, "pending", null)
      const nowMillis = yield* Clock.currentTimeMillis
      const registeredAt = new Date(nowMillis).toISOString()
      const ofAnswer = { id: exchange.id, nowMillis }
      // A partner that hands over a token takes us for registered, whatever we asked for.
      yield* store.update(party.id, (now) => {
        const begun = registrationAfter(now, "exchange.begun", ofAnswer)
        const next = begun && registrationAfter(begun, "exchange.completed", ofAnswer)
        return next === undefined ? now : { ...next, registeredAt: now.registeredAt ?? registeredAt }
      })
    })

  const register: Registrar["register"] = (version) =>
    Effect.gen(function* () {
      const outbound = yield* slot("outbound")
      const done = yield* handshake.run(party.id, version === undefined ? {} : { version })
      if (done.ok) former = outbound?.value
      return done.ok ? undefined : done.error
    })

  const end = ({ exchange }: PartnerAnswer) =>
    Effect.gen(function* () {
      if (!wasAccepted(exchange)) return
      former = (yield* slot("outbound"))?.value
      yield* Effect.provideService(forgetAfterDelete(party.id), PartyStore, store)
    })

  return {
    former: () => former,
    offer,
    register,
    settle: (what, answer) => (what === "hand over" ? adopt(answer) : end(answer))
  }
}
