/** Which stored secrets the configured keys do not open. */
import { Effect } from "effect"
import type { Query } from "../database/statement.ts"
import { traced } from "../telemetry/traced.ts"
import { forEachSealed, sealedColumns } from "./sealedSecrets.ts"
import { SecretBox } from "./secrets/SecretBox.ts"

const page = 500

/**
 * Opens every secret and keeps none; returns what is said of those that do not open. `hasColumns`: whether the schema of
 * the database, which may be an older one, has these columns of a table.
 */
export const unreadableSecrets = traced("unreadableSecrets")(function* <E>(
  query: Query<E>,
  hasColumns: (table: string, columns: ReadonlyArray<string>) => boolean
) {
  const { open } = yield* SecretBox
  const unreadable: Array<string> = []
  for (const column of sealedColumns.filter(({ column, keys, table }) =>
    hasColumns(table, [...keys, column])
  ))
    yield* forEachSealed(query, column, page, (secrets) =>
      Effect.forEach(
        secrets,
        ({ place, sealed }) =>
          Effect.catchAll(open(place, sealed), ({ message }) =>
            Effect.sync(() => void unreadable.push(message))
          ),
        { discard: true }
      )
    )
  return unreadable as ReadonlyArray<string>
})
