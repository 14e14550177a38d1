/** Rows of table `run`. */
import type { ConnectionId, OwnerId, ReportId, RunId } from "../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { RunKind } from "../../../schema/RunReport.ts"
import { isHeld } from "../../placement/held.ts"
import type { RunFacts, RunRow } from "../Ledger.ts"
import { readSnapshot } from "./storedSnapshot.ts"

/** Columns that `factsOf` reads. */
export const factColumns = `run_id, report_id, owner_id, kind, connection_id, connection_label, ocpi_version, subject_id,
  plan, predecessor_run_id, created_at`

/** Columns that `rowOf` reads; `released` and `lease_alive` by the database's clock. */
export const runColumns = `${factColumns}, start, snapshot, head_hash, lease_epoch,
  archived_at is not null as archived, lease_owner is null as released, ${isHeld} as lease_alive`

/** A row of table `run`, with the columns of `factColumns`. */
export interface StoredFacts {
  readonly run_id: RunId
  readonly report_id: ReportId
  readonly owner_id: OwnerId
  readonly kind: RunKind
  readonly connection_id: ConnectionId
  readonly connection_label: string
  readonly ocpi_version: OcpiVersion
  readonly subject_id: string
  readonly plan: string
  readonly predecessor_run_id: RunId | null
  readonly created_at: string
}

/** A row of table `run`, with the columns of `runColumns`. */
export interface StoredRun extends StoredFacts {
  readonly start: string | null
  readonly snapshot: string
  readonly head_hash: string
  readonly lease_epoch: number
  readonly released: boolean
  readonly lease_alive: boolean
  readonly archived: boolean
}

/** The `RunFacts` of a row. We wrote the plan ourselves, so it is parsed and not decoded; and only when it is looked at. */
export const factsOf = (stored: StoredFacts): RunFacts => {
  let plan: RunFacts["plan"] | undefined
  return {
    runId: stored.run_id,
    reportId: stored.report_id,
    ownerId: stored.owner_id,
    kind: stored.kind,
    connectionId: stored.connection_id,
    connectionLabel: stored.connection_label,
    ocpiVersion: stored.ocpi_version,
    subjectId: stored.subject_id,
    get plan() {
      plan ??= JSON.parse(stored.plan) as RunFacts["plan"]
      return plan
    },
    predecessorRunId: stored.predecessor_run_id,
    createdAt: stored.created_at
  }
}

/** The `RunRow` of a row. The snapshot is parsed at its first use: most lists of runs are answered from texts that are cached. */
export const rowOf = (stored: StoredRun): RunRow => {
  let snapshot: RunRow["snapshot"] | undefined
  return {
    facts: factsOf(stored),
    get snapshot() {
      snapshot ??= readSnapshot(stored.start, stored.snapshot)
      return snapshot
    },
    headHash: stored.head_hash,
    leaseEpoch: stored.lease_epoch,
    leaseAlive: stored.lease_alive,
    released: stored.released,
    archived: stored.archived
  }
}
