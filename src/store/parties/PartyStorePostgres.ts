/**
 * Parties as rows. What a process knows of them (PartyCache.ts) is never relied on unseen, because another process may serve
 * the same party: reads compare its versions first, and writes are done only where they still hold.
 */
import { Effect, Layer, Option, Queue } from "effect"
import type { OwnerId, PartyId } from "../../../schema/Ids.ts"
import { Database } from "../../database/Database.ts"
import { Notifications } from "../../database/Notifications.ts"
import { retryUntilBack } from "../../database/retry.ts"
import { isId } from "../../database/storable.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import { makeArrivals } from "./Arrivals.ts"
import { findCalls } from "./exchanges/findCalls.ts"
import { partyExchanges } from "./exchanges/partyExchanges.ts"
import type { Party } from "./Party.ts"
import { type KnownParty, PartyCache, type VersionedRow } from "./PartyCache.ts"
import { PartyStore } from "./PartyStore.ts"
import { partyObjects } from "./partyObjects.ts"
import { documentOf, type PartyRow, partyOf } from "./partyRows.ts"
import { partyTokens, type SealedToken, seal } from "./partyTokens.ts"
import { type Searched, scrubbedParties } from "./scrubbedParties.ts"
import { TokenLookup } from "./TokenLookup.ts"
import type { NamedToken, PartyToken, TokenChange } from "./TokenSlot.ts"
import { upgradeTokens } from "./upgradeTokens.ts"

/** The store in Postgres. Dies with `DatabaseDown` while Postgres is away. A malformed id is not found. */
export const PartyStorePostgres: Layer.Layer<PartyStore, never, Database | SecretBox | Notifications> =
  Layer.scoped(
    PartyStore,
    Effect.gen(function* () {
      const database = yield* Database
      const { query } = database
      const keys = { box: yield* SecretBox, lookup: yield* TokenLookup }
      const cache = yield* PartyCache
      yield* retryUntilBack(upgradeTokens(query, keys))
      const arrivals = makeArrivals()
      const { publish, subscribe } = (yield* Notifications).party
      // The partner may have called another process, and the notification of that may be lost.
      const elsewhere = yield* subscribe
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.map(Queue.take(elsewhere), (id) => (id === null ? undefined : arrivals.tell(id)))
        )
      )
      yield* Effect.forkScoped(findCalls(database, arrivals.tell))

      const insert = Effect.fnUntraced(function* (party: Party, tokens: ReadonlyArray<PartyToken>) {
        const sealed = yield* Effect.forEach(tokens, (token) => seal(keys, party.id, token))
        yield* query({
          text: `WITH made AS (
                 INSERT INTO party (id, owner_id, kind, document) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (id) DO NOTHING RETURNING id
               ), past AS (
                 INSERT INTO party_past_token (party_id, fingerprint, name, sealed)
                 SELECT made.id, token.* FROM made, unnest($9::text[], $6::text[], $10::text[]) token
                 ON CONFLICT (party_id, fingerprint) DO NOTHING
               )
               INSERT INTO party_token (party_id, slot, name, sealed, lookup, is_current)
               SELECT made.id, token.*, true
               FROM made, unnest($5::text[], $6::text[], $7::text[], $8::bytea[]) token`,
          values: [party.id, party.ownerId, party.kind, documentOf(party), ...columnsOf(sealed)]
        })
      })

      const { trim, ...tokenMethods } = partyTokens(query, keys, cache)

      const find = (id: PartyId, since?: number) =>
        Effect.map(cache.current(id, since), (known) => Option.fromNullable(known?.party))

      const update = Effect.fnUntraced(function* (
        id: PartyId,
        change: (party: Party, secrets: ReadonlyArray<NamedToken>) => Party,
        tokens: ReadonlyArray<TokenChange>
      ) {
        if (!isId(id)) return Option.none()
        const sealed = yield* Effect.forEach(tokens, ({ slot, token }) =>
          token === null ? Effect.succeed([]) : Effect.map(seal(keys, id, { ...token, slot }), (one) => [one])
        ).pipe(Effect.map((all) => all.flat()))
        // Optimistic concurrency: the update applies only to the versions that are known here; on a conflict, read and change
        // again.
        let known = cache.cached(id)
        let isRead = false
        for (;;) {
          if (known !== undefined) {
            const changed = change(known.party, known.secrets)
            if (changed !== known.party) {
              const values = [id, documentOf(changed), known.revision, known.tokenVersion]
              const [row] = yield* query<VersionedRow>(
                tokens.length === 0
                  ? { name: "party_update", text: updateParty, values }
                  : {
                      name: "party_update_with_tokens",
                      text: updateWithTokens,
                      values: [
                        ...values,
                        ...columnsOf(sealed),
                        tokens.flatMap(({ slot, token }) => (token === null ? [slot] : []))
                      ]
                    }
              )
              if (row !== undefined) {
                cache.changed(row)
                if (sealed.length > 0) yield* trim(id)
                return Option.some(partyOf(row))
              }
            } else if (isRead) return Option.some(known.party)
          }
          known = yield* cache.current(id)
          isRead = true
          if (known === undefined) return Option.none()
        }
      })

      const remove = Effect.fnUntraced(function* (id: PartyId) {
        if (!isId(id)) return
        yield* query({ text: "DELETE FROM party WHERE id = $1", values: [id] })
        cache.removed(id)
      })

      const searchedFor = (known: KnownParty | undefined, secrets: ReadonlyArray<NamedToken>): Searched => ({
        secrets: known?.secrets ?? secrets,
        tokenVersion: known?.tokenVersion ?? null
      })
      const latest = (id: PartyId) =>
        Effect.flatMap(cache.current(id), (known) =>
          known === undefined
            ? Effect.map(cache.secrets(id), (secrets) => searchedFor(undefined, secrets))
            : Effect.succeed(searchedFor(known, []))
        )
      const known = (id: PartyId) => {
        const here = cache.cached(id)
        return here === undefined ? undefined : searchedFor(here, [])
      }

      const sandboxes = Effect.fnUntraced(function* (ownerId: OwnerId) {
        const rows = yield* query<PartyRow>({
          text: "SELECT * FROM party WHERE owner_id = $1 AND kind = 'sandbox' ORDER BY id DESC",
          values: [ownerId]
        })
        return rows.map((found) => ({ ...partyOf(found), createdAt: found.created_at.toISOString() }))
      })

      const allSandboxes = Effect.map(
        query<PartyRow>({ text: "SELECT * FROM party WHERE kind = 'sandbox' ORDER BY id" }),
        (rows) => rows.map(partyOf)
      )

      return scrubbedParties({
        insert,
        find,
        update,
        remove,
        sandboxes,
        allSandboxes,
        secrets: cache.secrets,
        isCurrent: cache.isCurrent,
        known,
        latest,
        ...tokenMethods,
        ...partyObjects(database, cache),
        ...partyExchanges(database, (id) => {
          arrivals.tell(id)
          return publish(id)
        }),
        arrivals
      })
    })
  ).pipe(Layer.provide(Layer.mergeAll(TokenLookup.layer, PartyCache.layer)))

