/** Which process owns a run, by the database's clock. The epoch grows with every claim and fences off former owners. */
import { Effect, Option } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import type { RunLease } from "../../schema/Machine.ts"
import type { RunKind } from "../../schema/RunReport.ts"
import type { DatabaseDown } from "../database/DatabaseDown.ts"
import type { SharedTime } from "../database/SharedTime.ts"
import { type Query, withoutNul } from "../database/statement.ts"
import { traced } from "../telemetry/traced.ts"
import type { LeaseQuery, Placement, RunClaim } from "./Placement.ts"

interface LeaseOptions {
  readonly query: Query<DatabaseDown>
  /** Gets a sample with each renewal. */
  readonly time: SharedTime["Type"]
  readonly leaseSeconds: number
  readonly owner: string
}

type Leases = Pick<Placement["Type"], "claimable" | "claim" | "renew" | "release" | "leases">

/**
 * The statement by which the heartbeat thread renews the leases of a process while its event loop is blocked; its items
 * are `PlacedRun`.
 */
export const leaseBeat = (owner: string, leaseSeconds: number) => ({
  text: `
    update run set lease_until = now() + $2::float8 * interval '1 second'
    from jsonb_to_recordset($3::jsonb) as held("runId" text, epoch int)
    where run.run_id = held."runId" collate "C" and run.lease_epoch = held.epoch and run.lease_owner = $1`,
  values: [owner, leaseSeconds]
})

/** The methods of `Placement` on runs. */
export const makeLeases = ({ leaseSeconds, owner, query, time: { clock, sample } }: LeaseOptions): Leases => {
  const claimable: Leases["claimable"] = traced("Placement.claimable")(
    (limit: number, kind?: RunKind, except: ReadonlyArray<RunId> = []) =>
      Effect.map(
        query<{ readonly run_id: RunId }>({
          name: "placement-claimable",
          text: `
            select run_id from run
            where not closed and status <> 'interrupted' and lease_until <= now() and ($2::text is null or kind = $2)
              and run_id <> all ($3::text[])
            order by lease_until limit $1`,
          values: [limit, kind ?? null, except]
        }),
        (rows) => rows.map(({ run_id }) => run_id)
      )
  )

  const claim: Leases["claim"] = traced("Placement.claim")((runId, { fromInterrupted = false, kind } = {}) =>
    Effect.map(
      query<RunClaim>({
        name: "placement-claim",
        text: `
            with found as (
              select run_id as id, lease_owner is null as was_released from run
              where run_id = $1 and not closed and lease_until <= now() and ($4 or status <> 'interrupted')
                and ($5::text is null or kind = $5)
              for update
            )
            update run set lease_epoch = lease_epoch + 1, lease_owner = $2,
              lease_until = now() + $3::float8 * interval '1 second'
            from found where run_id = found.id
            returning run_id as "runId", lease_epoch as epoch, was_released as released`,
        values: [runId, owner, leaseSeconds, fromInterrupted, kind ?? null]
      }),
      (rows) => Option.fromNullable(rows[0])
    )
  )

  const renew: Leases["renew"] = traced("Placement.renew")(function* (held) {
    const before = clock.unsafeCurrentTimeNanos()
    const rows = yield* query<{ readonly millis: number; readonly kept: ReadonlyArray<RunId> }>({
      name: "placement-renew",
      text: `
          with renewed as (
            update run set lease_until = now() + $4::float8 * interval '1 second'
            from unnest($1::text[], $2::int[]) as h(run_id, epoch)
            where run.run_id = h.run_id collate "C" and run.lease_epoch = h.epoch and run.lease_owner = $3
            returning run.run_id
          )
          select extract(epoch from clock_timestamp())::float8 * 1000 as millis,
            array(select run_id::text from renewed) as kept`,
      values: [held.map(({ runId }) => runId), held.map(({ epoch }) => epoch), owner, leaseSeconds]
    })
    const { kept, millis } = rows[0]!
    sample(millis, before, clock.unsafeCurrentTimeNanos())
    const still = new Set(kept)
    return held.map(({ runId }) => runId).filter((runId) => !still.has(runId))
  })

  const release: Leases["release"] = traced("Placement.release")((runId, epoch) =>
    Effect.asVoid(
      query({
        name: "placement-release",
        text: `
            update run set lease_owner = null, lease_until = now()
            where run_id = $1 and lease_epoch = $2 and lease_owner = $3`,
        values: [runId, epoch, owner]
      })
    )
  )

  const read = withoutNul(query)
  const leases: Leases["leases"] = traced("Placement.leases")((wanted: LeaseQuery) =>
    Effect.map(
      read<Omit<RunLease, "until"> & { readonly until: Date }>({
        name: "placement-leases",
        text: `
            select run_id as "runId", kind, lease_epoch as epoch, lease_owner as "processId",
              lease_owner is not null and lease_until > now() as valid, lease_until as until
            from run
            where owner_id = $1 and not closed and ($2::text is null or kind = $2)
              and ($3::text is null or run_id < $3)
            order by run_id desc limit $4`,
        values: [wanted.ownerId, wanted.kind ?? null, wanted.cursor ?? null, wanted.limit]
      }),
      (rows) => rows.map((row) => ({ ...row, until: row.until.toISOString() }))
    )
  )

  return { claimable, claim, renew, release, leases }
}
