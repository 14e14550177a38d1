import { Link } from "@tanstack/react-router"
import type { Data } from "../../client/plugfest.ts"
import { whoActs } from "../format/words.ts"
import { Badge } from "./Badge.tsx"
import { Time } from "./Time.tsx"

/** A journey that is open: its state, who has to act, and when it last moved. */
export const JourneyRow = ({
  run: { runId, status, templateId, updatedAt, waitingFor, workerHealthy }
}: {
  readonly run: Data<"journeyRuns.read">
}) => (
  <li>
    <span className="run-verdict">
      <Badge word={status} />
    </span>
    <span className="run-name">
      <Link to="/journeys/$id" params={{ id: runId }}>
        {templateId}
      </Link>
      <span className="quiet">
        {waitingFor !== null
          ? `${whoActs(waitingFor.party)}: ${waitingFor.instruction}`
          : status === "interrupted"
            ? "Choose how it goes on"
            : ""}
      </span>
    </span>
    <span className="small run-count">{workerHealthy ? "" : "its process does not answer"}</span>
    <span className="quiet small">
      moved <Time at={updatedAt} />
    </span>
  </li>
)