const updateParty =
  "UPDATE party SET document = $2, revision = revision + 1 WHERE id = $1 AND revision = $3 AND token_version = $4 RETURNING *"

const updateWithTokens = `
  WITH changed AS (
    UPDATE party SET document = $2, revision = revision + 1, token_version = token_version + 1
    WHERE id = $1 AND revision = $3 AND token_version = $4 RETURNING *
  ),
  emptied AS (
    DELETE FROM party_token USING changed WHERE party_id = changed.id AND slot = ANY ($11::text[])
  ),
  past AS (
    INSERT INTO party_past_token (party_id, fingerprint, name, sealed)
    SELECT DISTINCT ON (token.fingerprint) changed.id, token.*
    FROM changed, unnest($9::text[], $6::text[], $10::text[]) AS token (fingerprint, name, sealed)
    ON CONFLICT (party_id, fingerprint) DO UPDATE SET kept_at = clock_timestamp()
  ),
  put AS (
    INSERT INTO party_token (party_id, slot, name, sealed, lookup, is_current)
    SELECT changed.id, token.*, true FROM changed, unnest($5::text[], $6::text[], $7::text[], $8::bytea[]) token
    ON CONFLICT (party_id, slot) DO UPDATE SET name = excluded.name, sealed = excluded.sealed,
      lookup = excluded.lookup, old_hash = NULL, is_current = true
  )
  SELECT * FROM changed`

/** Values for the columns of `party_token`, then for those of `party_past_token`. */
const columnsOf = (sealed: ReadonlyArray<SealedToken>) => [
  sealed.map(({ slot }) => slot),
  sealed.map(({ name }) => name),
  sealed.map((token) => token.sealed),
  sealed.map(({ lookup }) => lookup),
  sealed.map(({ past }) => past.fingerprint),
  sealed.map(({ past }) => past.sealed)
]
