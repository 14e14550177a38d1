/**
 * Tokens of parties in Postgres: encrypted, and those that a partner may send also findable by a keyed value
 * (TokenLookup.ts).
 */
import { timingSafeEqual } from "node:crypto"
import { Effect, Option, Redacted } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import type { Query } from "../../database/statement.ts"
import { isId } from "../../database/storable.ts"
import { traced } from "../../telemetry/traced.ts"
import type { SecretBox } from "../secrets/SecretBox.ts"
import type { Party } from "./Party.ts"
import type { PartyCache } from "./PartyCache.ts"
import {
  type AcceptedToken,
  type Found,
  mostPastTokens,
  type PartyStore,
  type TokenPurpose
} from "./PartyStore.ts"
import { type PartyRow, partyOf, pastPlaceOf, secretPlaceOf } from "./partyRows.ts"
import { isLookupSlot, lookupOf, type TokenLookup, tokenHashOf } from "./TokenLookup.ts"
import {
  acceptedSlots,
  type Keyring,
  type NamedToken,
  type PartyToken,
  recognisedSlots,
  type TokenSlot
} from "./TokenSlot.ts"

/** The keys that seal tokens and make their lookup values. */
export interface TokenKeys {
  readonly box: SecretBox["Type"]
  readonly lookup: TokenLookup["Type"]
}

/** A past token, ready to be stored. */
interface SealedPast {
  readonly name: NamedToken["name"]
  readonly fingerprint: string
  readonly sealed: string
}

/** A token ready to be stored. */
export interface SealedToken {
  readonly slot: TokenSlot
  readonly name: NamedToken["name"]
  readonly sealed: string
  readonly lookup: Buffer | null
  readonly past: SealedPast
}

/** Seals a token as a past one; its fingerprint is its lookup value in hex. */
const sealPast = (
  { box, lookup }: TokenKeys,
  id: PartyId,
  { name, value }: NamedToken
): Effect.Effect<SealedPast> => {
  const fingerprint = lookupOf(lookup.keys[0], "past", tokenHashOf(Redacted.value(value))).toString("hex")
  return Effect.map(box.seal(pastPlaceOf(id, fingerprint), value), (sealed) => ({
    name,
    fingerprint,
    sealed
  }))
}

/** Seals a token for a slot, together with its copy among the past tokens. */
export const seal = Effect.fnUntraced(function* (
  keys: TokenKeys,
  id: PartyId,
  token: PartyToken
): Effect.fn.Return<SealedToken> {
  const { name, slot, value } = token
  return {
    slot,
    name,
    sealed: yield* keys.box.seal(secretPlaceOf(id, slot), value),
    lookup: isLookupSlot(slot)
      ? lookupOf(keys.lookup.keys[0], slot, tokenHashOf(Redacted.value(value)))
      : null,
    past: yield* sealPast(keys, id, token)
  }
})

