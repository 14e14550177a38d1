/** Parties in memory, for a sandbox that runs alone and for tests. Gone with the process. */
import { createHash } from "node:crypto"
import { Clock, Effect, Layer, Option, PubSub, Redacted } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import {
  type Inbound,
  type KeptObject,
  type Party,
  type PartyObject,
  PartyStore,
  type PartyToken,
  refusedKept,
  simulatedModules
} from "./PartyStore.ts"
import { acceptedSlots, foldKey, millisOf } from "./partyRows.ts"

interface Held {
  party: Party
  readonly createdAt: string
  readonly tokens: Map<PartyToken["slot"], PartyToken>
  /** By module, side and folded key. */
  readonly objects: Map<string, KeptObject>
}

/** One store of its own each time the layer is built. */
export const PartyStoreMemory: Layer.Layer<PartyStore> = Layer.effect(
  PartyStore,
  Effect.gen(function* () {
    const parties = new Map<PartyId, Held>()
    const byHash = new Map<string, { readonly id: PartyId; readonly slot: PartyToken["slot"] }>()
    /** By position; undefined where one was refused and is kept no longer. */
    const exchanges: Array<Inbound | undefined> = []
    const refusedAt = new Map<PartyId, Array<number>>()
    let writes = 0
    const arrivals = yield* PubSub.sliding<PartyId>(4096)

    const put = (held: Held, token: PartyToken) => {
      drop(held, token.slot)
      held.tokens.set(token.slot, token)
      if (acceptedSlots.includes(token.slot))
        byHash.set(hashOf(token), { id: held.party.id, slot: token.slot })
    }
    const drop = (held: Held, slot: PartyToken["slot"]) => {
      const old = held.tokens.get(slot)
      held.tokens.delete(slot)
      if (old !== undefined && byHash.get(hashOf(old))?.slot === slot) byHash.delete(hashOf(old))
    }
    const sandboxes = () => [...parties.values()].filter(({ party }) => party.kind === "sandbox")
    const held = (id: PartyId) => Option.fromNullable(parties.get(id))

    return PartyStore.of({
      insert: (party, tokens) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          if (parties.has(party.id)) return
          const made = {
            party,
            createdAt: new Date(millis).toISOString(),
            tokens: new Map(),
            objects: new Map()
          }
          parties.set(party.id, made)
          for (const token of tokens) put(made, token)
        }),
      find: (id) => Effect.sync(() => Option.map(held(id), ({ party }) => party)),
      update: (id, change, tokens = []) =>
        Effect.sync(() =>
          Option.map(held(id), (found) => {
            const changed = change(found.party)
            if (changed === found.party) return found.party
            // Who owns it and what it is do not change, as in Postgres.
            const { kind, ownerId } = found.party
            found.party = { ...changed, id, kind, ownerId }
            for (const { slot, token } of tokens) {
              if (token === null) drop(found, slot)
              else put(found, { ...token, slot })
            }
            return found.party
          })
        ),
      remove: (id) =>
        Effect.sync(() => {
          const found = parties.get(id)
          for (const slot of acceptedSlots) if (found !== undefined) drop(found, slot)
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

      tokens: (id) =>
        Effect.sync(() =>
          [...(parties.get(id)?.tokens.values() ?? [])].sort((a, b) => compare(a.slot, b.slot))
        ),
      putToken: (id, slot, token) =>
        Effect.sync(() => {
          const found = parties.get(id)
          if (found === undefined) return
          if (token === null) drop(found, slot)
          else put(found, { ...token, slot })
        }),
      findByToken: (candidates) =>
        Effect.sync(() => {
          for (const [candidate, text] of candidates.entries()) {
            const hit = byHash.get(sha256(text))
            const found = hit && parties.get(hit.id)
            const token = hit && found?.tokens.get(hit.slot)
            if (found && token) return Option.some({ party: found.party, token, candidate })
          }
          return Option.none()
        }),

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
      object: (id, module, side, key) =>
        Effect.sync(() => Option.fromNullable(parties.get(id)?.objects.get(addressOf(module, side, key)))),
      removeObject: (id, module, side, key) =>
        Effect.sync(() => parties.get(id)?.objects.delete(addressOf(module, side, key)) ?? false),
      objects: (id, module, side, page) =>
        Effect.sync(() => {
          const from = page.from === undefined ? Number.NEGATIVE_INFINITY : millisOf(page.from)
          const to = page.to === undefined ? Number.POSITIVE_INFINITY : millisOf(page.to)
          const all = [...(parties.get(id)?.objects.values() ?? [])]
            .filter((object) => object.module === module && object.side === side)
            .filter(({ lastUpdated }) => millisOf(lastUpdated) >= from && millisOf(lastUpdated) < to)
            .sort(
              (a, b) =>
                millisOf(a.lastUpdated) - millisOf(b.lastUpdated) || compare(foldKey(a.key), foldKey(b.key))
            )
          return { items: all.slice(page.offset, page.offset + page.limit), total: all.length }
        }),

      record: (id, exchange, refused) =>
        Effect.suspend(() => {
          const at = exchanges.findIndex(
            (known) => known?.partyId === id && known.exchange.id === exchange.id
          )
          if (at === -1) exchanges.push({ position: exchanges.length + 1, partyId: id, exchange })
          else exchanges[at] = { ...exchanges[at]!, exchange }
          if (refused !== undefined && at === -1) {
            const kept = refusedAt.get(id) ?? []
            refusedAt.set(id, [...kept, exchanges.length - 1].slice(-refusedKept))
            if (kept.length >= refusedKept) exchanges[kept[0]!] = undefined
          }
          return exchange.direction === "inbound" ? PubSub.publish(arrivals, id) : Effect.void
        }),
      exchanges: (id, after, limit) => Effect.sync(() => page(exchanges, id, after, limit, () => true)),
      inboundAfter: (id, position, limit) =>
        Effect.sync(() =>
          page(exchanges, id, position, limit, ({ exchange }) => exchange.direction === "inbound")
        ),
      head: (id) => Effect.sync(() => exchanges.findLast((known) => known?.partyId === id)?.position ?? 0),
      arrivals
    })
  })
)

/** Positions count from 1 without a gap, so the one after `after` stands at that index. */
function page(
  exchanges: ReadonlyArray<Inbound | undefined>,
  id: PartyId,
  after: number,
  limit: number,
  wanted: (inbound: Inbound) => boolean
): ReadonlyArray<Inbound> {
  const found: Array<Inbound> = []
  for (let at = Math.max(0, after); at < exchanges.length && found.length < limit; at++) {
    const inbound = exchanges[at]
    if (inbound?.partyId === id && wanted(inbound)) found.push(inbound)
  }
  return found
}

const isLeftBehind = ({ json, module, side }: PartyObject, living: ReadonlySet<string>) =>
  side === "own" &&
  simulatedModules.some((name) => name === module) &&
  (module !== "activity" || json["by"] !== undefined) &&
  !living.has(String(json["by"] ?? ""))

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const addressOf = (module: string, side: PartyObject["side"], key: string) =>
  JSON.stringify([module, side, foldKey(key)])

// Looked up by hash: how long a comparison takes says nothing of a token.
const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex")
const hashOf = (token: PartyToken) => sha256(Redacted.value(token.value))
