/**
 * What this process knows of parties: their rows, and their tokens, decrypted once. It may be out of date, because another
 * process may have changed a party, but never unnoticed: a row's `revision` and `token_version` grow with every change, so
 * whoever uses what is cached compares them, before (`current`) or in the very statement that relies on it.
 */
import { hash } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { makeBatch } from "../../database/batches/batch.ts"
import { Database } from "../../database/Database.ts"
import { retried } from "../../database/retry.ts"
import { isId } from "../../database/storable.ts"
import { type TokenForm, written } from "../../ocpi/tokens.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import type { Party } from "./Party.ts"
import type { AcceptedToken, PartyVersions } from "./PartyStore.ts"
import { type PartyRow, partyOf, pastPlaceOf, secretPlaceOf } from "./partyRows.ts"
import { acceptedSlots, type Keyring, type NamedToken, type PartyToken } from "./TokenSlot.ts"

/** The most parties that are cached; the least recently used leave. */
const mostParties = 1_000
/** The most parties whose versions one statement reads. */
const together = 256

/** A party at one moment. */
export interface KnownParty extends PartyVersions, Keyring {
  readonly party: Party
}

/** A party, and the token of it that was written. */
interface Holder {
  readonly known: KnownParty
  readonly token: AcceptedToken
  readonly form: TokenForm
}

/** The parties that this process knows. */
export class PartyCache extends Context.Tag("store/PartyCache")<
  PartyCache,
  {
    /** As it was when it was last read here; perhaps out of date. */
    readonly cached: (id: PartyId) => KnownParty | undefined
    /**
     * As of `since` (an instant of `performance.now()`) or later, by default as of now; undefined: it does not exist. Dies with
     * `DatabaseDown` while Postgres is away.
     */
    readonly current: (id: PartyId, since?: number) => Effect.Effect<KnownParty | undefined>
    /** A statement that began at that instant of `performance.now()` found the party at these versions. */
    readonly seen: (id: PartyId, versions: PartyVersions, begunAt: number) => void
    /** Does the party still have these versions? `since` as for `current`. Dies with `DatabaseDown` while Postgres is away. */
    readonly isCurrent: (id: PartyId, versions: PartyVersions, since?: number) => Effect.Effect<boolean>
    /**
     * What must be found in texts about the party, as `current` has it; of a party that was removed while it was cached, what it
     * had then: late writes about it may still contain its tokens.
     */
    readonly secrets: (id: PartyId, since?: number) => Effect.Effect<ReadonlyArray<NamedToken>>
    /**
     * The cached parties that accept the token which a header has in this form or that; perhaps out of date. None for a Token A,
     * for what becomes of that depends on when it comes.
     */
    readonly holding: (written: string) => ReadonlyArray<Holder>
    /** Takes over a row of which only the document has changed since it was cached. */
    readonly changed: (row: VersionedRow) => void
    /** The party was removed. */
    readonly removed: (id: PartyId) => void
  }
