import { Link } from "@tanstack/react-router"
import type { LedgerEvent } from "../../client/plugfest.ts"
import { asPages } from "../format/asPages.ts"
import { shortMessage } from "../format/shortMessage.ts"
import { count } from "../format/words.ts"

type Assertion = LedgerEvent["assertions"][number]

/** The rules that failed, in the order in which they were graded. */
export const failedIn = (events: ReadonlyArray<LedgerEvent>): ReadonlyArray<Assertion> =>
  events.flatMap(({ assertions }) => assertions.filter(({ outcome }) => outcome === "failed"))

/** How many rules are named. */
const mostNamed = 4

/** Why a run that has ended failed: its first failure, what to change, and where the others are. As high as what the run waited for. */
export function FailedPanel({
  failed,
  reportId
}: {
  readonly failed: ReadonlyArray<Assertion>
  readonly reportId: string
}) {
  const [first] = failed
  return (
    <section className="note waiting-place over stack tight" aria-label="What failed">
      <h2 className="outcome-bad">{count(failed.length, "rule")} failed</h2>
      <p className="instruction">
        {shortMessage(first?.message ?? first?.title ?? "").split(". Almost: ")[0]}.
      </p>
      <p className="small ends">{first?.hint === undefined ? "" : asPages(first.hint)}</p>
      <div className="row ways small">
        {failed.slice(0, mostNamed).map(({ id }) => (
          <Link key={id} className="mono" to="/runs/$id" params={{ id: reportId }} search={{ check: id }}>
            {id}
          </Link>
        ))}
        {failed.length > mostNamed ? <span>and {failed.length - mostNamed} more in the report</span> : null}
      </div>
      <div className="bar" aria-hidden="true" />
    </section>
  )
}
