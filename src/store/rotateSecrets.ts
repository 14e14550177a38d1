/**
 * Rotation of the encryption key: secrets sealed with an older key are opened and sealed again, page by page, while
 * servers go on. A row is replaced only if it still holds what was read, so a secret written meanwhile stays.
 */
import { Effect } from "effect"
import { Database } from "../database/Database.ts"
import { traced } from "../telemetry/traced.ts"
import { forEachSealed, type SealedColumn, type SealedSecret, sealedColumns } from "./sealedSecrets.ts"
import { SecretBox } from "./secrets/SecretBox.ts"

/** The result of `rotateSecrets`. */
interface Rotation {
  /** How many secrets were sealed anew with the first key. */
  readonly resealed: number
  /** Places of the secrets that no configured key opens; they stay as they are. */
  readonly unreadable: ReadonlyArray<string>
}

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
    { column, keys, table }: SealedColumn,
    { place, row, sealed: old }: SealedSecret
  ) {
    const sealed = yield* box.seal(place, yield* box.open(place, old))
    const same = keys.map((key, index) => `${key} = $${index + 3}`).join(" AND ")
    const changed = yield* query({
      text: `UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND ${same} RETURNING 1`,
      values: [sealed, old, ...row]
    })
    return changed.length
  })

  let resealed = 0
  const unreadable: Array<string> = []
  for (const column of sealedColumns)
    yield* forEachSealed(query, column, page, (secrets) =>
      Effect.forEach(
        secrets.filter(({ sealed }) => !box.isCurrent(sealed)),
        (secret) =>
          replace(column, secret).pipe(
            Effect.match({
              onSuccess: (count) => {
                resealed += count
              },
              onFailure: ({ message }) => void unreadable.push(message)
            })
          ),
        { concurrency: atOnce, discard: true }
      )
    )
  return { resealed, unreadable } satisfies Rotation
})
