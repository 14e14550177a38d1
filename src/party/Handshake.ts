/** Registration with the partner, by us: discovery, POST credentials (or PUT to rotate), DELETE to unregister. */
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import { profileOf } from "../../schema/ocpi/versions.ts"
import type { OcpiClient } from "../ocpi/OcpiClient.ts"
import { issueToken } from "../ocpi/tokens.ts"
import { type Party, PartyStore, type PartyToken } from "../store/PartyStore.ts"
import { dialectAfter, ourCredentials, partiesIn, tokenIn } from "./credentialsObject.ts"
import { type Discovery, discover } from "./discovery.ts"
import { nowIso } from "./instants.ts"
import { objectIn } from "./json.ts"
import { freshUuid } from "./messageId.ts"
import type { PartnerCalls } from "./PartnerCalls.ts"
import { performCall } from "./performCall.ts"
import { partyRootUrl, versionsUrl } from "./roots.ts"
import { dataOf, lastErrorOf, Trouble } from "./Trouble.ts"
import { forgetTokens } from "./tokenSlots.ts"

export type HandshakeResult =
  | { readonly ok: true; readonly party: Party }
  /** `error` begins with its class: `config:`, `network:`, `auth:`, `protocol:`, `unsupported:`. */
  | { readonly ok: false; readonly error: string; readonly party: Party }

export class Handshake extends Context.Tag("party/Handshake")<
  Handshake,
  {
    /** GET versions, GET details, POST credentials; on a registered party the same with PUT. Never fails: what went wrong is in the result. Every exchange is recorded for the party. */
    readonly run: (id: PartyId) => Effect.Effect<HandshakeResult>
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
        const underWay = new Set<PartyId>()

        const partyOf = (id: PartyId) =>
          Effect.flatMap(
            store.find(id),
            Option.match({
              onNone: () => Effect.dieMessage(`There is no party ${id} to register`),
              onSome: Effect.succeed
            })
          )

        const attempt = Effect.fn("Handshake.attempt")(function* (party: Party) {
          const result = yield* Effect.either(register(party, options.publicUrl))
          const now = yield* partyOf(party.id)
          if (result._tag === "Right") return { ok: true, party: now } as const
          yield* store.putToken(party.id, "pending", null)
          return { ok: false, error: lastErrorOf(result.left), party: now } as const
        })

        const run = Effect.fn("Handshake.run")(function* (id: PartyId) {
          const party = yield* partyOf(id)
          if (underWay.has(id)) {
            const error = "config: a handshake with this partner is under way; wait for it to end"
            return { ok: false, error, party } as const
          }
          underWay.add(id)
          return yield* attempt(party).pipe(
            Effect.provide(world),
            Effect.ensuring(Effect.sync(() => underWay.delete(id)))
          )
        })

        const unregister = Effect.fn("Handshake.unregister")(function* (id: PartyId) {
          const party = yield* partyOf(id)
          const told = yield* Effect.provide(tell(party), world)
          yield* Effect.provide(forgetTokens(id), world)
          return told
        })

        return Handshake.of({ run, unregister })
      })
    )
}

type World = PartyStore | OcpiClient | PartnerCalls

/** The partner calls us back while this is open, and may be slow at it. */
const credentialsMillis = 45_000

/** Names of the tokens in the exchange that is to come: what is in use is being replaced. */
interface Names {
  readonly ours: PartyToken["name"]
  readonly theirs: PartyToken["name"]
}

