/** Purging of runs. A database function refuses to delete what must stay (migration 0007). */
import { Effect, Option } from "effect"
import type { OwnerId, RunId } from "../../../schema/Ids.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"
import { unlessInUse } from "../../database/partitions/dropOldPartitions.ts"
import { type Query, withoutNul } from "../../database/statement.ts"
import { traced } from "../../telemetry/traced.ts"
import type { Ledger, Tombstone } from "../Ledger.ts"

type Purging = Pick<Ledger["Type"], "expired" | "purge" | "purgeMonth" | "tombstone">

/** The methods of `Ledger` that purge runs. `untimed`: for statements of whole months. */
export const makePurging = (query: Query<DatabaseDown>, untimed: Query<DatabaseDown>): Purging => {
  const read = withoutNul(query)
  return {
    expired: traced("Ledger.expired")((days: number, limit: number) =>
      Effect.map(
        query<{ readonly run_id: RunId }>({
          name: "ledger-expired",
          text: `
            select run_id from run where closed and lease_until < now() - $1::float8 * interval '1 day'
            order by lease_until limit $2`,
          values: [days, limit]
        }),
        (rows) => rows.map(({ run_id }) => run_id)
      )
    ),
    purge: traced("Ledger.purge")((runId: RunId, reason: string) =>
      Effect.map(
        read<{ readonly purged: boolean }>({
          name: "ledger-purge",
          text: "select purge_run($1, $2) as purged",
          values: [runId, reason]
        }),
        ([row]) => row?.purged === true
      )
    ),
    purgeMonth: traced("Ledger.purgeMonth")((days: number, reason: string) =>
      untimed<{ readonly run_id: RunId }>({
        text: "select purge_month($1, $2) as run_id",
        values: [days, reason]
      }).pipe(
        unlessInUse([]),
        Effect.map((rows) => rows.map(({ run_id }) => run_id))
      )
    ),
    tombstone: traced("Ledger.tombstone")((ownerId: OwnerId, id: string) =>
      Effect.map(
        read<Tombstone & { readonly purgedAt: string }>({
          name: "ledger-tombstone",
          text: `
            select run_id as "runId", lines, head_hash as "headHash", reason,
              to_char(purged_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "purgedAt"
            from run_tombstone where (run_id = $2 or report_id = $2) and owner_id = $1`,
          values: [ownerId, id]
        }),
        ([row]) => Option.fromNullable(row)
      )
    )
  }
}
