/** What a database holds, as text to compare: who changed something shows. */
import { rows } from "./database.ts"

/** Kept about processes, and about requests as such, whoever sends them; not what anybody owns. */
const ofNobody = ["bucket", "server_process", "shard_lock", "audit_entry", "open_stream", "idempotency"]

/**
 * Table → its rows as sorted text, apart from when a key was last used. `mentioning`: only rows that contain one of these
 * words, e.g. ids.
 */
export async function storedRows(
  database: string,
  mentioning?: ReadonlyArray<string>
): Promise<Record<string, ReadonlyArray<string>>> {
  // Rows of a partition are those of its table.
  const tables = await rows(
    database,
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition"
  )
  const kept = tables.map(({ relname }) => relname).filter((name) => !ofNobody.includes(name))
  const text = (name: string) =>
    `SELECT '${name}' AS name, (to_jsonb(t) - 'last_used_at')::text AS row FROM "${name}" t`
  const found = await rows(database, `${kept.map(text).join(" UNION ALL ")} ORDER BY 1, 2`)
  const stored: Record<string, Array<string>> = {}
  for (const { name, row } of found) {
    if (mentioning?.some((word) => row.includes(word)) === false) continue
    stored[name] ??= []
    stored[name].push(row)
  }
  return stored
}
