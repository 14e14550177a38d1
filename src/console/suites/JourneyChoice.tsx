import { useMutation, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { client } from "../data/client.ts"
import { type Answer, type Connection, journeysQuery } from "../data/queries.ts"
import { Empty, Failure, Shown } from "../elements/States.tsx"
import { duration } from "../format/time.ts"
import { count } from "../format/words.ts"

type Template = Answer<"testing.journeys">["templates"][number]

const actors: Readonly<Record<string, string>> = {
  us: "plugfest",
  partner: "partner",
  operator: "you",
  clock: "time"
}

/** The journeys for the partner, with their stages, who acts in each, and why one cannot be played. */
export function JourneyChoice({ connection }: { readonly connection: Connection }) {
  const journeys = useQuery(journeysQuery(connection._id))
  const navigate = useNavigate()
  const { error, isPending, mutate, variables } = useMutation({
    mutationFn: ({ id, planVersion }: Template) =>
      client.journeyRuns.start({
        body: {
          connectionId: connection._id,
          templateId: id,
          ...(planVersion === undefined ? {} : { planVersion })
        }
      }),
    onSuccess: ({ runId }) => navigate({ to: "/journeys/$id", params: { id: runId } })
  })
  return (
    <Shown of={journeys}>
      {({ templates }) =>
        templates.length === 0 ? (
          <Empty>
            <p>No journey is for this version and role.</p>
          </Empty>
        ) : (
          <ul className="columns">
            {templates.map((template) => {
              const { description, expectedDurationSeconds, id, name, reasons, runnable, stages } = template
              return (
                <li key={id} className="card stack tight">
                  <h2>{name}</h2>
                  <p className="quiet">{description}</p>
                  <p className="small">
                    {count(stages.length, "stage")} · about {duration(expectedDurationSeconds * 1000)} ·{" "}
                    {stages.some(({ writes }) => writes) ? "writes at the partner" : "only reads"}
                  </p>
                  <details>
                    <summary>Stages</summary>
                    <ol className="bullets numbers">
                      {stages.map((stage) => (
                        <li key={stage.id}>
                          {stage.name} <span className="quiet small">({actors[stage.actor]})</span>
                        </li>
                      ))}
                    </ol>
                  </details>
                  {reasons.map((reason) => (
                    <p key={reason} className="note warn small">
                      {reason}
                    </p>
                  ))}
                  {error !== null && variables?.id === id ? <Failure error={error} /> : null}
                  <div>
                    <button
                      type="button"
                      className="button first"
                      disabled={isPending || !runnable}
                      onClick={() => mutate(template)}
                    >
                      {isPending && variables?.id === id ? "Starting…" : "Start"}
                    </button>
                  </div>
                </li>
              )
            })}
          </ul>
        )
      }
    </Shown>
  )
}