function register(party: Party, publicUrl: string): Effect.Effect<void, Trouble, World> {
  return Effect.gen(function* () {
    const store = yield* PartyStore
    const tokens = yield* store.tokens(party.id)
    const slot = (name: PartyToken["slot"]) => tokens.find((token) => token.slot === name)
    const outbound = slot("outbound")
    if (outbound === undefined)
      return yield* new Trouble({
        kind: "config",
        message: "there is no token to call the partner with; ask it for a new Token A"
      })
    if (!URL.canParse(party.counterpart.versionsUrl))
      return yield* new Trouble({
        kind: "config",
        message: "the partner's versions URL is missing or no URL"
      })
    const isRotation = party.registration === "registered"
    const correlationId = yield* freshUuid
    const found = yield* discover(party, {
      versionsUrl: party.counterpart.versionsUrl,
      name: outbound.name,
      token: outbound.value,
      correlationId
    })
    const fresh = yield* issueToken
    const names: Names = isRotation
      ? { ours: slot("issued")?.name ?? "tokenB", theirs: outbound.name }
      : { ours: "tokenB", theirs: "tokenC" }
    // Before it is sent: the partner calls back with it while our request is open.
    yield* store.putToken(party.id, "pending", { name: names.ours, value: fresh })
    yield* store.update(party.id, (now) => ({
      ...now,
      dialect: dialectAfter(now.dialect, found, found.deviations)
    }))
    yield* exchangeCredentials(party, found, { fresh, names, publicUrl, correlationId })
  })
}

function exchangeCredentials(
  party: Party,
  found: Discovery,
  sending: {
    readonly fresh: Redacted.Redacted<string>
    readonly names: Names
    readonly publicUrl: string
    readonly correlationId: string
  }
): Effect.Effect<void, Trouble, World> {
  return Effect.gen(function* () {
    const store = yield* PartyStore
    const profile = profileOf(party.version)
    const { fresh, names } = sending
    const method = party.registration === "registered" ? "PUT" : "POST"
    const deviations = [...found.deviations]
    const what = `${method} credentials`
    const answer = yield* performCall(
      {
        ...party,
        dialect: dialectAfter(party.dialect, found, deviations),
        counterpart: { ...party.counterpart, endpoints: found.endpoints }
      },
      {
        module: "credentials",
        interfaceRole: "SENDER",
        operation: what,
        method,
        body: ourCredentials(profile, party, fresh, versionsUrl(partyRootUrl(sending.publicUrl, party))),
        correlationId: sending.correlationId,
        timeoutMillis: credentialsMillis
      }
    ).pipe(Effect.orDie) // discovery has found a credentials endpoint
    const data = yield* Effect.mapError(dataOf(what, answer, deviations), (trouble) =>
      explained(trouble, method, sending.publicUrl)
    )
    const token = tokenIn(data)
    if (token === undefined)
      return yield* new Trouble({
        kind: "protocol",
        message: `${what} answered without a token; the partner may take us for registered, ask it for a new Token A`
      })
    const parties = partiesIn(profile, party, objectIn(data))
    // The partner's new token is the only way in from here on: kept, whatever else is wrong with the answer.
    if (parties === null) deviations.push(`${what} answered without the partner's roles`)
    const registeredAt = yield* nowIso
    yield* store.putToken(party.id, "outbound", { name: names.theirs, value: token })
    yield* store.putToken(party.id, "issued", { name: names.ours, value: fresh })
    yield* store.putToken(party.id, "pending", null)
    yield* store.putToken(party.id, "previous", null)
    yield* store.update(party.id, (now) => ({
      ...now,
      registration: "registered",
      registeredAt: now.registeredAt ?? registeredAt,
      dialect: dialectAfter(now.dialect, found, [...now.dialect.deviations, ...deviations]),
      counterpart: {
        ...now.counterpart,
        endpoints: found.endpoints,
        parties: parties ?? now.counterpart.parties
      }
    }))
  })
}

function explained(trouble: Trouble, method: "POST" | "PUT", publicUrl: string): Trouble {
  const more = (message: string) => new Trouble({ ...trouble, message: `${trouble.message}${message}` })
  if (trouble.statusCode === 3001) return more(`; can the partner reach ${publicUrl}?`)
  if (trouble.kind === "network")
    return more(
      method === "POST"
        ? "; if the partner took it, it now refuses Token A: ask it for a new one"
        : "; if the partner took it, it now refuses the old token: register anew"
    )
  return trouble
}

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
    return yield* dataOf("DELETE credentials", answer.right, []).pipe(
      Effect.match({
        onFailure: (trouble) => ({ told: false, message: lastErrorOf(trouble) }),
        onSuccess: () => ({ told: true, message: "The partner confirmed the end of the registration" })
      })
    )
  })
}
