import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { client } from "../data/client.ts"
import { isOpen, type Journey } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { Failure } from "../elements/States.tsx"
import { useTip } from "../elements/Tip.tsx"
import { PlayJourneyAgain } from "../runs/PlayJourneyAgain.tsx"

/** The runs that this one replaced, and that replaced this one. */
export function JourneyLinks({
  journey: { predecessorRunId, successorRunId }
}: {
  readonly journey: Journey
}) {
  return (
    <>
      {predecessorRunId === null ? null : (
        <Link to="/journeys/$id" params={{ id: predecessorRunId }}>
          Run before this one
        </Link>
      )}
      {successorRunId === null ? null : (
        <Link to="/journeys/$id" params={{ id: successorRunId }}>
          Run that replaced it
        </Link>
      )}
    </>
  )
}

/** What can be done about a journey run: look at its report, stop it, and play it again. */
export function JourneyActions({
  journey,
  onDone
}: {
  readonly journey: Journey
  readonly onDone: () => void
}) {
  const mayRun = useAllowed("run")
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => client.journeyRuns.cancel({ path: { id: journey.runId } }),
    onSettled: onDone
  })
  const { anchor, bubble } = useTip(
    "Stops at the next safe point, cleans up at the partner and grades what is there"
  )
  return (
    <>
      {mayRun && isOpen(journey.status) && journey.status !== "interrupted" ? (
        <>
          <button
            type="button"
            className="button grave"
            disabled={isPending || journey.status === "cancelling"}
            onClick={() => mutate()}
            {...anchor}
          >
            Cancel the run
          </button>
          {bubble}
        </>
      ) : null}
      {isOpen(journey.status) ? null : <PlayJourneyAgain {...journey} />}
      <Link to="/runs/$id" params={{ id: journey.reportId }} className="button">
        Report
      </Link>
      {error === null ? null : <Failure error={error} />}
    </>
  )
}
