/**
 * Every token that a party has or ever had, decrypted once and cached, because every text written about the party is
 * searched for them. Each use compares the cache with the party's `token_version`, so a token that another process has
 * just stored is known too.
 */
import { Context, Effect, Layer } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { Database } from "../../database/Database.ts"
import { isId } from "../../database/storable.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import type { NamedToken, TokenSlot } from "./PartyStore.ts"
import { pastPlaceOf, placeOf } from "./partyRows.ts"

/** The most parties whose tokens are cached; the least recently used leave. */
const mostParties = 1_000

/** The decrypted tokens of parties. */
export class PartySecrets extends Context.Tag("store/PartySecrets")<
  PartySecrets,
  {
    /** As `PartyStore.secrets`. Dies with `DatabaseDown` while Postgres is away. */
    readonly of: (id: PartyId) => Effect.Effect<ReadonlyArray<NamedToken>>
  }
>() {
  static readonly layer: Layer.Layer<PartySecrets, never, Database | SecretBox> = Layer.effect(
    PartySecrets,
    Effect.gen(function* () {
      const { query } = yield* Database
      const box = yield* SecretBox
      const held = new Map<
        PartyId,
        { readonly version: number; readonly secrets: ReadonlyArray<NamedToken> }
      >()

      const read = Effect.fnUntraced(function* (id: PartyId) {
        const rows = yield* query<Stored>({
          name: "party_secrets",
          text: `SELECT slot, NULL AS fingerprint, name, sealed, NULL AS kept_at FROM party_token WHERE party_id = $1
                 UNION ALL SELECT NULL, fingerprint, name, sealed, kept_at FROM party_past_token WHERE party_id = $1
                 ORDER BY kept_at DESC NULLS FIRST, slot`,
          values: [id]
        })
        const opened = yield* Effect.forEach(rows, ({ fingerprint, name, sealed, slot }) =>
          box.open(slot === null ? pastPlaceOf(id, fingerprint ?? "") : placeOf(id, slot), sealed).pipe(
            Effect.map((value): ReadonlyArray<NamedToken> => [{ name, value }]),
            // A token that cannot be decrypted cannot be searched for; the code that needs the token itself logs that.
            Effect.orElseSucceed(() => [])
          )
        )
        return opened.flat()
      })

      const of = Effect.fn("PartySecrets.of")(function* (id: PartyId) {
        if (!isId(id)) return []
        const [party] = yield* query<{ readonly token_version: number }>({
          name: "party_token_version",
          text: "SELECT token_version FROM party WHERE id = $1",
          values: [id]
        })
        const known = held.get(id)
        // The party was removed: late writes about it may still contain its tokens.
        if (party === undefined) return known?.secrets ?? []
        held.delete(id)
        const now =
          known?.version === party.token_version
            ? known
            : { version: party.token_version, secrets: yield* read(id) }
        held.set(id, now)
        for (const oldest of held.keys()) {
          if (held.size <= mostParties) break
          held.delete(oldest)
        }
        return now.secrets
      })

      return PartySecrets.of({ of })
    })
  )
}

interface Stored {
  readonly slot: TokenSlot | null
  readonly fingerprint: string | null
  readonly name: NamedToken["name"]
  readonly sealed: string
}
