/**
 * Registrations that we begin or end: discovery, POST credentials (PUT to rotate), DELETE to unregister, and
 * invitations.
 */
import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import { dayMillis } from "../../../schema/fields/durations.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import { issueToken } from "../../ocpi/tokens.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import type { PartnerCalls } from "../outbound/PartnerCalls.ts"
import { ChargingSimulation } from "../simulation/ChargingSimulation.ts"
import { nowIso } from "../wire/instants.ts"
import { freshUuid } from "../wire/messageId.ts"
import { lastErrorOf } from "../wire/RegistrationError.ts"
import { exchangeEnded, noExchange, registrationAfter, registrationMoment } from "../wire/registration.ts"
import { partyRootUrl, versionsUrl } from "../wire/roots.ts"
import { expectReturned, forgetTokens } from "../wire/tokenSlots.ts"
import { type RegisterOrder, register } from "./register.ts"
import { sendDelete, type UnregisterAnswer } from "./unregister.ts"

/** How a handshake ended. `ok: false` says why. */
type HandshakeResult =
  | { readonly ok: true; readonly party: Party }
  /** `error` begins with its class: `config:`, `network:`, `auth:`, `protocol:`, `unsupported:`. */
  | {
      readonly ok: false
      readonly error: string
      readonly party: Party
      /** Nothing was done: another exchange of credentials is open, or `begins` cancelled it. */
      readonly busy?: true
    }
  /** The party was removed meanwhile; `error` says what that means at the partner. */
  | { readonly ok: false; readonly error: string; readonly gone: true }

/** Options of a handshake. */
interface HandshakeOptions {
  /** For a registered party: the version to change to. */
  readonly version?: OcpiVersion
  /** For a party that is not registered: a new Token A of the partner, in place of the one that we had. */
  readonly tokenA?: Redacted.Redacted<string>
  readonly begins?: Begins
}

/** Wraps `begin`, for instance in a lock. `begin` returns the id of the opened exchange; return none to cancel it. */
type Begins = (begin: Effect.Effect<Option.Option<string>>) => Effect.Effect<Option.Option<string>>

/** Options of an unregistration. */
interface UnregisterOptions {
  readonly begins?: Begins
  /** Also removes the party. */
  readonly removes?: boolean
}

/** What the partner needs to register with us: our versions URL and a Token A. `expiresAt` is ISO 8601 UTC. */
interface InvitationIssued {
  readonly versionsUrl: string
  readonly token: Redacted.Redacted<string>
  readonly expiresAt: string
}

/** Registers with partners, invites them to register with us, and unregisters. */
export class Handshake extends Context.Tag("party/Handshake")<
  Handshake,
  {
    /**
     * GET versions, GET details, POST credentials; for a registered party the same with PUT. Never fails: the result says what
     * went wrong. Every exchange is recorded for the party.
     */
    readonly run: (id: PartyId, options?: HandshakeOptions) => Effect.Effect<HandshakeResult>
    /**
     * Issues a fresh Token A, with which the partner may register with us for a week; an earlier one is no longer accepted. None
     * if there is no such party, or its registration does not allow an invitation now.
     */
    readonly invite: (id: PartyId) => Effect.Effect<Option.Option<InvitationIssued>>
    /**
     * Sends DELETE credentials (best effort), then drops both tokens. No handshake can begin before that is done. `busy`:
     * nothing was done, because another exchange of credentials is open or `begins` cancelled it. `gone`: there is no
     * such party, or it was removed before this could begin.
     */
    readonly unregister: (
      id: PartyId,
      options?: UnregisterOptions
    ) => Effect.Effect<UnregisterAnswer & { readonly busy?: true; readonly gone?: true }>
  }