/** The methods of `PartyStore` on tokens. */
export const partyTokens = (query: Query, keys: TokenKeys, cache: PartyCache["Type"]) => {
  const keyring = (id: PartyId, since?: number) =>
    Effect.map(cache.current(id, since), (known): Keyring => known ?? { tokens: [], secrets: [] })

  const tokens = (id: PartyId) => Effect.map(keyring(id), (ring) => ring.tokens)

  const putToken = traced("PartyStore.putToken")(function* (
    id: PartyId,
    slot: TokenSlot,
    token: NamedToken | null
  ) {
    if (!isId(id)) return
    if (token === null) {
      yield* query({ text: "DELETE FROM party_token WHERE party_id = $1 AND slot = $2", values: [id, slot] })
      return
    }
    const { lookup, name, past, sealed } = yield* seal(keys, id, { ...token, slot })
    yield* query({
      text: `WITH known AS (
               UPDATE party SET token_version = token_version + 1 WHERE id = $1 RETURNING id
             ), past AS (
               INSERT INTO party_past_token (party_id, fingerprint, name, sealed) SELECT id, $6, $3, $7 FROM known
               ON CONFLICT (party_id, fingerprint) DO UPDATE SET kept_at = clock_timestamp()
             )
             INSERT INTO party_token (party_id, slot, name, sealed, lookup, is_current)
             SELECT id, $2, $3, $4, $5, true FROM known
             ON CONFLICT (party_id, slot) DO UPDATE SET name = excluded.name, sealed = excluded.sealed,
               lookup = excluded.lookup, old_hash = NULL, is_current = true`,
      values: [id, slot, name, sealed, lookup, past.fingerprint, past.sealed]
    })
    yield* trim(id)
  })

  const remember = traced("PartyStore.remember")(function* (id: PartyId, named: ReadonlyArray<NamedToken>) {
    if (!isId(id) || named.length === 0) return
    const past = yield* Effect.forEach(named, (token) => sealPast(keys, id, token))
    yield* query({
      text: `WITH known AS (
               UPDATE party SET token_version = token_version + 1 WHERE id = $1 RETURNING id
             )
             INSERT INTO party_past_token (party_id, fingerprint, name, sealed)
             SELECT known.id, token.* FROM known, unnest($2::text[], $3::text[], $4::text[]) token
             ON CONFLICT (party_id, fingerprint) DO NOTHING`,
      values: [
        id,
        past.map(({ fingerprint }) => fingerprint),
        past.map(({ name }) => name),
        past.map(({ sealed }) => sealed)
      ]
    })
    yield* trim(id)
  })

  /**
   * Keeps the newest `mostPastTokens`. A token in a slot is also among the past ones, so that it stays known after it
   * leaves the slot.
   */
  const trim = (id: PartyId) =>
    query({
      text: `DELETE FROM party_past_token WHERE party_id = $1 AND fingerprint IN (
               SELECT fingerprint FROM party_past_token WHERE party_id = $1
               ORDER BY kept_at DESC, fingerprint OFFSET $2)`,
      values: [id, mostPastTokens]
    })

  const heldByToken: PartyStore["Type"]["heldByToken"] = (written, among) => {
    for (const { form, known, token } of cache.holding(written)) {
      const { party, revision, tokenVersion } = known
      if (among(party)) return { party, token, form, keyring: known, asOf: { revision, tokenVersion } }
    }
    return undefined
  }

  const lookedUp = Effect.fnUntraced(function* <P extends TokenPurpose>(
    purpose: P,
    candidates: ReadonlyArray<string>,
    among: (party: Party) => boolean
  ) {
    const slots = purpose === "accept" ? acceptedSlots : recognisedSlots
    const wanted = candidates.flatMap((text, candidate) => {
      const hash = tokenHashOf(text)
      return slots.flatMap((slot) =>
        keys.lookup.keys.map((key) => ({ candidate, slot, lookup: lookupOf(key, slot, hash) }))
      )
    })
    const rows = yield* query<PartyRow & { slot: TokenSlot; name: PartyToken["name"]; lookup: Buffer }>({
      name: "party_by_token",
      text: `SELECT p.*, t.slot, t.name, t.lookup FROM party_token t JOIN party p ON p.id = t.party_id
             WHERE t.lookup = ANY ($1) ORDER BY t.party_id`,
      values: [wanted.map(({ lookup }) => lookup)]
    })
    for (const { candidate, lookup, slot } of wanted) {
      const row = rows.find(
        (found) => found.slot === slot && timingSafeEqual(found.lookup, lookup) && among(partyOf(found))
      )
      if (row !== undefined) return { party: partyOf(row), slot, name: row.name, candidate }
    }
    return undefined
  })

  const findByToken: PartyStore["Type"]["findByToken"] = Effect.fnUntraced(function* <P extends TokenPurpose>(
    purpose: P,
    candidates: ReadonlyArray<string>,
    among: (party: Party) => boolean = isAnybody
  ) {
    // Which of the two purposes it is for decides what is found.
    const as = (found: Found<"accept"> | Found<"recognise">) => Option.some(found as unknown as Found<P>)
    for (;;) {
      const found = yield* lookedUp(purpose, candidates, among)
      if (found === undefined) return Option.none<Found<P>>()
      const { candidate, name, party, slot } = found
      if (purpose === "recognise") return as({ party, candidate, slot, name } as Found<"recognise">)
      const known = yield* cache.current(party.id)
      const token = known === undefined ? undefined : acceptedToken(known, candidates[candidate] ?? "")
      if (known !== undefined && token !== undefined && among(known.party))
        return as({ party: known.party, token, candidate, keyring: known })
      // It has left its slot since, or cannot be decrypted: then it is found by its lookup value alone.
      const value = Redacted.make(candidates[candidate] ?? "")
      const slotted = known?.tokens.some((one) => one.slot === slot) === true
      if (known !== undefined && !slotted && (yield* isHeld(party.id, slot)))
        return as({ party, candidate, keyring: known, token: { slot, name, value } as AcceptedToken })
    }
  })

  /** Is there a token in that slot, readable or not? */
  const isHeld = (id: PartyId, slot: TokenSlot) =>
    Effect.map(
      query({ text: "SELECT 1 FROM party_token WHERE party_id = $1 AND slot = $2", values: [id, slot] }),
      (rows) => rows.length > 0
    )

  return { tokens, keyring, putToken, remember, findByToken, heldByToken, trim }
}

const isAnybody = (_: Party): boolean => true

/** The token of that text in an accepted slot. */
const acceptedToken = ({ tokens }: Keyring, text: string): AcceptedToken | undefined => {
  for (const slot of acceptedSlots) {
    const token = tokens.find((one) => one.slot === slot)
    if (token !== undefined && Redacted.value(token.value) === text) return token as AcceptedToken
  }
  return undefined
}
