import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { RunReport } from "../../client/plugfest.ts"
import type { Journey } from "../data/queries.ts"
import { useNames } from "../data/useNames.ts"
import { Badge } from "../elements/Badge.tsx"
import { ListRow } from "../elements/ListRow.tsx"
import { Since } from "../elements/Time.tsx"
import { asPages } from "../format/asPages.ts"
import { whoActs } from "../format/words.ts"
import { suiteSince } from "./suiteSince.ts"

type Waited = Journey["waitingFor"] | RunReport["waitingFor"]

/** The party that an open run waits for, and what it has to do. */
const actOf = (status: string, waitingFor: Waited, interrupted: string, otherwise: string): string =>
  waitingFor !== null && waitingFor !== undefined
    ? `${whoActs(waitingFor.party)}: ${asPages(waitingFor.instruction)}`
    : status === "interrupted"
      ? interrupted
      : otherwise

/** A row of an open journey: its state, how long it has lasted, and the party that must act. */
export function JourneyRow({
  mark,
  run: { runId, stateSince, status, templateId, waitingFor, workerHealthy },
  worker
}: {
  readonly run: Journey
  /** Before the state. */
  readonly mark?: ReactNode
  /** The process that works on the run; default: a note where none does. */
  readonly worker?: ReactNode
}) {
  const names = useNames()
  return (
    <ListRow
      state={
        <span className="row">
          {mark}
          <Badge word={status} />
        </span>
      }
      figure={worker ?? (workerHealthy || status === "interrupted" ? "" : "its process does not answer")}
      time={<Since at={stateSince} />}
    >
      <Link to="/journeys/$id" params={{ id: runId }}>
        {names.journey(templateId)}
      </Link>
      <span className="quiet">{actOf(status, waitingFor, "You have to act: choose how it goes on", "")}</span>
    </ListRow>
  )
}

/** A row of an open conformance run: its state, the party that must act, and how long it has waited or been in its state. */
export function SuiteRow({ run, worker }: { readonly run: RunReport; readonly worker?: ReactNode }) {
  const { _id, connectionLabel, status, suiteId, waitingFor } = run
  const names = useNames()
  return (
    <ListRow
      state={<Badge word={status} />}
      figure={worker}
      time={
        <>
          {waitingFor?.since === undefined ? "" : "waits "}
          <Since at={suiteSince(run)} />
        </>
      }
    >
      <Link to="/runs/$id" params={{ id: _id }}>
        {names.suite(suiteId)}
      </Link>
      <span className="quiet">
        {actOf(status, waitingFor, "plugfest acts: the run goes on by itself", connectionLabel)}
      </span>
    </ListRow>
  )
}
