import { useQuery } from "@tanstack/react-query"
import { runsBesideQuery } from "../data/reportQueries.ts"
import { utcTime } from "../format/time.ts"
import { useView } from "../hooks/useView.ts"

/** Only what failed in an earlier run with the partner. */
export function FailedOf({ connectionId }: { readonly connectionId: string }) {
  const { data = [] } = useQuery(runsBesideQuery("conformance", { connectionId }))
  const [view, change] = useView()
  const failed = data.filter(({ summary }) => summary.failed > 0)
  const chosen = view["failed"]
  return (
    <label className="field">
      <span>Only what failed in</span>
      <select value={chosen ?? ""} onChange={({ target }) => change({ failed: target.value })}>
        <option value="">– no earlier run –</option>
        {chosen === undefined || failed.some(({ _id }) => _id === chosen) ? null : (
          <option value={chosen}>{chosen}</option>
        )}
        {failed.map(({ _id, createdAt, suiteId, summary }) => (
          <option key={_id} value={_id}>
            {utcTime(createdAt)} · {suiteId} · {summary.failed} failed
          </option>
        ))}
      </select>
    </label>
  )
}