>() {
  static readonly layer: Layer.Layer<PartyCache, never, Database | SecretBox> = Layer.effect(
    PartyCache,
    Effect.gen(function* () {
      const { pool, query } = yield* Database
      const box = yield* SecretBox
      const parties = new Map<PartyId, KnownParty>()
      /** When the newest look began that found what is cached to be current. */
      const lookedAt = new Map<PartyId, number>()
      /** What those that are gone had. */
      const remains = new Map<PartyId, ReadonlyArray<NamedToken>>()
      /** By the hash of a token that they accept, in each form; the raw ones first. */
      const holders = new Map<string, ReadonlyArray<Holder>>()

      const drop = (id: PartyId) => {
        const known = parties.get(id)
        parties.delete(id)
        lookedAt.delete(id)
        for (const { hash } of known === undefined ? [] : writtenOf(known.tokens)) {
          const others = holders.get(hash)?.filter((one) => one.known !== known) ?? []
          if (others.length === 0) holders.delete(hash)
          else holders.set(hash, others)
        }
      }
      const keep = (known: KnownParty): KnownParty => {
        const { id } = known.party
        const before = parties.get(id)
        // Of two reads at once the older one may end last.
        const newest = before !== undefined && isNewer(before, known) ? before : known
        drop(id)
        parties.set(id, newest)
        for (const { form, hash, token } of writtenOf(newest.tokens)) {
          const holder: Holder = { known: newest, token, form }
          const others = holders.get(hash) ?? []
          holders.set(hash, [...others, holder].sort(rawFirst))
        }
        const [oldest] = parties.keys()
        if (parties.size > mostParties && oldest !== undefined) drop(oldest)
        return newest
      }
      const removed = (id: PartyId): undefined => {
        const known = parties.get(id)
        if (known === undefined) return
        drop(id)
        remains.set(id, known.secrets)
        const [oldest] = remains.keys()
        if (remains.size > mostParties && oldest !== undefined) remains.delete(oldest)
      }

      const opened = (place: { readonly record: string; readonly field: string }, sealed: string) =>
        box.open(place, sealed).pipe(
          // The party goes on without this token: its calls fail for want of one, other parties are not affected.
          Effect.catchAll((unreadable) => Effect.as(Effect.logError(unreadable.message), undefined))
        )

      const read = Effect.fnUntraced(function* (id: PartyId) {
        const [row] = yield* query<KnownRow>({ name: "party_known", text: readParty, values: [id] })
        if (row === undefined) return removed(id)
        const versions = versionsOf(row)
        const before = parties.get(id)
        if (before?.tokenVersion === versions.tokenVersion)
          return keep({ ...before, ...versions, party: partyOf(row) })
        const tokens: Array<PartyToken> = []
        for (const { name, sealed, slot } of row.tokens ?? []) {
          const value = yield* opened(secretPlaceOf(id, slot), sealed)
          if (value !== undefined) tokens.push({ slot, name, value })
        }
        const past: Array<NamedToken> = []
        for (const { fingerprint, name, sealed } of row.past ?? []) {
          const value = yield* opened(pastPlaceOf(id, fingerprint), sealed)
          if (value !== undefined) past.push({ name, value })
        }
        const secrets = [...tokens.map(({ name, value }) => ({ name, value })), ...past]
        return keep({ ...versions, party: partyOf(row), tokens, secrets })
      })

      const versions = makeBatch<PartyId, PartyVersions | undefined>({
        most: together,
        run: async (ids) => {
          const { rows } = await pool.query<VersionsRow>({
            name: "party_versions",
            text: "SELECT id, revision, token_version FROM party WHERE id = ANY ($1)",
            values: [ids]
          })
          const found = new Map(rows.map((row) => [row.id, versionsOf(row)]))
          return ids.map((id) => found.get(id))
        }
      })

      const seen = (id: PartyId, now: PartyVersions, begunAt: number) => {
        const known = parties.get(id)
        if (known === undefined || !isSame(known, now)) return
        lookedAt.set(id, Math.max(begunAt, lookedAt.get(id) ?? 0))
        // To the end of the order in which parties leave.
        parties.delete(id)
        parties.set(id, known)
      }

      const look = Effect.fnUntraced(function* (id: PartyId) {
        if (!isId(id)) return undefined
        if (!parties.has(id)) return yield* read(id)
        const begunAt = performance.now()
        const now = yield* retried(versions(id))
        if (now === undefined) return removed(id)
        const known = parties.get(id)
        if (known === undefined || !isSame(known, now)) return yield* read(id)
        seen(id, now, begunAt)
        return known
      })

      /** What is cached, if it was current then or later. */
      const currentAsOf = (id: PartyId, since: number | undefined) =>
        since !== undefined && (lookedAt.get(id) ?? 0) >= since ? parties.get(id) : undefined

      const current = (id: PartyId, since?: number) =>
        Effect.suspend(() => {
          const known = currentAsOf(id, since)
          return known === undefined ? look(id) : Effect.succeed(known)
        })

      return PartyCache.of({
        cached: (id) => parties.get(id),
        current,
        seen,
        isCurrent: (id, expected, since) =>
          Effect.suspend(() => {
            const known = currentAsOf(id, since)
            return known === undefined
              ? Effect.map(retried(versions(id)), (now) => now !== undefined && isSame(now, expected))
              : Effect.succeed(isSame(known, expected))
          }),
        secrets: (id, since) =>
          Effect.map(current(id, since), (known) => known?.secrets ?? remains.get(id) ?? none),
        holding: (text) => holders.get(hashOf(text)) ?? none,
        changed: (row) => {
          const before = parties.get(row.id)
          const now = versionsOf(row)
          if (before?.tokenVersion === now.tokenVersion) keep({ ...before, ...now, party: partyOf(row) })
        },
        removed
      })
    })
  )
}

const none: ReadonlyArray<never> = []

/** A row of `party`, with its versions. */
export type VersionedRow = PartyRow & Omit<VersionsRow, "id">

interface VersionsRow {
  readonly id: PartyId
  readonly revision: number
  readonly token_version: number
}

interface KnownRow extends VersionedRow {
  readonly tokens: ReadonlyArray<Pick<PartyToken, "name" | "slot"> & { readonly sealed: string }> | null
  readonly past: ReadonlyArray<{
    readonly fingerprint: string
    readonly name: NamedToken["name"]
    readonly sealed: string
  }> | null
}

const readParty = `
  SELECT p.*,
    (SELECT json_agg(json_build_object('slot', slot, 'name', name, 'sealed', sealed) ORDER BY slot)
     FROM party_token WHERE party_id = p.id) AS tokens,
    (SELECT json_agg(json_build_object('fingerprint', fingerprint, 'name', name, 'sealed', sealed) ORDER BY kept_at DESC, fingerprint)
     FROM party_past_token WHERE party_id = p.id) AS past
  FROM party p WHERE id = $1`

const versionsOf = ({ revision, token_version }: Omit<VersionsRow, "id">): PartyVersions => ({
  revision,
  tokenVersion: token_version
})

const isSame = (a: PartyVersions, b: PartyVersions) =>
  a.revision === b.revision && a.tokenVersion === b.tokenVersion

const isNewer = (a: PartyVersions, b: PartyVersions) =>
  a.revision >= b.revision && a.tokenVersion >= b.tokenVersion && !isSame(a, b)

const hashOf = (text: string) => hash("sha256", text, "base64")

/** A token in one of the forms in which a header may have it. */
interface Written {
  readonly token: AcceptedToken
  readonly form: TokenForm
  readonly hash: string
}

/** By tokens, which stay the same array while only the document of their party changes. */
const allWritten = new WeakMap<ReadonlyArray<PartyToken>, ReadonlyArray<Written>>()

/** The accepted tokens but Token A, in each form. */
const writtenOf = (tokens: ReadonlyArray<PartyToken>): ReadonlyArray<Written> => {
  const known = allWritten.get(tokens)
  if (known !== undefined) return known
  const fresh = tokens
    .filter(isHeld)
    .flatMap((token) =>
      forms.map((form) => ({ token, form, hash: hashOf(written(Redacted.value(token.value), form)) }))
    )
  allWritten.set(tokens, fresh)
  return fresh
}

const forms: ReadonlyArray<TokenForm> = ["raw", "base64"]

const rawFirst = (a: Holder, b: Holder) => forms.indexOf(a.form) - forms.indexOf(b.form)

const isHeld = (token: PartyToken): token is AcceptedToken =>
  token.name !== "tokenA" && acceptedSlots.some((slot) => slot === token.slot)
