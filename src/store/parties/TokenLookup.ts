/**
 * The values by which inbound tokens are found: HMAC-SHA-256 of the token, with a domain for each slot, so that what is
 * kept for one purpose can never be met while another one is looked for. The key is random and kept sealed: Token A and
 * the tokens that partners issue may be short, and a plain hash in a copy of the database would tell them.
 */
import { createHash, createHmac, randomBytes } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { Database } from "../../database/Database.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import { type LookupSlot, lookupSlots } from "./PartyStore.ts"

/** The domain ends at the first NUL, and the hash after it has a fixed length: no two inputs are written alike. */
export const lookupOf = (key: Buffer, slot: LookupSlot | "past", tokenHash: Buffer): Buffer =>
  createHmac("sha256", key).update(`plugfest token ${slot}\0`).update(tokenHash).digest()

export const tokenHashOf = (token: string): Buffer => createHash("sha256").update(token, "utf8").digest()

/** Is a token with that slot looked for at all? The outbound one never is. */
export const isLookupSlot = (slot: string): slot is LookupSlot => lookupSlots.some((known) => known === slot)

/** Where a lookup key is kept, for the secret box. */
export const lookupKeyPlace = (id: string) => ({ record: `lookup_key:${id}`, field: "secret" })

/**
 * The keys, the one that writes first. Every key that opens is looked up with; where none does, because the encryption
 * key is gone, a new one is made: what the old one wrote is then found no more, as it cannot be opened any more.
 */
export class TokenLookup extends Context.Tag("store/TokenLookup")<
  TokenLookup,
  { readonly keys: readonly [Buffer, ...ReadonlyArray<Buffer>] }
>() {
  static readonly layer: Layer.Layer<TokenLookup, never, Database | SecretBox> = Layer.effect(
    TokenLookup,
    Effect.gen(function* () {
      const { query } = yield* Database
      const box = yield* SecretBox
      const readable = Effect.gen(function* () {
        const rows = yield* query<{ readonly id: string; readonly sealed: string }>({
          text: "SELECT id, sealed FROM lookup_key ORDER BY id"
        })
        const opened = yield* Effect.forEach(rows, ({ id, sealed }) =>
          box.open(lookupKeyPlace(id), sealed).pipe(
            Effect.map((secret): ReadonlyArray<Buffer> => [Buffer.from(Redacted.value(secret), "base64")]),
            Effect.catchAll((unreadable) => Effect.as(Effect.logError(unreadable.message), []))
          )
        )
        return { id: `k${rows.length + 1}`, keys: opened.flat() }
      })
      for (;;) {
        const { id, keys } = yield* readable
        const [first, ...others] = keys
        if (first !== undefined) return { keys: [first, ...others] }
        const secret = Redacted.make(randomBytes(32).toString("base64"))
        // Of two processes that start at once one writes its key, and both read that one.
        yield* query({
          text: "INSERT INTO lookup_key (id, sealed) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
          values: [id, yield* box.seal(lookupKeyPlace(id), secret)]
        })
      }
    })
  )
}
