/** Registration with the partner, by us: discovery, POST credentials (or PUT to rotate), DELETE to unregister. */
import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import type { OcpiClient } from "../ocpi/OcpiClient.ts"
import { issueToken } from "../ocpi/tokens.ts"
import { type Party, PartyStore } from "../store/PartyStore.ts"
import { nowIso } from "./instants.ts"
import { freshUuid } from "./messageId.ts"
import type { PartnerCalls } from "./PartnerCalls.ts"
import { performCall } from "./performCall.ts"
import { register } from "./register.ts"
import { isInvited, mayNow } from "./registration.ts"
import { partyRootUrl, versionsUrl } from "./roots.ts"
import { ChargingSimulation } from "./simulation/ChargingSimulation.ts"
import { dataOf, lastErrorOf, Trouble } from "./Trouble.ts"
import { expectReturned, forgetTokens, returnedToken } from "./tokenSlots.ts"

export type HandshakeResult =
  | { readonly ok: true; readonly party: Party }
  /** `error` begins with its class: `config:`, `network:`, `auth:`, `protocol:`, `unsupported:`. */
  | {
      readonly ok: false
      readonly error: string
      readonly party: Party
      /** Nothing was done: another exchange of credentials is open, or `begins` was against it. */
      readonly busy?: true
    }

export interface HandshakeOptions {
  /** On a registered party: the version to go on in. */
  readonly version?: OcpiVersion
  /** On one that is not registered: a new Token A of the partner, in place of the one that we had. */
  readonly tokenA?: Redacted.Redacted<string>
  /** Goes about `begin`, after which it is open and has that id; where this answers none, nothing is done. */
  readonly begins?: (begin: Effect.Effect<Option.Option<string>>) => Effect.Effect<Option.Option<string>>
}

export interface InvitationIssued {
  readonly versionsUrl: string
  readonly token: Redacted.Redacted<string>
  readonly expiresAt: string
}

export class Handshake extends Context.Tag("party/Handshake")<
  Handshake,
  {
    /** GET versions, GET details, POST credentials; on a registered party the same with PUT. Never fails: what went wrong is in the result. Every exchange is recorded for the party. */
    readonly run: (id: PartyId, options?: HandshakeOptions) => Effect.Effect<HandshakeResult>
    /** A fresh Token A for the partner, who may register with us by it for a week; one that was out before is dead. None: somebody is registered, or about to be. */
    readonly invite: (id: PartyId) => Effect.Effect<Option.Option<InvitationIssued>>
    /** DELETE credentials at the partner (best effort), then both tokens are forgotten. */
    readonly unregister: (id: PartyId) => Effect.Effect<{ readonly told: boolean; readonly message: string }>
  }
