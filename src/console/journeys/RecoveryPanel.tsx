import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useId, useState } from "react"
import { PlugfestError } from "../../client/plugfest.ts"
import { client } from "../data/client.ts"
import type { Journey } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { NotAllowed } from "../elements/NotAllowed.tsx"
import { Failure } from "../elements/States.tsx"

/** The decisions that the service offers for an interrupted run, each with what it does. Nothing is chosen for the user. */
export function RecoveryPanel({
  journey,
  onDecided,
  reason
}: {
  readonly journey: Journey
  readonly reason: string | undefined
  readonly onDecided: () => void
}) {
  const { recoveryOptions, recoveryVersion, runId } = journey
  const navigate = useNavigate()
  const name = useId()
  const mayRun = useAllowed("run")
  // A choice belongs to one offer: a new one has to be read before it is decided upon.
  const [choice, choose] = useState<{ readonly version: number; readonly decision: string }>()
  const chosen =
    choice?.version === recoveryVersion
      ? recoveryOptions.find(({ decision }) => decision === choice.decision)
      : undefined
  const { error, isPending, mutate } = useMutation({
    mutationFn: (decision: Journey["recoveryOptions"][number]["decision"]) =>
      client.journeyRuns.recovery({ path: { id: runId }, body: { decision, recoveryVersion } }),
    onSuccess: ({ successorRunId }) => {
      if (successorRunId !== null) void navigate({ to: "/journeys/$id", params: { id: successorRunId } })
    },
    onSettled: onDecided
  })
  const isStale = error instanceof PlugfestError && error.status === 409
  return (
    <section className="note warn stack" aria-labelledby={`${name}-title`}>
      <div className="stack tight">
        <h2 id={`${name}-title`}>This run was interrupted: you decide how it goes on</h2>
        {reason === undefined ? null : <p>{reason}</p>}
      </div>
      {isStale ? (
        <p className="note" role="alert">
          The run has moved on since this page offered the decision, so nothing was done. Here is what is
          offered now (offer {recoveryVersion}).
        </p>
      ) : error === null ? null : (
        <Failure error={error} />
      )}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen !== undefined) mutate(chosen.decision)
        }}
      >
        <fieldset>
          <legend className="unseen">Decision</legend>
          {recoveryOptions.map(({ decision, description, label, recommended }) => (
            <label key={decision} className="choice card">
              <input
                type="radio"
                name={name}
                checked={chosen?.decision === decision}
                onChange={() => choose({ version: recoveryVersion, decision })}
              />
              <span className="stack tight">
                <span>
                  <b>{label}</b> {recommended ? <span className="badge good">recommended</span> : null}
                </span>
                <span>{description}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <div className="row">
          {mayRun ? (
            <button type="submit" className="button first" disabled={isPending || chosen === undefined}>
              {chosen === undefined ? "Choose a decision" : chosen.label}
            </button>
          ) : (
            <NotAllowed scope="run" to="decide" />
          )}
          <span className="quiet small">Offer {recoveryVersion}</span>
        </div>
      </form>
    </section>
  )
}