>() {
  /** `publicUrl`: the URL under which the partner reaches us for its calls back. */
  static readonly layer = (options: { readonly publicUrl: string }) =>
    Layer.effect(
      Handshake,
      Effect.gen(function* () {
        const world = yield* Effect.context<World>()
        const store = yield* PartyStore
        const simulation = yield* ChargingSimulation

        /** Enters the open state and returns the id of the exchange; none if the registration's state does not allow it. */
        const begin = traced("Handshake.begin")(function* (
          party: Party,
          event: "exchange.begun" | "ending.begun"
        ) {
          const moment = yield* registrationMoment(store, party.id)
          const id = yield* freshUuid
          let begun = false
          yield* store.update(party.id, (found) => {
            const next = registrationAfter(found, event, { id, ...moment })
            begun = next !== undefined
            if (next === undefined) return found
            return event === "ending.begun" ? next : { ...next, lastError: undefined }
          })
          return begun ? Option.some(id) : Option.none()
        })

        const attempt = traced("Handshake.attempt")(function* (party: Party, order: RegisterOrder) {
          const result = yield* Effect.either(register(party, order))
          if (result._tag === "Right") return undefined
          const { deviations } = order
          const found = yield* store.update(party.id, (now) => ({
            ...now,
            dialect: { ...now.dialect, deviations: distinct(now.dialect.deviations, deviations) }
          }))
          // If another exchange has replaced this one, the pending token belongs to that one.
          if (Option.exists(found, ({ open }) => open?.id === order.openId))
            yield* store.putToken(party.id, "pending", null)
          return lastErrorOf(result.left)
        })

        const run = traced("Handshake.run")(function* (id: PartyId, asked: HandshakeOptions = {}) {
          const before = yield* store.find(id)
          if (Option.isNone(before)) return nothingSent
          const party = before.value
          const open = yield* asked.begins?.(begin(party, "exchange.begun")) ?? begin(party, "exchange.begun")
          if (Option.isNone(open)) {
            if (Option.isNone(yield* store.find(id))) return nothingSent
            const error = "config: a handshake with this partner is under way; wait for it to end"
            return { ok: false, error, party, busy: true } as const
          }
          if (asked.tokenA !== undefined && party.registration === "none")
            yield* store.putToken(id, "outbound", { name: "tokenA", value: asked.tokenA })
          const outbound = (yield* store.tokens(id)).find(({ slot }) => slot === "outbound")
          if (outbound?.name === "tokenA") yield* store.putToken(id, "returned", outbound)
          const failed = Effect.map(Clock.currentTimeMillis, (nowMillis) => (now: Party): Party => {
            const ended = exchangeEnded(now, "exchange.failed", { id: open.value, nowMillis })
            // Drop the error of a call that was refused because this exchange was open.
            return ended === now ? now : { ...ended, lastError: undefined }
          })
          const error = yield* attempt(party, {
            openId: open.value,
            version: asked.version ?? party.version,
            publicUrl: options.publicUrl,
            deviations: []
          }).pipe(
            Effect.provide(world),
            Effect.ensuring(
              Effect.zipRight(
                Effect.provide(expectReturned(id), world),
                Effect.flatMap(failed, (ended) => store.update(id, ended))
              )
            )
          )
          const after = yield* store.find(id)
          if (Option.isNone(after))
            return { ok: false, error: error ?? "config: the connection was deleted", gone: true } as const
          if (error !== undefined) return { ok: false, error, party: after.value } as const
          yield* simulation.startActivity(id)
          return { ok: true, party: after.value } as const
        })

        const invite = traced("Handshake.invite")(function* (id: PartyId) {
          const found = yield* store.find(id)
          if (Option.isNone(found)) return Option.none()
          const party = found.value
          const exchange = { id: noExchange, ...(yield* registrationMoment(store, id)) }
          const issuedAt = yield* nowIso
          const expiresAt = new Date(exchange.nowMillis + invitationMillis).toISOString()
          let issued = false
          yield* store.update(id, (found) => {
            const next = registrationAfter(found, "invitation.issued", exchange)
            issued = next !== undefined
            return next === undefined
              ? found
              : { ...next, invitation: { state: "open", issuedAt, expiresAt }, lastError: null }
          })
          if (!issued) return Option.none()
          const token = yield* issueToken
          yield* store.putToken(id, "issued", { name: "tokenA", value: token })
          const url = versionsUrl(partyRootUrl(options.publicUrl, party))
          return Option.some({ versionsUrl: url, token, expiresAt })
        })

        const unregister = traced("Handshake.unregister")(function* (
          id: PartyId,
          { begins, removes = false }: UnregisterOptions = {}
        ) {
          const before = yield* store.find(id)
          if (Option.isNone(before)) return alreadyRemoved
          const begun = begin(before.value, "ending.begun")
          const open = yield* begins?.(begun) ?? begun
          if (Option.isNone(open)) {
            if (Option.isNone(yield* store.find(id))) return alreadyRemoved
            const message = "A handshake with this partner is under way; wait for it to end"
            return { told: false, message, busy: true } as const
          }
          // Read the party again: from here on no other exchange can change it.
          const party = Option.getOrElse(yield* store.find(id), () => before.value)
          const told = yield* Effect.provide(sendDelete(party), world)
          // A party that is `ending` until it is gone: in between, a run or a handshake could begin.
          if (removes) {
            yield* store.remove(id)
            return told
          }
          const nowMillis = yield* Clock.currentTimeMillis
          const ended = (now: Party) =>
            now.open?.id === open.value
              ? registrationAfter(now, "registration.ended", { id: open.value, nowMillis })
              : undefined
          yield* Effect.provide(forgetTokens(id, ended), world)
          return told
        })

        return Handshake.of({ run, invite, unregister })
      })
    )
}

type World = PartyStore | OcpiClient | PartnerCalls

const nothingSent = {
  ok: false,
  error: "config: the connection was deleted; nothing was sent",
  gone: true
} as const

const alreadyRemoved = { told: false, message: "There was no registration to end", gone: true } as const

/** A week: people pass tokens on by e-mail. */
const invitationMillis = 7 * dayMillis

const distinct = (some: ReadonlyArray<string>, more: ReadonlyArray<string>) => [
  ...new Set([...some, ...more])
]