>() {
  /** `publicUrl`: where the partner reaches us for its call back. */
  static readonly layer = (options: { readonly publicUrl: string }) =>
    Layer.effect(
      Handshake,
      Effect.gen(function* () {
        const world = yield* Effect.context<World>()
        const store = yield* PartyStore
        const simulation = yield* ChargingSimulation

        const partyOf = (id: PartyId) =>
          Effect.flatMap(
            store.find(id),
            Option.match({
              onNone: () => Effect.dieMessage(`There is no party ${id} to register`),
              onSome: Effect.succeed
            })
          )

        /** Enters the open state, or tells in which state that is not possible. */
        const begin = Effect.fn("Handshake.begin")(function* (party: Party) {
          const invited = isInvited(yield* store.tokens(party.id))
          const now = yield* Clock.currentTimeMillis
          const since = new Date(now).toISOString()
          const id = yield* freshUuid
          let begun = false
          yield* store.update(party.id, (found) => {
            begun = mayNow(found, invited, now, "exchange.begun")
            if (!begun) return found
            const state = found.registration === "registered" ? "rotating" : "registering"
            return { ...found, open: { id, state, since }, lastError: undefined }
          })
          return begun ? Option.some(id) : Option.none()
        })

        const attempt = Effect.fn("Handshake.attempt")(function* (party: Party, version: OcpiVersion) {
          const deviations: Array<string> = []
          const order = { version, publicUrl: options.publicUrl, deviations }
          const result = yield* Effect.either(
            Effect.filterOrFail(
              register(party, order),
              (done) => done,
              () =>
                new Trouble({
                  kind: "protocol",
                  message: "the partner ended the registration while our PUT credentials was open"
                })
            )
          )
          const now = yield* partyOf(party.id)
          if (result._tag === "Right") return { ok: true, party: now } as const
          yield* store.putToken(party.id, "pending", null)
          yield* store.update(party.id, (found) => ({
            ...found,
            dialect: { ...found.dialect, deviations: distinct(found.dialect.deviations, deviations) }
          }))
          return { ok: false, error: lastErrorOf(result.left), party: now } as const
        })

        const run = Effect.fn("Handshake.run")(function* (id: PartyId, asked: HandshakeOptions = {}) {
          const party = yield* partyOf(id)
          const open = yield* asked.begins?.(begin(party)) ?? begin(party)
          if (Option.isNone(open)) {
            const error = "config: a handshake with this partner is under way; wait for it to end"
            return { ok: false, error, party, busy: true } as const
          }
          if (asked.tokenA !== undefined && party.registration === "none")
            yield* store.putToken(id, "outbound", { name: "tokenA", value: asked.tokenA })
          const outbound = (yield* store.tokens(id)).find(({ slot }) => slot === "outbound")
          if (outbound?.name === "tokenA") yield* store.putToken(id, "returned", returnedToken(outbound))
          const isOurs = (now: Party) => now.open?.id === open.value
          const result = yield* attempt(party, asked.version ?? party.version).pipe(
            Effect.provide(world),
            Effect.ensuring(
              Effect.zipRight(
                Effect.provide(expectReturned(id), world),
                // A call that was turned away because this was open has nothing to add to how this ended.
                store.update(id, (now) => (isOurs(now) ? { ...now, open: null, lastError: undefined } : now))
              )
            )
          )
          if (result.ok) yield* simulation.attend(id)
          return { ...result, party: yield* partyOf(id) }
        })

        const invite = Effect.fn("Handshake.invite")(function* (id: PartyId) {
          const party = yield* partyOf(id)
          const invited = isInvited(yield* store.tokens(id))
          const now = yield* Clock.currentTimeMillis
          const issuedAt = yield* nowIso
          const expiresAt = new Date(now + invitationMillis).toISOString()
          let issued = false
          yield* store.update(id, (found) => {
            issued = mayNow(found, invited, now, "invitation.issued")
            return issued
              ? { ...found, invitation: { state: "open", issuedAt, expiresAt }, lastError: null }
              : found
          })
          if (!issued) return Option.none()
          const token = yield* issueToken
          yield* store.putToken(id, "issued", { name: "tokenA", value: token })
          const url = versionsUrl(partyRootUrl(options.publicUrl, party))
          return Option.some({ versionsUrl: url, token, expiresAt })
        })

        const unregister = Effect.fn("Handshake.unregister")(function* (id: PartyId) {
          const party = yield* partyOf(id)
          const told = yield* Effect.provide(tell(party), world)
          yield* Effect.provide(forgetTokens(id), world)
          return told
        })

        return Handshake.of({ run, invite, unregister })
      })
    )
}

type World = PartyStore | OcpiClient | PartnerCalls

/** People pass tokens on by mail, and mail is read on Mondays. */
const invitationMillis = 7 * 24 * 3_600_000

const distinct = (some: ReadonlyArray<string>, more: ReadonlyArray<string>) => [
  ...new Set([...some, ...more])
]

function tell(party: Party) {
  return Effect.gen(function* () {
    if (party.registration !== "registered")
      return { told: false, message: "There was no registration to end" }
    const answer = yield* Effect.either(
      performCall(party, {
        module: "credentials",
        interfaceRole: "SENDER",
        operation: "DELETE credentials",
        method: "DELETE"
      })
    )
    if (answer._tag === "Left") return { told: false, message: answer.left.message }
    // Told before, and we stopped before we could note it; or the partner has ended it by itself.
    if (answer.right.exchange.response?.httpStatus === 401)
      return {
        told: true,
        message: "The partner knows our token no more: there is no registration left to end"
      }
    return yield* dataOf("DELETE credentials", answer.right, []).pipe(
      Effect.match({
        onFailure: (trouble) => ({ told: false, message: lastErrorOf(trouble) }),
        onSuccess: () => ({ told: true, message: "The partner confirmed the end of the registration" })
      })
    )
  })
}
