/** Parties in memory, for a standalone sandbox and for tests. Lost with the process. */
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { makeArrivals } from "./Arrivals.ts"
import { makeExchanges } from "./exchanges/exchangesInMemory.ts"
import type { Party } from "./Party.ts"
import {
  expectedResults,
  type Found,
  type KeptObject,
  mostPastTokens,
  type PartyObject,
  PartyStore,
  simulatedModules,
  type TokenPurpose
} from "./PartyStore.ts"
import { foldKey, millisOf } from "./partyRows.ts"
import { scrubbedParties } from "./scrubbedParties.ts"
import { isLookupSlot, lookupOf, tokenHashOf } from "./TokenLookup.ts"
import { acceptedSlots, type NamedToken, type PartyToken, recognisedSlots } from "./TokenSlot.ts"

interface Held {
  party: Party
  readonly createdAt: string
  readonly tokens: Map<PartyToken["slot"], PartyToken>
  /** Lookup values of the tokens in the slots. */
  readonly lookups: Map<PartyToken["slot"], Buffer>
  /** Newest first. */
  past: ReadonlyArray<NamedToken>
  secrets: ReadonlyArray<NamedToken>
  /** By module, side and folded key. */
  readonly objects: Map<string, KeptObject>
}

/** A new, empty store each time the layer is built. */
export const PartyStoreMemory: Layer.Layer<PartyStore> = Layer.effect(
  PartyStore,
  Effect.gen(function* () {
    const parties = new Map<PartyId, Held>()
    const exchanges = makeExchanges()
    let writes = 0
    const arrivals = makeArrivals()

    const put = (held: Held, token: PartyToken) => {
      held.tokens.set(token.slot, token)
      if (isLookupSlot(token.slot))
        held.lookups.set(token.slot, lookupOf(noKey, token.slot, tokenHashOf(Redacted.value(token.value))))
      remember(held, [token])
    }
    const remember = (held: Held, tokens: ReadonlyArray<NamedToken>) => {
      const values = new Set(tokens.map(({ value }) => Redacted.value(value)))
      const others = held.past.filter(({ value }) => !values.has(Redacted.value(value)))
      held.past = [...tokens, ...others].slice(0, mostPastTokens)
      held.secrets = [...held.tokens.values(), ...held.past].map(({ name, value }) => ({ name, value }))
    }
    const sandboxes = () => [...parties.values()].filter(({ party }) => party.kind === "sandbox")
    const held = (id: PartyId) => Option.fromNullable(parties.get(id))
    const tokensOf = (found: Held | undefined): ReadonlyArray<PartyToken> =>
      [...(found?.tokens.values() ?? [])].sort((a, b) => compare(a.slot, b.slot))
    // Nobody else changes it, so nothing is ever out of date.
    const searched = (id: PartyId) => ({ secrets: parties.get(id)?.secrets ?? [], tokenVersion: 0 })

    return scrubbedParties({
      insert: (party, tokens) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          if (parties.has(party.id)) return
          const made = {
            party,
            createdAt: new Date(millis).toISOString(),
            tokens: new Map(),
            lookups: new Map(),
            past: [],
            secrets: [],
            objects: new Map()
          }
          parties.set(party.id, made)
          for (const token of tokens) put(made, token)
        }),
      find: (id) => Effect.sync(() => Option.map(held(id), ({ party }) => party)),
      known: searched,
      latest: (id) => Effect.sync(() => searched(id)),
      update: (id, change, tokens) =>
        Effect.sync(() =>
          Option.map(held(id), (found) => {
            const changed = change(found.party, found.secrets)
            if (changed === found.party) return found.party
            // Owner and kind never change, as in Postgres.
            const { kind, ownerId } = found.party
            found.party = { ...changed, id, kind, ownerId }
            for (const { slot, token } of tokens) {
              if (token === null) found.tokens.delete(slot)
              else put(found, { ...token, slot })
            }
            return found.party
          })
        ),
      remove: (id) =>
        Effect.sync(() => {
          parties.delete(id)
        }),
      sandboxes: (ownerId) =>
        Effect.sync(() =>
          sandboxes()
            .filter(({ party }) => party.ownerId === ownerId)
            .map(({ createdAt, party }) => ({ ...party, createdAt }))
            .sort((a, b) => compare(b.id, a.id))
        ),
      allSandboxes: Effect.sync(() => sandboxes().map(({ party }) => party)),
      leftBehind: (living) =>
        Effect.sync(() =>
          [...parties].flatMap(([id, { objects }]) =>
            [...objects.values()].some((object) => isLeftBehind(object, living)) ? [id] : []
          )
        ),

      tokens: (id) => Effect.sync(() => tokensOf(parties.get(id))),
      keyring: (id) =>
        Effect.sync(() => ({ tokens: tokensOf(parties.get(id)), secrets: parties.get(id)?.secrets ?? [] })),
      isCurrent: () => Effect.succeed(true),
      putToken: (id, slot, token) =>
        Effect.sync(() => {
          const found = parties.get(id)
          if (found === undefined) return
          if (token === null) found.tokens.delete(slot)
          else put(found, { ...token, slot })
        }),
      remember: (id, tokens) =>
        Effect.sync(() => {
          const found = parties.get(id)
          if (found !== undefined && tokens.length > 0) remember(found, tokens)
        }),
      secrets: (id) => Effect.sync(() => parties.get(id)?.secrets ?? []),
      findByToken: <P extends TokenPurpose>(
        purpose: P,
        candidates: ReadonlyArray<string>,
        among: (party: Party) => boolean = () => true
      ) => Effect.sync(() => findToken(parties.values(), purpose, candidates, among)),
      heldByToken: () => undefined,

      putObject: (id, object) =>
        Effect.sync(() => {
          const objects = parties.get(id)?.objects
          if (objects === undefined) return { created: false }
          const address = addressOf(object.module, object.side, object.key)
          const created = !objects.has(address)
          objects.set(address, { ...object, revision: String(++writes) })
          return { created }
        }),
      replaceObject: (id, object, revision) =>
        Effect.sync(() => {
          const objects = parties.get(id)?.objects
          if (objects === undefined) return true
          const address = addressOf(object.module, object.side, object.key)
          const known = objects.get(address)
          const same = known !== undefined && JSON.stringify(known.json) === JSON.stringify(object.json)
          if (!same && (known?.revision ?? null) !== revision) return false
          objects.set(address, { ...object, revision: String(++writes) })
          return true
        }),
      object: (id, { key, module, side }) =>
        Effect.sync(() => Option.fromNullable(parties.get(id)?.objects.get(addressOf(module, side, key)))),
      expecting: (key) =>
        Effect.sync(() => {
          const address = addressOf(expectedResults, "own", key)
          return Option.fromNullable([...parties].find(([, { objects }]) => objects.has(address))?.[0])
        }),
      removeObject: (id, { key, module, side }) =>
        Effect.sync(() => parties.get(id)?.objects.delete(addressOf(module, side, key)) ?? false),
      objects: (id, module, side, page) =>
        Effect.sync(() => {
          const from = page.from === undefined ? Number.NEGATIVE_INFINITY : millisOf(page.from)
          const to = page.to === undefined ? Number.POSITIVE_INFINITY : millisOf(page.to)
          const all = [...(parties.get(id)?.objects.values() ?? [])]
            .filter((object) => object.module === module && object.side === side)
            .filter(({ lastUpdated }) => millisOf(lastUpdated) >= from && millisOf(lastUpdated) < to)
          // A map keeps the order in which its keys were first set.
          if (page.order !== "created") all.sort(byChange)
          return { items: all.slice(page.offset, page.offset + page.limit), total: all.length }
        }),

      receivedAs: (id, module, objectId) =>
        Effect.sync(() => {
          const end = `/${foldKey(objectId)}`
          return [...(parties.get(id)?.objects.values() ?? [])]
            .filter((object) => object.module === module && object.side === "received")
            .filter(({ key }) => foldKey(key).endsWith(end))
            .sort(byChange)
        }),

      record: (id, exchange, _, { refused }) =>
        Effect.sync(() => {
          exchanges.record(id, exchange, refused)
          if (exchange.direction === "inbound") arrivals.tell(id)
          return true
        }),
      exchanges: (id, after, limit, direction) =>
        Effect.sync(() => exchanges.after(id, after, limit, direction)),
      exchangesBefore: (id, page) => Effect.sync(() => exchanges.before(id, page)),
      exchangesById: (id, exchangeIds) => Effect.sync(() => exchanges.byId(id, exchangeIds)),
      inboundAfter: (id, position, limit) =>
        Effect.sync(() => exchanges.after(id, position, limit, "inbound")),
      head: (id) => Effect.sync(() => exchanges.head(id)),
      arrivals
    })
  })
)

