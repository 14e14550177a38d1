/** Where the database keeps sealed secrets, and how all of them are read. */
import { Effect } from "effect"
import type { KeyId, OwnerId, PartyId } from "../../schema/Ids.ts"
import type { Query } from "../database/statement.ts"
import { answerPlace } from "./accounts/IdempotencyStore.ts"
import { pastPlaceOf, secretPlaceOf } from "./parties/partyRows.ts"
import { lookupKeyPlace } from "./parties/TokenLookup.ts"
import type { TokenSlot } from "./parties/TokenSlot.ts"
import type { SecretPlace } from "./secrets/SecretBox.ts"

/** A column of sealed secrets. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The columns that identify a row, in reading order. */
  readonly keys: ReadonlyArray<string>
  readonly place: (...keys: ReadonlyArray<string>) => SecretPlace
}

/** All of them. */
export const sealedColumns: ReadonlyArray<SealedColumn> = [
  {
    table: "party_token",
    column: "sealed",
    keys: ["party_id", "slot"],
    place: (id, slot) => secretPlaceOf(id as PartyId, slot as TokenSlot) // as the row says
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

/** A sealed secret as it was read. */
export interface SealedSecret {
  /** The values of the columns that identify its row. */
  readonly row: ReadonlyArray<string>
  readonly place: SecretPlace
  readonly sealed: string
}

/** Reads a column of secrets, a page at a time, and hands each page to `use`. */
export const forEachSealed = Effect.fnUntraced(function* <E, E2>(
  query: Query<E>,
  { column, keys, place, table }: SealedColumn,
  page: number,
  use: (secrets: ReadonlyArray<SealedSecret>) => Effect.Effect<void, E2>
): Effect.fn.Return<void, E | E2> {
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
    const secrets = rows.map((one): SealedSecret => {
      const row = keys.map((key) => one[key]!)
      return { row, place: place(...row), sealed: one[column]! }
    })
    yield* use(secrets)
    after = rows.length < page ? undefined : secrets.at(-1)?.row
  }
})
