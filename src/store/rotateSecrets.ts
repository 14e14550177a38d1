/**
 * Rotation of the encryption key: secrets sealed with an older key are opened and sealed again, page by page, while
 * servers go on. A row is replaced only if it still holds what was read, so a secret written meanwhile stays.
 */
import { Effect } from "effect"
import type { KeyId, OwnerId, PartyId } from "../../schema/Ids.ts"
import { Database } from "../database/Database.ts"
import { traced } from "../telemetry/traced.ts"
import { answerPlace } from "./accounts/IdempotencyStore.ts"
import { pastPlaceOf, placeOf } from "./parties/partyRows.ts"
import { lookupKeyPlace } from "./parties/TokenLookup.ts"
import type { TokenSlot } from "./parties/TokenSlot.ts"
import { SecretBox, type SecretPlace } from "./secrets/SecretBox.ts"

/** The result of `rotateSecrets`. */
export interface Rotation {
  /** How many secrets were sealed anew with the first key. */
  readonly resealed: number
  /** Places of the secrets that no configured key opens; they stay as they are. */
  readonly unreadable: ReadonlyArray<string>
}

/** A column of sealed secrets. */
interface Sealed {
  readonly table: string
  readonly column: string
  /** The columns that identify a row, in reading order. */
  readonly keys: ReadonlyArray<string>
  readonly place: (...keys: ReadonlyArray<string>) => SecretPlace
}

const everySealed: ReadonlyArray<Sealed> = [
  {
    table: "party_token",
    column: "sealed",
    keys: ["party_id", "slot"],
    place: (id, slot) => placeOf(id as PartyId, slot as TokenSlot) // as the row says
  },
  {
    table: "party_past_token",
    column: "sealed",
    keys: ["party_id", "fingerprint"],
    place: (id, fingerprint) => pastPlaceOf(id as PartyId, fingerprint!) // as the row says
  },
  { table: "lookup_key", column: "sealed", keys: ["id"], place: (id) => lookupKeyPlace(id!) },
  {
    table: "idempotency",
    column: "body",
    keys: ["owner_id", "key_id", "endpoint", "key"],
    place: (ownerId, keyId, endpoint, key) =>
      answerPlace({
        ownerId: ownerId as OwnerId,
        keyId: keyId as KeyId,
        endpoint: endpoint!,
        key: key!
      })
  }
]

/** Concurrent statements: few, because servers need the database too. */
const atOnce = 4

/**
 * Seals every stored secret anew with the first key. `page`: rows read at a time. Run it again if a server still wrote
 * with the old key meanwhile.
 */
export const rotateSecrets = traced("rotateSecrets")(function* (page = 200) {
  const { query } = yield* Database
  const box = yield* SecretBox

  const replace = traced("rotateSecrets.replace")(function* (
    { column, keys, place, table }: Sealed,
    row: ReadonlyArray<string>,
    old: string
  ) {
    const where = place(...row)
    const sealed = yield* box.seal(where, yield* box.open(where, old))
    const same = keys.map((key, index) => `${key} = $${index + 3}`).join(" AND ")
    const changed = yield* query({
      text: `UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND ${same} RETURNING 1`,
      values: [sealed, old, ...row]
    })
    return changed.length
  })

  let resealed = 0
  const unreadable: Array<string> = []
  for (const kind of everySealed) {
    const { column, keys, table } = kind
    const names = keys.join(", ")
    let after: ReadonlyArray<string> | undefined = keys.map(() => "")
    while (after !== undefined) {
      const from: ReadonlyArray<string> = after
      const rows: ReadonlyArray<Record<string, string>> = yield* query<Record<string, string>>({
        text: `SELECT ${names}, ${column} FROM ${table}
               WHERE ${column} IS NOT NULL AND (${names}) > (${keys.map((_, index) => `$${index + 1}`).join(", ")})
               ORDER BY ${names} LIMIT ${page}`,
        values: [...from]
      })
      yield* Effect.forEach(
        rows.filter((one) => !box.isCurrent(one[column]!)),
        (one) =>
          replace(
            kind,
            keys.map((key) => one[key]!),
            one[column]!
          ).pipe(
            Effect.match({
              onSuccess: (count) => {
                resealed += count
              },
              onFailure: ({ message }) => void unreadable.push(message)
            })
          ),
        { concurrency: atOnce, discard: true }
      )
      const last = rows.at(-1)
      after = rows.length < page || last === undefined ? undefined : keys.map((key) => last[key]!)
    }
  }
  return { resealed, unreadable } satisfies Rotation
})