const isLeftBehind = ({ json, module, side }: PartyObject, living: ReadonlySet<string>) =>
  side === "own" &&
  simulatedModules.some((name) => name === module) &&
  (module !== "activity" || json["by"] !== undefined) &&
  !living.has(String(json["by"] ?? ""))

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const byChange = (a: PartyObject, b: PartyObject) =>
  millisOf(a.lastUpdated) - millisOf(b.lastUpdated) || compare(foldKey(a.key), foldKey(b.key))

const addressOf = (module: string, side: PartyObject["side"], key: string) =>
  JSON.stringify([module, side, foldKey(key)])

/** Compares lookup values, so the time of the comparison reveals nothing of a token. */
function findToken<P extends TokenPurpose>(
  parties: Iterable<Held>,
  purpose: P,
  candidates: ReadonlyArray<string>,
  among: (party: Party) => boolean
): Option.Option<Found<P>> {
  const held = [...parties].filter(({ party }) => among(party))
  for (const [candidate, text] of candidates.entries()) {
    for (const slot of purpose === "accept" ? acceptedSlots : recognisedSlots) {
      const lookup = lookupOf(noKey, slot, tokenHashOf(text))
      for (const { lookups, party, secrets, tokens } of held) {
        const token = tokens.get(slot)
        if (token === undefined || lookups.get(slot)?.equals(lookup) !== true) continue
        const keyring = { tokens: [...tokens.values()], secrets }
        const what = purpose === "accept" ? { token, keyring } : { slot, name: token.name }
        // The slot is one that this purpose looks for.
        return Option.some({ ...what, party, candidate } as unknown as Found<P>)
      }
    }
  }
  return Option.none()
}

// Nothing is stored, so the key need not be secret.
const noKey = Buffer.alloc(32)
