import { useMutation } from "@tanstack/react-query"
import { useEffect } from "react"
import { client } from "../data/client.ts"
import { Failure, Loading } from "../elements/States.tsx"

const marks = { ok: "good", failed: "bad", skipped: "none" } as const

/** The diagnosis of a connection, probe by probe; changes nothing at the partner. */
export function Preflight({ begin, id }: { readonly id: string; readonly begin: boolean }) {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => client.connections.preflight({ path: { id } })
  })
  useEffect(() => {
    if (begin) mutate()
  }, [begin, mutate])
  return (
    <section className="card stack" aria-live="polite">
      <div className="row apart">
        <h2>Preflight</h2>
        <button type="button" className="button" disabled={isPending} onClick={() => mutate()}>
          {data === undefined ? "Diagnose" : "Diagnose again"}
        </button>
      </div>
      <p className="quiet">Looks from the network up to OCPI, in both directions. It changes nothing.</p>
      {isPending ? <Loading /> : null}
      {error === null ? null : <Failure error={error} />}
      {data === undefined ? null : (
        <>
          <p className={`note ${data.ready ? "good" : "warn"}`}>
            {data.ready
              ? "Nothing stands in the way."
              : "Something stands in the way; begin with the first failure."}
          </p>
          <ol className="stack tight">
            {data.probes.map(({ id: probe, message, nextAction, outcome, title, ...rest }) => (
              <li key={probe} className="cause">
                <span className={`badge ${marks[outcome]}`}>{outcome}</span>
                <div>
                  <p>
                    <b>{title}</b>{" "}
                    {rest.class === null ? null : <span className="quiet">({rest.class})</span>}
                  </p>
                  <p className={outcome === "failed" ? "" : "quiet"}>{message}</p>
                  {nextAction === null ? null : <p>Next: {nextAction}</p>}
                </div>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  )
}
