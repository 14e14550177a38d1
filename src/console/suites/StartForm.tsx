import { useMutation, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useMemo } from "react"
import { client } from "../data/client.ts"
import type { Answer, Connection } from "../data/queries.ts"
import { resultsQuery } from "../data/reportQueries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { Chip } from "../elements/Chips.tsx"
import { NotAllowed } from "../elements/NotAllowed.tsx"
import { Failure } from "../elements/States.tsx"
import { TextInput } from "../elements/TextInput.tsx"
import { count } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import { AcceptedDeviations } from "./AcceptedDeviations.tsx"
import { Asked } from "./Asked.tsx"
import { Duration } from "./Duration.tsx"
import { deviationsIn, deviationsText } from "./deviationsText.ts"
import { FailedOf } from "./FailedOf.tsx"
import { askedOf, countNeeds, type Deviation, needsIn, needWords, orderOf, toggleNeed } from "./orderOf.ts"

/** What a mode means for the partner, and how many checks have it. */
const modes: ReadonlyArray<readonly [string, (many: number) => string]> = [
  ["RO", (many) => `${many} only ${many === 1 ? "reads" : "read"}`],
  ["OBS", (many) => `${many} ${many === 1 ? "observes" : "observe"} what the partner sends`],
  ["MUT", (many) => `${many} ${many === 1 ? "writes and cleans" : "write and clean"} up`],
  ["RISK", (many) => `${many} may end the registration`]
]

type Suite = Answer<"testing.suite">

/**
 * What the chosen suite asks, what is left out or accepted, and the start of the run. `given`: failures to accept, while the URL
 * names none.
 */
export function StartForm({
  connection,
  given,
  suite
}: {
  readonly connection: Connection
  readonly suite: Suite
  readonly given: ReadonlyArray<Deviation>
}) {
  const navigate = useNavigate()
  const [view, change] = useView()
  const accept = deviationsIn(view["expected"]) ?? given
  const mayRun = useAllowed("run")
  const earlier = useQuery({
    ...resultsQuery(view["failed"] ?? "", undefined),
    enabled: view["failed"] !== undefined
  })
  const failed = useMemo(
    () =>
      view["failed"] === undefined || earlier.data === undefined
        ? undefined
        : new Set(earlier.data.filter(({ outcome }) => outcome === "failed").map(({ id }) => id)),
    [view["failed"], earlier.data]
  )
  const asked = askedOf(suite.checks, view, failed)
  const byMode = modes.flatMap(([mode, words]) => {
    const many = asked.filter((check) => check.mode === mode).length
    return many === 0 ? [] : [words(many)]
  })
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => client.testing.startRun({ body: orderOf(connection._id, suite.id, view, accept) }),
    onSuccess: ({ _id }) => navigate({ to: "/runs/$id", params: { id: _id } })
  })
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <h2>Start: {suite.name}</h2>
      <p>
        {asked.length === 0
          ? "No check is selected: choose other modules, checks or clauses."
          : `${count(asked.length, "check")}: ${byMode.join(", ")}.`}{" "}
        <Duration connection={connection} suiteId={suite.id} checks={asked.length} />
      </p>
      <Modules suite={suite} />
      <div className="columns">
        <TextPart name="checks" title="Only these checks" placeholder="LOC-0*, PAGE-009" />
        <TextPart
          name="clauses"
          title="Only by these clauses of OCPI"
          placeholder="mod_sessions, Session Object; types"
        />
        <FailedOf connectionId={connection._id} />
        <TextPart
          name="listen"
          title="Listen for the partner, in seconds"
          placeholder="as the suite does"
          most={600}
        />
      </div>
      <Needs asked={asked} />
      <StrictProfile />
      <AcceptedDeviations
        ids={suite.checks.map(({ id }) => id)}
        accepted={accept}
        change={(expected) => change({ expected: deviationsText(expected) })}
      />
      {error === null ? null : <Failure error={error} />}
      {mayRun ? (
        <div>
          <button type="submit" className="button first" disabled={isPending || asked.length === 0}>
            {isPending ? "Starting…" : "Start the run"}
          </button>
        </div>
      ) : (
        <NotAllowed scope="run" to="start a run" />
      )}
      <Asked checks={asked} />
    </form>
  )
}

/** Which modules are tested; they stand in the URL. */
function Modules({ suite }: { readonly suite: Suite }) {
  const [view, change] = useView()
  const chosen = view["module"]?.split(".") ?? []
  const modules = useMemo(() => [...new Set(suite.checks.map(({ module }) => module))], [suite])
  const toggle = (module: string) =>
    (chosen.includes(module) ? chosen.filter((each) => each !== module) : [...chosen, module]).join(".")
  return (
    <fieldset>
      <legend>Modules</legend>
      <div className="chips">
        {modules.map((module) => (
          <Chip key={module} isOn={chosen.includes(module)} press={() => change({ module: toggle(module) })}>
            {module}
          </Chip>
        ))}
      </div>
      <small className="quiet">None chosen: all of them.</small>
    </fieldset>
  )
}

/** A part of the order that is typed; it stands in the URL by its name. `most`: it is a number from 0 to this. */
function TextPart({
  most,
  name,
  placeholder,
  title
}: {
  readonly name: string
  readonly title: string
  readonly placeholder: string
  readonly most?: number
}) {
  const [view, change] = useView()
  return (
    <label className="field">
      <span>{title}</span>
      <TextInput
        {...(most === undefined ? { type: "text" } : { type: "number", min: 0, max: most })}
        placeholder={placeholder}
        value={view[name] ?? ""}
        change={(text) => change({ [name]: text })}
      />
    </label>
  )
}

/** What counts in the verdict beside what every partner can be judged by. */
function Needs({ asked }: { readonly asked: Suite["checks"] }) {
  const [view, change] = useView()
  const needs = countNeeds(asked)
  return (
    <fieldset className="stack tight">
      <legend>The verdict is also about</legend>
      {needWords.map(([need, words]) => (
        <label key={need} className="choice">
          <input
            type="checkbox"
            checked={needsIn(view["needs"]).includes(need)}
            onChange={() => change({ needs: toggleNeed(view["needs"], need) })}
          />
          <span>
            {words} <small className="quiet">({count(needs.get(need) ?? 0, "check")})</small>
          </span>
        </label>
      ))}
      <small className="quiet">
        A check that cannot be judged because one of these was missing counts only where it is ticked.
      </small>
    </fieldset>
  )
}

function StrictProfile() {
  const [view, change] = useView()
  return (
    <label className="choice">
      <input
        type="checkbox"
        checked={view["profile"] === "strict"}
        onChange={({ target }) => change({ profile: target.checked ? "strict" : undefined })}
      />
      <span>
        Strict profile
        <small className="quiet"> – a broken SHOULD fails, too, instead of a warning</small>
      </span>
    </label>
  )
}
