/**
 * The statement that lists runs. Who lists again mostly gets the same runs in the same state, so this process names the mark of
 * its last list, and rows are sent only when they have another one.
 */
import { isTerminal } from "../../../schema/RunReport.ts"
import type { RunListQuery, RunRow } from "../Ledger.ts"
import { rowOf, runColumns, type StoredRun } from "./runRows.ts"

/** Rows that are remembered, some kilobytes each. */
const mostRows = 1000

/** One of the statement's rows: the mark, and a run, or nulls when there is none or the mark is the one that was named. */
type Listed = { readonly mark: string } & (StoredRun | { readonly run_id: null })

interface LastList {
  readonly mark: string
  readonly rows: ReadonlyArray<RunRow>
}

/** The statement for a query, and what its answer means. */
interface ListStatement {
  readonly name: string
  readonly text: string
  readonly values: ReadonlyArray<unknown>
  /** In the order that was asked for; the same array as before while nothing has changed. */
  readonly rowsOf: (listed: ReadonlyArray<Listed>) => ReadonlyArray<RunRow>
}

/** Makes the statements of this process, which remember the last list of each query. */
export const makeListStatements = (): ((query: RunListQuery) => ListStatement) => {
  const lists = new Map<string, LastList>()
  let remembered = 0

  const keep = (key: string, list: LastList) => {
    remembered += list.rows.length - (lists.get(key)?.rows.length ?? 0)
    lists.delete(key)
    lists.set(key, list)
    for (const [oldest, { rows }] of lists) {
      if (remembered <= mostRows && lists.size <= mostRows) return
      lists.delete(oldest)
      remembered -= rows.length
    }
  }

  return (query) => {
    const { order = "newest" } = query
    const asked = [
      query.ownerId,
      query.cursor ?? null,
      query.kind ?? null,
      query.status ?? null,
      query.verdict ?? null,
      query.ocpiVersion ?? null,
      query.connectionId ?? null,
      query.limit
    ]
    const key = JSON.stringify([order, ...asked])
    const before = lists.get(key)
    const which = indexFor(query)
    return {
      name: `ledger-list-${which}-${order}`,
      text: texts[which][order],
      values: [...asked, before?.mark ?? null],
      rowsOf: (listed) => {
        const mark = listed[0]?.mark ?? ""
        // What was named, or what another caller has got by the same statement.
        const known = [before, lists.get(key)].find((list) => list?.mark === mark)
        if (known !== undefined) return known.rows
        const rows = listed.filter((row): row is Listed & StoredRun => row.run_id !== null).map(rowOf)
        keep(key, { mark, rows })
        return rows
      }
    }
  }
}

/** A statement that is planned once for all values uses an index only where its text says so: few runs are open, or of one connection. */
function indexFor({ connectionId, status }: RunListQuery): "open" | "connection" | "all" {
  if (status !== undefined && !isTerminal(status)) return "open"
  return connectionId === undefined ? "all" : "connection"
}

/**
 * The mark of a list is made of all that can change of its rows: their heads, which stand for their lines, leases, and whether they are
 * archived.
 */
const textIn = (before: "<" | ">", order: "asc" | "desc", only = "") => `
  with page as materialized (
    select ${runColumns} from run
    where owner_id = $1 ${only} and ($2::text is null or run_id ${before} $2) and ($3::text is null or kind = $3)
      and ($4::text is null or status = $4) and ($5::text is null or verdict = $5)
      and ($6::text is null or ocpi_version = $6) and ($7::text is null or connection_id = $7)
    order by run_id ${order} limit $8
  ), marked as (
    select md5(coalesce(string_agg(
      concat_ws(' ', run_id, head_hash, lease_epoch, released, lease_alive, archived), ',' order by run_id desc), '')) as mark
    from page
  )
  select * from marked left join page on mark is distinct from $9 order by run_id ${order}`

const texts = {
  all: { newest: textIn("<", "desc"), oldest: textIn(">", "asc") },
  open: { newest: textIn("<", "desc", "and not closed"), oldest: textIn(">", "asc", "and not closed") },
  connection: {
    newest: textIn("<", "desc", "and connection_id = $7"),
    oldest: textIn(">", "asc", "and connection_id = $7")
  }
}
