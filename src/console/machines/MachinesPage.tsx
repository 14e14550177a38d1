import { useQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import { machineQuery, machinesQuery } from "../data/queries.ts"
import { Chip, Chips } from "../elements/Chips.tsx"
import { Page } from "../elements/Page.tsx"
import { Shown } from "../elements/States.tsx"
import { capital } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import { MachineDiagram } from "./MachineDiagram.tsx"
import { OpenJourneys } from "./OpenJourneys.tsx"
import { OpenSuites } from "./OpenSuites.tsx"
import { Processes } from "./Processes.tsx"
import { Registrations } from "./Registrations.tsx"

/** The state machines of the service, how many runs are in each state, which, and the processes that work on them. */
export function MachinesPage() {
  const machines = useQuery(machinesQuery())
  const [view, change] = useView()
  return (
    <Page
      title="Machines"
      lead="Each run and each registration is a state machine. The numbers say how many are in each state now."
    >
      <Shown of={machines}>
        {(list) => {
          const chosen = list.find(({ id }) => id === view["machine"]) ?? list[0]
          return (
            <>
              <Chips label="Machine">
                {list.map(({ id, name }) => (
                  <Chip
                    key={id}
                    isOn={id === chosen?.id}
                    press={() => change({ machine: id, state: undefined }, { push: true })}
                  >
                    {name}
                  </Chip>
                ))}
              </Chips>
              {chosen === undefined ? null : (
                <>
                  <MachineCard
                    key={chosen.id}
                    id={chosen.id}
                    counts={chosen.counts}
                    description={chosen.description}
                  />
                  {chosen.id === "journeyRun" ? <OpenJourneys state={view["state"]} /> : null}
                  {chosen.id === "handshake" ? <Registrations state={view["state"]} /> : null}
                  {chosen.id === "suiteRun" ? <OpenSuites state={view["state"]} /> : null}
                </>
              )}
            </>
          )
        }}
      </Shown>
      <Processes />
    </Page>
  )
}

/** Counts of ended runs say nothing about now. */
const live = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).filter(([state]) => !["completed", "cancelled", "failed"].includes(state))

function MachineCard({
  counts,
  description,
  id
}: {
  readonly id: string
  readonly description: string
  readonly counts: Readonly<Record<string, number>>
}) {
  const machine = useQuery(machineQuery(id))
  const [view, change] = useView()
  const choose = useCallback((state: string | undefined) => change({ state }), [change])
  return (
    <section className="card stack">
      <p className="quiet">{description}</p>
      <Shown of={machine}>
        {(data) => <MachineDiagram machine={data} counts={counts} chosen={view["state"]} choose={choose} />}
      </Shown>
      <Chips label="States">
        {live(counts).map(([state, many]) => (
          <Chip
            key={state}
            isOn={state === view["state"]}
            press={() => choose(state === view["state"] ? undefined : state)}
          >
            {capital(state.replaceAll(".", ": "))} <b>{many}</b>
          </Chip>
        ))}
      </Chips>
    </section>
  )
}
