import { useMutation, useQuery } from "@tanstack/react-query"
import { client } from "../data/client.ts"
import { partnersQuery, suitesQuery, versionsOf } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { NotAllowed } from "../elements/NotAllowed.tsx"
import { Page } from "../elements/Page.tsx"
import { Empty, Failure, Shown } from "../elements/States.tsx"
import { useView } from "../hooks/useView.ts"
import { PartnerCard, refreshPartners } from "./PartnerCard.tsx"

/** Partners that plugfest makes, conformant or with faults. */
export function SandboxPage() {
  const partners = useQuery(partnersQuery())
  const mayMake = useAllowed("connections:write")
  return (
    <Page
      title="Sandbox"
      lead="Partners that plugfest makes: conformant, or with the faults that you switch on."
    >
      {mayMake ? <NewPartner /> : <NotAllowed scope="connections:write" to="make partners" />}
      <section className="stack" aria-label="Partners">
        <Shown of={partners}>
          {(list) =>
            list.length === 0 ? (
              <div className="card">
                <Empty>
                  <p>No partner of yours is in the sandbox.</p>
                </Empty>
              </div>
            ) : (
              list.map((partner) => <PartnerCard key={partner._id} partner={partner} />)
            )
          }
        </Shown>
      </section>
    </Page>
  )
}

function NewPartner() {
  const suites = useQuery(suitesQuery())
  const versions = versionsOf(suites.data)
  const [view, change] = useView()
  const role = view["role"] === "EMSP" ? "EMSP" : "CPO"
  const version = versions.find((each) => each === view["version"]) ?? versions.at(-1)
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => client.sandbox.create({ body: { theirRole: role, ocpiVersion: version! } }),
    onSuccess: refreshPartners
  })
  return (
    <form
      className="card row"
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <label className="row">
        <b>Role</b>
        <select className="narrow" value={role} onChange={(event) => change({ role: event.target.value })}>
          <option>CPO</option>
          <option>EMSP</option>
        </select>
      </label>
      <label className="row">
        <b>OCPI version</b>
        <select
          className="narrow"
          value={version ?? ""}
          onChange={(event) => change({ version: event.target.value })}
        >
          {versions.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <button type="submit" className="button first" disabled={isPending || version === undefined}>
        Make a partner
      </button>
      {error === null ? null : <Failure error={error} />}
    </form>
  )
}
