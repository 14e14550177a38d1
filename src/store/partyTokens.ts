/** Tokens of parties in Postgres: encrypted, and those that a partner may come with also hashed, to be found by. */
import { timingSafeEqual } from "node:crypto"
import { Effect, Option, Redacted } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import { hashOf } from "./apiKey.ts"
import type { Query } from "./Database.ts"
import type { PartyToken, TokenSlot } from "./PartyStore.ts"
import { acceptedSlots, type PartyRow, partyOf, placeOf } from "./partyRows.ts"
import type { SecretBox } from "./SecretBox.ts"
import { isId } from "./storable.ts"

/** A token ready to be stored. */
export interface SealedToken {
  readonly slot: TokenSlot
  readonly name: PartyToken["name"]
  readonly sealed: string
  readonly hash: Buffer | null
}

export const seal = (box: SecretBox["Type"], id: PartyId, token: PartyToken): Effect.Effect<SealedToken> =>
  Effect.map(box.seal(placeOf(id, token.slot), token.value), (sealed) => ({
    slot: token.slot,
    name: token.name,
    sealed,
    hash: acceptedSlots.includes(token.slot) ? hashOf(Redacted.value(token.value)) : null
  }))

export const partyTokens = (query: Query, box: SecretBox["Type"]) => {
  const tokens = Effect.fn("PartyStore.tokens")(function* (id: PartyId) {
    if (!isId(id)) return []
    const rows = yield* query<{ slot: TokenSlot; name: PartyToken["name"]; sealed: string }>({
      name: "party_tokens",
      text: "SELECT slot, name, sealed FROM party_token WHERE party_id = $1 ORDER BY slot",
      values: [id]
    })
    const opened = yield* Effect.forEach(rows, ({ name, sealed, slot }) =>
      box.open(placeOf(id, slot), sealed).pipe(
        Effect.map((value): ReadonlyArray<PartyToken> => [{ slot, name, value }]),
        // The party goes on without it: its calls fail for want of a token, other parties are not concerned.
        Effect.catchAll((unreadable) => Effect.as(Effect.logError(unreadable.message), []))
      )
    )
    return opened.flat()
  })

  const putToken = Effect.fn("PartyStore.putToken")(function* (
    id: PartyId,
    slot: TokenSlot,
    token: Omit<PartyToken, "slot"> | null
  ) {
    if (!isId(id)) return
    if (token === null) {
      yield* query({ text: "DELETE FROM party_token WHERE party_id = $1 AND slot = $2", values: [id, slot] })
      return
    }
    const { hash, name, sealed } = yield* seal(box, id, { ...token, slot })
    yield* query({
      text: `INSERT INTO party_token (party_id, slot, name, sealed, hash)
             SELECT id, $2, $3, $4, $5 FROM party WHERE id = $1
             ON CONFLICT (party_id, slot)
             DO UPDATE SET name = excluded.name, sealed = excluded.sealed, hash = excluded.hash`,
      values: [id, slot, name, sealed, hash]
    })
  })

  const findByToken = Effect.fn("PartyStore.findByToken")(function* (candidates: ReadonlyArray<string>) {
    const hashes = candidates.map(hashOf)
    const rows = yield* query<PartyRow & { slot: TokenSlot; name: PartyToken["name"]; hash: Buffer }>({
      name: "party_by_token",
      text: `SELECT p.*, t.slot, t.name, t.hash FROM party_token t JOIN party p ON p.id = t.party_id
             WHERE t.hash = ANY ($1) ORDER BY t.party_id, t.slot`,
      values: [hashes]
    })
    for (const [candidate, hash] of hashes.entries()) {
      const row = rows.find((found) => timingSafeEqual(found.hash, hash))
      if (row !== undefined) {
        const value = Redacted.make(candidates[candidate]!) // equal hashes: it is the stored token
        return Option.some({
          party: partyOf(row),
          token: { slot: row.slot, name: row.name, value },
          candidate
        })
      }
    }
    return Option.none()
  })

  return { tokens, putToken, findByToken }
}
