/** The exchanges of parties in memory: the newest 20,000 of all of them, because a sandbox on its own runs for weeks. */
import type { Exchange } from "../../../../schema/Exchange.ts"
import type { PartyId } from "../../../../schema/Ids.ts"
import { type ExchangePage, type Inbound, refusedKept } from "../PartyStore.ts"

const mostKept = 20_000

/** None yet. The functions are those of `PartyStore`. */
export const makeExchanges = () => {
  /** By position, the oldest first. */
  const kept = new Map<number, Inbound>()
  const positions = new Map<string, number>()
  const heads = new Map<PartyId, number>()
  const refusedAt = new Map<PartyId, ReadonlyArray<number>>()
  let newest = 0

  const keyOf = (id: PartyId, exchangeId: string) => `${id}\0${exchangeId}`
  const oldest = () => kept.keys().next().value ?? newest + 1
  const forget = (position: number) => {
    const known = kept.get(position)
    if (known === undefined) return
    kept.delete(position)
    positions.delete(keyOf(known.partyId, known.exchange.id))
  }

  const record = (partyId: PartyId, exchange: Exchange, refused: "refused" | undefined): void => {
    const key = keyOf(partyId, exchange.id)
    const known = positions.get(key)
    if (known !== undefined) {
      kept.set(known, { position: known, partyId, exchange })
      return
    }
    const position = ++newest
    kept.set(position, { position, partyId, exchange })
    positions.set(key, position)
    heads.set(partyId, position)
    if (kept.size > mostKept) forget(oldest())
    if (refused === undefined) return
    const all = [...(refusedAt.get(partyId) ?? []), position]
    if (all.length > refusedKept) forget(all.shift()!)
    refusedAt.set(partyId, all)
  }

  const found = (
    id: PartyId,
    positions: Iterable<number>,
    limit: number,
    direction: Exchange["direction"] | undefined
  ): ReadonlyArray<Inbound> => {
    const all: Array<Inbound> = []
    for (const position of positions) {
      if (all.length >= limit) break
      const one = kept.get(position)
      if (one?.partyId === id && (direction ?? one.exchange.direction) === one.exchange.direction)
        all.push(one)
    }
    return all
  }

  return {
    record,
    after: (id: PartyId, position: number, limit: number, direction?: Exchange["direction"]) =>
      found(id, upwards(Math.max(position + 1, oldest()), newest), limit, direction),
    before: (id: PartyId, { cursor, direction, limit, upTo = newest }: ExchangePage) => {
      const end = cursor === undefined ? newest + 1 : (positions.get(keyOf(id, cursor)) ?? 0)
      return found(id, downwards(Math.min(upTo, end - 1), oldest()), limit, direction)
    },
    byId: (id: PartyId, exchangeIds: ReadonlyArray<string>) =>
      exchangeIds.flatMap(
        (exchangeId) => kept.get(positions.get(keyOf(id, exchangeId)) ?? 0)?.exchange ?? []
      ),
    head: (id: PartyId) => heads.get(id) ?? 0
  }
}

function* upwards(from: number, to: number): Generator<number> {
  for (let position = from; position <= to; position++) yield position
}

function* downwards(from: number, to: number): Generator<number> {
  for (let position = from; position >= to; position--) yield position
}
