import { useMutation, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { Input } from "../../client/plugfest.ts"
import { client } from "../data/client.ts"
import { type Answer, type Connection, journeysQuery } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { NotAllowed } from "../elements/NotAllowed.tsx"
import { Empty, Failure, Shown } from "../elements/States.tsx"
import { TextInput } from "../elements/TextInput.tsx"
import { asPages } from "../format/asPages.ts"
import { duration } from "../format/time.ts"
import { count } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import { fieldsOf, type InputField, inputPart, inputsOf } from "./inputsOf.ts"

type Catalogue = Answer<"testing.journeys">
type JourneyOrder = NonNullable<Input<"journeyRuns.start">["body"]>

const actors: Readonly<Record<string, string>> = {
  us: "plugfest",
  partner: "partner",
  operator: "you",
  clock: "time"
}

/** The journeys for the partner, alone, as a pack or as a scenario of yours, and why one cannot be played. */
export function JourneyChoice({ connection }: { readonly connection: Connection }) {
  const journeys = useQuery(journeysQuery(connection._id))
  return (
    <Shown of={journeys}>
      {({ packs, scenarios, templates }) => {
        const known = new Set([...templates, ...packs].map(({ id }) => id))
        const own = scenarios.filter(({ templateId }) => known.has(templateId))
        return templates.length === 0 ? (
          <Empty>
            <p>No journey is for this version and role.</p>
          </Empty>
        ) : (
          <>
            {own.length === 0 ? null : (
              <Group title="Your scenarios">
                {own.map(({ id, inputs, name, templateId }) => (
                  <Card key={id} name={name}>
                    <p className="quiet">
                      Plays {templateId} with {count(Object.keys(inputs).length, "input")} of yours.
                    </p>
                    <Start order={{ connectionId: connection._id, scenarioId: id }} runnable />
                  </Card>
                ))}
              </Group>
            )}
            {packs.length === 0 ? null : (
              <Group title="Packs: several journeys as one run">
                {packs.map((pack) => (
                  <Pack key={pack.id} pack={pack} connectionId={connection._id} />
                ))}
              </Group>
            )}
            <Group title="Journeys">
              {templates.map((template) => (
                <Template key={template.id} template={template} connectionId={connection._id} />
              ))}
            </Group>
          </>
        )
      }}
    </Shown>
  )
}

const Group = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="stack tight">
    <h2>{title}</h2>
    <ul className="columns">{children}</ul>
  </section>
)

const Card = ({ children, name }: { readonly name: string; readonly children: ReactNode }) => (
  <li className="card stack tight">
    <h3>{name}</h3>
    {children}
  </li>
)

function Pack({
  connectionId,
  pack: {
    description,
    expectedDurationSeconds,
    faults,
    id,
    name,
    planVersion,
    reasons,
    runnable,
    templateIds
  }
}: {
  readonly pack: Catalogue["packs"][number]
  readonly connectionId: string
}) {
  return (
    <Card name={name}>
      <p className="quiet">{description}</p>
      <p className="small">
        {count(templateIds.length, "journey")} · about {duration(expectedDurationSeconds * 1000)}
        {faults.length === 0 ? "" : ` · plugfest makes ${count(faults.length, "fault")} on its own side`}
      </p>
      <Reasons reasons={reasons} />
      <Start order={{ connectionId, packId: id, planVersion }} runnable={runnable} />
    </Card>
  )
}

function Template({
  connectionId,
  template: { description, expectedDurationSeconds, id, inputs, name, planVersion, reasons, runnable, stages }
}: {
  readonly template: Catalogue["templates"][number]
  readonly connectionId: string
}) {
  const fields = fieldsOf(inputs)
  return (
    <Card name={name}>
      <p className="quiet">{description}</p>
      <p className="small">
        {count(stages.length, "stage")} · about {duration(expectedDurationSeconds * 1000)} ·{" "}
        {stages.some(({ writes }) => writes) ? "writes at the partner" : "only reads"}
        {stages.some(({ actor }) => actor === "operator") ? " · asks you something" : ""}
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
      <Reasons reasons={reasons} />
      <Start order={{ connectionId, templateId: id, planVersion }} fields={fields} runnable={runnable} />
    </Card>
  )
}

const Reasons = ({ reasons }: { readonly reasons: ReadonlyArray<string> }) =>
  reasons.map((reason) => (
    <p key={reason} className="note warn small">
      {asPages(reason)}
    </p>
  ))

/** The inputs of a journey, each of which may be left out unless it is needed, and its start. */
function Start({
  fields = [],
  order,
  runnable
}: {
  readonly order: JourneyOrder
  readonly fields?: ReadonlyArray<InputField>
  readonly runnable: boolean
}) {
  const navigate = useNavigate()
  const mayRun = useAllowed("run")
  const [view, change] = useView()
  const textOf = (name: string) => view[inputPart(order.templateId, name)] ?? ""
  const inputs = inputsOf(fields, textOf)
  const { error, isPending, mutate } = useMutation({
    mutationFn: () =>
      client.journeyRuns.start({
        body: { ...order, ...(Object.keys(inputs).length === 0 ? {} : { inputs }) }
      }),
    onSuccess: ({ runId }) => navigate({ to: "/journeys/$id", params: { id: runId } })
  })
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      {fields.length === 0 ? null : (
        <details open={fields.some(({ name, required }) => required || textOf(name) !== "")}>
          <summary>Inputs</summary>
          <div className="stack tight">
            {fields.map(({ description, name, required }) => (
              <label key={name} className="field">
                <span>{name}</span>
                <TextInput
                  type="text"
                  required={required}
                  value={textOf(name)}
                  change={(text) => change({ [inputPart(order.templateId, name)]: text })}
                />
                {description === undefined ? null : <small>{description}</small>}
              </label>
            ))}
          </div>
        </details>
      )}
      {error === null ? null : <Failure error={error} />}
      {mayRun ? (
        <div>
          <button type="submit" className="button first" disabled={isPending || !runnable}>
            {isPending ? "Starting…" : "Start"}
          </button>
        </div>
      ) : (
        <NotAllowed scope="run" to="start a journey" />
      )}
    </form>
  )
}
