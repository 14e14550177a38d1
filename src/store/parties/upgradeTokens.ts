/**
 * Rows of tokens from before lookup values: at the first start each is sealed anew without its former mark, gets its
 * lookup value, and joins the past tokens. Any number of processes may do this at once.
 */
import { Effect, Redacted } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import type { Query } from "../../database/statement.ts"
import { traced } from "../../telemetry/traced.ts"
import { secretPlaceOf } from "./partyRows.ts"
import { seal, type TokenKeys } from "./partyTokens.ts"
import { isLookupSlot, lookupOf } from "./TokenLookup.ts"
import type { NamedToken, TokenSlot } from "./TokenSlot.ts"

interface Old {
  readonly party_id: PartyId
  readonly slot: TokenSlot
  readonly name: NamedToken["name"]
  readonly sealed: string
  /** SHA-256 of the token; null where the token was marked or is never looked up. */
  readonly old_hash: Buffer | null
}

const page = 200

/** Marks by which older releases told a token that is only recognised from an accepted one. */
const marks: Readonly<Partial<Record<TokenSlot, string>>> = { returned: "returned ", dead: "dead " }

/**
 * Rewrites all rows without a lookup value. A token that cannot be opened stays as it is, is still found by its old hash
 * if it was accepted, and is tried again at the next start.
 */
export const upgradeTokens = traced("upgradeTokens")(function* (query: Query, keys: TokenKeys) {
  let after: readonly [string, string] | undefined = ["", ""]
  while (after !== undefined) {
    const from: readonly [string, string] = after
    const rows: ReadonlyArray<Old> = yield* query<Old>({
      text: `SELECT party_id, slot, name, sealed, old_hash FROM party_token
             WHERE NOT is_current AND (party_id, slot) > ($1, $2) ORDER BY party_id, slot LIMIT ${page}`,
      values: [...from]
    })
    for (const row of rows) yield* renew(query, keys, row)
    const last = rows.at(-1)
    after = rows.length < page || last === undefined ? undefined : [last.party_id, last.slot]
  }
})

function renew(query: Query, keys: TokenKeys, row: Old) {
  const { name, old_hash, party_id, sealed, slot } = row
  const replaced = Effect.gen(function* () {
    const text = Redacted.value(yield* keys.box.open(secretPlaceOf(party_id, slot), sealed))
    const mark = marks[slot] ?? ""
    const value = Redacted.make(text.startsWith(mark) ? text.slice(mark.length) : text)
    const token = yield* seal(keys, party_id, { slot, name, value })
    yield* query({
      text: `WITH renewed AS (
               UPDATE party_token SET sealed = $3, lookup = $4, old_hash = NULL, is_current = true
               WHERE party_id = $1 AND slot = $2 AND sealed = $5 AND NOT is_current RETURNING party_id
             ), known AS (
               UPDATE party SET token_version = token_version + 1 FROM renewed WHERE id = renewed.party_id RETURNING id
             )
             INSERT INTO party_past_token (party_id, fingerprint, name, sealed) SELECT id, $6, $7, $8 FROM known
             ON CONFLICT (party_id, fingerprint) DO NOTHING`,
      values: [
        party_id,
        slot,
        token.sealed,
        token.lookup,
        sealed,
        token.past.fingerprint,
        name,
        token.past.sealed
      ]
    })
  })
  return Effect.catchAll(replaced, ({ message }) =>
    Effect.zipRight(
      Effect.logError(message),
      old_hash !== null && isLookupSlot(slot)
        ? query({
            text: "UPDATE party_token SET lookup = $3 WHERE party_id = $1 AND slot = $2 AND sealed = $4 AND NOT is_current",
            values: [party_id, slot, lookupOf(keys.lookup.keys[0], slot, old_hash), sealed]
          })
        : Effect.void
    )
  )
}
