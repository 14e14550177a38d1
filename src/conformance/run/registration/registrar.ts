/** Requests of scripts that change the registration. New tokens are stored before anything else happens. */
import { Clock, Effect, type Redacted } from "effect"
import type { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import { isObject } from "../../../findings/json.ts"
import type { OcpiCall, PartnerAnswer } from "../../../ocpi/OcpiClient.ts"
import { issueToken } from "../../../ocpi/tokens.ts"
import type { PartnerCalls } from "../../../party/outbound/PartnerCalls.ts"
import type { Handshake } from "../../../party/registration/Handshake.ts"
import { tokenIn } from "../../../party/wire/credentialsObject.ts"
import { registrationAfter } from "../../../party/wire/registration.ts"
import { forgetAfterDelete, takeToken } from "../../../party/wire/tokenSlots.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import type { PartyToken } from "../../../store/parties/TokenSlot.ts"
import type { ProbeRequest } from "../../model/Probe.ts"
import { wasAccepted } from "../journal.ts"

/** Keeps the tokens and the registration state of a party while a script exchanges credentials. */
export interface Registrar {
  /** Our token before it was last replaced or ended; undefined if that did not happen in this process. */
  readonly former: () => Redacted.Redacted<string> | undefined
  /** The call with our credentials object as its body, overridden by the fields of `over`. We accept the token in it from now on. */
  readonly offer: (call: OcpiCall, over: unknown) => Effect.Effect<OcpiCall>
  /** Stores the tokens and the registration state that follow from the partner's answer. */
  readonly settle: (
    what: NonNullable<ProbeRequest["registration"]>,
    answer: PartnerAnswer
  ) => Effect.Effect<void>
  /** Runs a handshake; returns why it failed, or undefined. */
  readonly register: (version?: OcpiVersion) => Effect.Effect<string | undefined>
}

/** Time limit of POST and PUT credentials: the partner calls us back while the request is open, and may be slow. */
const offerMillis = 45_000

/** A registrar of one party; it remembers the former token in memory only. */
export const makeRegistrar = (
  store: PartyStore["Type"],
  calls: PartnerCalls["Type"],
  handshake: Handshake["Type"],
  party: Party
): Registrar => {
  let former: Redacted.Redacted<string> | undefined

  const slot = (name: PartyToken["slot"]) =>
    Effect.map(store.tokens(party.id), (tokens) => tokens.find((token) => token.slot === name))

  const offer: Registrar["offer"] = Effect.fnUntraced(function* (call, over) {
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

  const adopt = Effect.fnUntraced(function* ({ exchange, json }: PartnerAnswer) {
    const [issued, outbound, pending] = [
      yield* slot("issued"),
      yield* slot("outbound"),
      yield* slot("pending")
    ]
    const token = wasAccepted(exchange) ? tokenIn(isObject(json) ? json["data"] : undefined) : undefined
    if (token === undefined || pending === undefined) {
      // Without an answer the partner may have accepted the pending token, and then calls with it.
      if (exchange.response !== null) yield* store.putToken(party.id, "pending", null)
      return
    }
    former = outbound?.value
    const name = outbound === undefined || outbound.name === "tokenA" ? "tokenC" : outbound.name
    yield* Effect.provideService(takeToken(party.id, { name, value: token }), PartyStore, store)
    // Keep the replaced token, so that a partner's calls with it are recognised.
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
    // A partner that returns a token considers us registered, whatever we requested.
    yield* store.update(party.id, (now) => {
      const begun = registrationAfter(now, "exchange.begun", ofAnswer)
      const next = begun && registrationAfter(begun, "exchange.completed", ofAnswer)
      return next === undefined ? now : { ...next, registeredAt: now.registeredAt ?? registeredAt }
    })
  })

  const register: Registrar["register"] = Effect.fnUntraced(function* (version) {
    const outbound = yield* slot("outbound")
    const done = yield* handshake.run(party.id, version === undefined ? {} : { version })
    if (done.ok) former = outbound?.value
    return done.ok ? undefined : done.error
  })

  const end = Effect.fnUntraced(function* ({ exchange }: PartnerAnswer) {
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
