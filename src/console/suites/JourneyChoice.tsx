import { useMutation, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { client } from "../data/client.ts"
import type { JourneyOrder } from "../data/journeyOrder.ts"
import { type Answer, type Connection, journeysQuery } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { NotAllowed } from "../elements/NotAllowed.tsx"
import { Empty, Shown } from "../elements/States.tsx"
import { TextInput } from "../elements/TextInput.tsx"
import { asPages } from "../format/asPages.ts"
import { registrationChanges } from "../format/registrationChanges.ts"
import { estimate } from "../format/time.ts"
import { count } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import { BeginDialog } from "../runs/BeginDialog.tsx"
import { fieldsOf, type InputField, inputPart, inputsOf } from "./inputsOf.ts"

type Catalogue = Answer<"testing.journeys">

const actors: Readonly<Record<string, string>> = {
  us: "plugfest",
  partner: "partner",
  operator: "you",
  clock: "time"
}

/** The journeys for a partner of this role and version, alone, as a pack or as a scenario of yours, and what is in the way of others. */
export function JourneyChoice({ connection }: { readonly connection: Connection }) {
  const journeys = useQuery(journeysQuery(connection._id))
  return (
    <Shown of={journeys}>
      {({ packs, scenarios, templates }) => {
        const all = [...templates, ...packs]
        const fit = all.filter(
          ({ ourRole, supportedVersions }) =>
            ourRole === connection.ourRole && supportedVersions.includes(connection.ocpiVersion)
        )
        const known = new Set(fit.map(({ id }) => id))
        const own = scenarios.filter(({ templateId }) => known.has(templateId))
        const fitPacks = packs.filter(({ id }) => known.has(id))
        const withheld = fit.filter(({ runnable }) => !runnable)
        return fit.length === 0 ? (
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
                      Plays {fit.find(({ id }) => id === templateId)?.name ?? templateId} with{" "}
                      {count(Object.keys(inputs).length, "input")} of yours.
                    </p>
                    <Start
                      name={name}
                      order={{ connectionId: connection._id, scenarioId: id }}
                      changes={registrationChanges({ packs, templates }, templateId)}
                    />
                  </Card>
                ))}
              </Group>
            )}
            {fitPacks.some(({ runnable }) => runnable) ? (
              <Group title="Packs: several journeys as one run">
                {fitPacks
                  .filter(({ runnable }) => runnable)
                  .map((pack) => (
                    <Pack
                      key={pack.id}
                      pack={pack}
                      names={pack.templateIds.map((id) => templates.find((one) => one.id === id)?.name ?? id)}
                      connectionId={connection._id}
                      changes={registrationChanges({ packs, templates }, pack.id)}
                    />
                  ))}
              </Group>
            ) : null}
            {withheld.length === fit.length ? null : (
              <Group title="Journeys">
                {templates
                  .filter(({ id, runnable }) => runnable && known.has(id))
                  .map((template) => (
                    <Template
                      key={template.id}
                      template={template}
                      connectionId={connection._id}
                      changes={registrationChanges({ packs, templates }, template.id)}
                    />
                  ))}
              </Group>
            )}
            <Withheld journeys={withheld} />
            {fit.length === all.length ? null : (
              <p className="quiet small">
                {count(all.length - fit.length, "more journey")} and packs are for partners of another role or
                version.
              </p>
            )}
          </>
        )
      }}
    </Shown>
  )
}

/** Those for this kind of partner that cannot be played now, below what is in the way. */
function Withheld({
  journeys
}: {
  readonly journeys: ReadonlyArray<Catalogue["packs" | "templates"][number]>
}) {
  const reasons = new Map<string, Array<string>>()
  for (const { name, reasons: why } of journeys) {
    const reason = why.map(asPages).join("; ")
    reasons.set(reason, [...(reasons.get(reason) ?? []), name])
  }
  return journeys.length === 0 ? null : (
    <section className="stack tight">
      <h2>Not possible now</h2>
      {[...reasons].map(([reason, names]) => (
        <div key={reason} className="card stack tight">
          <p>{reason}.</p>
          <p className="quiet small">{names.join(" · ")}</p>
        </div>
      ))}
    </section>
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

/** The journeys among those of an order that change the registration. */
type Changes = ReturnType<typeof registrationChanges>

function Pack({
  changes,
  connectionId,
  names,
  pack: { description, expectedDurationSeconds, faults, id, name, planVersion }
}: {
  readonly pack: Catalogue["packs"][number]
  /** Of its journeys, in their order. */
  readonly names: ReadonlyArray<string>
  readonly connectionId: string
  readonly changes: Changes
}) {
  return (
    <Card name={name}>
      <p className="quiet">{description}</p>
      <p className="small">
        {count(names.length, "journey")} · about {estimate(expectedDurationSeconds)}
        {faults.length === 0 ? "" : ` · plugfest makes ${count(faults.length, "fault")} on its own side`}
      </p>
      <details>
        <summary>Journeys</summary>
        <ol className="bullets numbers">
          {names.map((journey) => (
            <li key={journey}>{journey}</li>
          ))}
        </ol>
      </details>
      <Start name={name} order={{ connectionId, packId: id, planVersion }} changes={changes} />
    </Card>
  )
}

function Template({
  changes,
  connectionId,
  template: { description, expectedDurationSeconds, id, inputs, name, planVersion, stages }
}: {
  readonly template: Catalogue["templates"][number]
  readonly connectionId: string
  readonly changes: Changes
}) {
  const fields = fieldsOf(inputs)
  return (
    <Card name={name}>
      <p className="quiet">{description}</p>
      <p className="small">
        {count(stages.length, "stage")} · about {estimate(expectedDurationSeconds)} ·{" "}
        {stages.some(({ writes }) => writes) ? "writes at the partner" : "only reads"}
        {stages.some(({ actor }) => actor === "operator") ? " · asks you something" : ""}
        {changes.length === 0 ? "" : " · changes the registration"}
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
      <Start
        name={name}
        order={{ connectionId, templateId: id, planVersion }}
        fields={fields}
        changes={changes}
      />
    </Card>
  )
}

/** The inputs of a journey, each of which may be left out unless it is needed, and its start. */
function Start({
  changes,
  fields = [],
  name: journey,
  order
}: {
  readonly name: string
  readonly order: JourneyOrder
  readonly changes: Changes
  readonly fields?: ReadonlyArray<InputField>
}) {
  const navigate = useNavigate()
  const mayRun = useAllowed("run")
  const [view, change] = useView()
  const textOf = (name: string) => view[inputPart(order.templateId, name)] ?? ""
  const inputs = inputsOf(fields, textOf)
  const [isAsking, setAsking] = useState(false)
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
        if (changes.length > 0) setAsking(true)
        else mutate()
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
      <BeginDialog
        changes={changes}
        begin={() => mutate()}
        isAsking={isAsking}
        isPending={isPending}
        error={error}
        onClose={() => setAsking(false)}
      />
      {mayRun ? (
        <div>
          <button
            type="submit"
            className="button first"
            aria-label={`${isPending ? "Starting…" : "Start"} ${journey}`}
            disabled={isPending}
          >
            {isPending ? "Starting…" : "Start"}
          </button>
        </div>
      ) : (
        <NotAllowed scope="run" to="start a journey" />
      )}
    </form>
  )
}
