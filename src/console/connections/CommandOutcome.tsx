import { useQuery } from "@tanstack/react-query"
import { type Answer, commandQuery } from "../data/queries.ts"
import { Badge } from "../elements/Badge.tsx"
import { Shown } from "../elements/States.tsx"
import { Time, Until } from "../elements/Time.tsx"
import { Body, ExchangeView } from "../exchanges/ExchangeView.tsx"

/** What came of a command: its one exchange, and each result that the partner sent later. */
export function CommandOutcome({ commandId }: { readonly commandId: string }) {
  const command = useQuery(commandQuery(commandId))
  return (
    <section className="card stack" aria-live="polite" aria-label="What came of it">
      <Shown of={command}>
        {({ command: name, createdAt, deadline, exchange, notes = [], results, state }) => (
          <>
            <div className="row apart">
              <h2>{name}</h2>
              <span className="row">
                <Badge word={state} />
                <span className="quiet small">
                  sent <Time at={createdAt} />
                </span>
              </span>
            </div>
            {exchange === null ? (
              <p className="quiet">The answer is not here yet.</p>
            ) : (
              <ExchangeView exchange={exchange} />
            )}
            <Notes of={notes} />
            <h3>Result of the charge point</h3>
            {results.length === 0 ? (
              <p className="quiet">
                {state === "accepted" ? (
                  <>
                    The partner has to post it to the response_url
                    {deadline === null ? null : (
                      <>
                        {" "}
                        by <Until at={deadline} />
                      </>
                    )}
                    .
                  </>
                ) : (
                  "None has come."
                )}
              </p>
            ) : (
              results.map((result) => <Result key={result.exchange.id} result={result} />)
            )}
          </>
        )}
      </Shown>
    </section>
  )
}

const standings = { first: "in time", late: "late", duplicate: "a second time" } as const

const Result = ({
  result: { body, exchange, notes = [], receivedAt, standing }
}: {
  readonly result: Answer<"testing.readCommand">["results"][number]
}) => (
  <div className="stack tight">
    <p>
      Came <Time at={receivedAt} />, {standings[standing]}
    </p>
    <Body text={JSON.stringify(body, null, 2)} />
    <Notes of={notes} />
    <details>
      <summary className="small">The call with which it came</summary>
      <ExchangeView exchange={exchange} />
    </details>
  </div>
)

const Notes = ({ of }: { readonly of: ReadonlyArray<string> }) =>
  of.length === 0 ? null : (
    <ul className="bullets">
      {of.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
