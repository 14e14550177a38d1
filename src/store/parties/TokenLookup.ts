/**
 * The values by which inbound tokens are found: HMAC-SHA-256 of the token, with a domain for each slot, so that a value
 * of one slot never matches another. The key is random and sealed: Token A and partners' tokens may be short, and a plain
 * hash in a copy of the database could be guessed.
 */
import { createHmac, hash, randomBytes } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { Database } from "../../database/Database.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import { type LookupSlot, lookupSlots } from "./TokenSlot.ts"

/**
 * The lookup value of a token's hash, 32 bytes. The domain ends at the first NUL and the hash has a fixed length, so no
 * two inputs give the same bytes.
 */
export const lookupOf = (key: Buffer, slot: LookupSlot | "past", tokenHash: Buffer): Buffer =>
  createHmac("sha256", key).update(`plugfest token ${slot}\0`).update(tokenHash).digest()

/** SHA-256 of a token, 32 bytes. */
export const tokenHashOf = (token: string): Buffer => hash("sha256", token, "buffer")

/** Is a token in that slot ever looked up? The outbound one never is. */
export const isLookupSlot = (slot: string): slot is LookupSlot => lookupSlots.some((known) => known === slot)

/** The place of a lookup key, for the secret box. */
export const lookupKeyPlace = (id: string) => ({ record: `lookup_key:${id}`, field: "secret" })

/**
 * The lookup keys: the first one writes, all are searched with. If none can be opened, because the encryption key is
 * lost, a new one is created: tokens of the old one are no longer found, and could no longer be opened either.
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
        // Of two processes that start at once, one stores its key and both read that one.
        yield* query({
          text: "INSERT INTO lookup_key (id, sealed) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
          values: [id, yield* box.seal(lookupKeyPlace(id), secret)]
        })
      }
    })
  )
}
