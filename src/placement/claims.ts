/**
 * Which process works on a run, by the database's clock. A held run points at the row of its process, so no row of a run is
 * written while it is held. The epoch grows with every claim and fences off former owners.
 */
import { Effect, Option } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import type { RunLease } from "../../schema/Machine.ts"
import type { RunKind } from "../../schema/RunReport.ts"
import type { DatabaseDown } from "../database/DatabaseDown.ts"
import type { SharedTime } from "../database/SharedTime.ts"
import { type Query, withoutNul } from "../database/statement.ts"
import { traced } from "../telemetry/traced.ts"
import { isHeld, nowAlive, whileAlive } from "./held.ts"
import type { LeaseQuery, PlacedRun, Placement, RunClaim } from "./Placement.ts"
import { makeUnheldRuns } from "./UnheldRuns.ts"

interface ClaimsOptions {
  readonly query: Query<DatabaseDown>
  /** Gets a sample with each `keep`. */
  readonly time: SharedTime["Type"]
  readonly leaseSeconds: number
  readonly owner: string
}

type Claims = Pick<
  Placement["Type"],
  "claimable" | "claim" | "keep" | "dropped" | "release" | "giveUp" | "leases"
>

/**
 * Free are runs whose lease has run out or was given back, and those of processes that are not alive. The processes are found
 * by steps through an index, one for each that holds runs.
 */
const claimableText = `
  with recursive holder(id) as (
    select min(lease_owner collate "C") from run where not closed and lease_until = ${whileAlive}
    union all
    select (
      select min(lease_owner collate "C") from run
      where not closed and lease_until = ${whileAlive} and lease_owner collate "C" > holder.id
    )
    from holder where holder.id is not null
  ), gone as (
    select holder.id, coalesce(p.alive_until, timestamptz 'epoch') as since
    from holder left join server_process p on p.id = holder.id
    where holder.id is not null and (p.id is null or p.alive_until <= now())
  )
  select run_id from (
    (
      select run_id, lease_until as since from run
      where not closed and status <> 'interrupted' and lease_until <= now() and ($2::text is null or kind = $2)
        and run_id <> all ($3::text[])
      order by lease_until limit $1
    ) union all (
      select run_id, since from gone join run on lease_owner collate "C" = gone.id
      where not closed and status <> 'interrupted' and lease_until = ${whileAlive} and ($2::text is null or kind = $2)
        and run_id <> all ($3::text[])
      order by since limit $1
    )
  ) free order by since limit $1`

/** The methods of `Placement` on runs. */
export const makeClaims = ({
  leaseSeconds,
  owner,
  query,
  time: { clock, sample }
}: ClaimsOptions): Claims => {
  const unheld = makeUnheldRuns(leaseSeconds, clock)

  const claimable: Claims["claimable"] = traced("Placement.claimable")(
    (limit: number, kind?: RunKind, except: ReadonlyArray<RunId> = []) =>
      Effect.map(
        query<{ readonly run_id: RunId }>({
          name: "placement-claimable",
          text: claimableText,
          values: [limit, kind ?? null, except]
        }),
        (rows) => rows.map(({ run_id }) => run_id)
      )
  )

  const claim: Claims["claim"] = traced("Placement.claim")((runId, { fromInterrupted = false, kind } = {}) =>
    Effect.map(
      query<RunClaim>({
        name: "placement-claim",
        text: `
            with found as (
              select run_id as id, lease_owner is null as was_released from run
              where run_id = $1 and not closed and not ${isHeld} and ($3 or status <> 'interrupted')
                and ($4::text is null or kind = $4)
              for update
            ), ${nowAlive("$2", "$5")}
            update run set lease_epoch = lease_epoch + 1, lease_owner = $2, lease_until = ${whileAlive}
            from found where run_id = found.id
            returning run_id as "runId", lease_epoch as epoch, was_released as released`,
        values: [runId, owner, fromInterrupted, kind ?? null, leaseSeconds]
      }),
      (rows) => Option.fromNullable(rows[0])
    )
  )

  const giveUpAll = (runs: ReadonlyArray<PlacedRun>) =>
    query({
      name: "placement-give-up",
      text: `
        update run set lease_until = now() from unnest($1::text[], $2::int[]) as h(run_id, epoch)
        where run.run_id = h.run_id collate "C" and run.lease_epoch = h.epoch and run.lease_owner = $3
          and run.lease_until = ${whileAlive}`,
      values: [runs.map(({ runId }) => runId), runs.map(({ epoch }) => epoch), owner]
    })

  const keep: Claims["keep"] = traced("Placement.keep")(function* (held) {
    const before = clock.unsafeCurrentTimeNanos()
    const [found] = yield* query<{
      readonly millis: number
      readonly lost: ReadonlyArray<RunId>
      readonly unheld: ReadonlyArray<PlacedRun>
    }>({
      name: "placement-keep",
      text: `
          with held as (select * from unnest($1::text[], $2::int[]) as h(run_id, epoch))
          select extract(epoch from clock_timestamp())::float8 * 1000 as millis,
            array(
              select held.run_id from held where not exists (
                select from run where run.run_id = held.run_id collate "C" and lease_epoch = held.epoch and lease_owner = $3
              )
            ) as lost,
            (
              select coalesce(json_agg(json_build_object('runId', run_id, 'epoch', lease_epoch)), '[]') from run
              where not closed and lease_until = ${whileAlive} and lease_owner collate "C" = $3
                and not exists (select from held where held.run_id collate "C" = run.run_id)
            ) as unheld`,
      values: [held.map(({ runId }) => runId), held.map(({ epoch }) => epoch), owner]
    })
    const { lost, millis, unheld: left } = found!
    sample(millis, before, clock.unsafeCurrentTimeNanos())
    const due = unheld.due(left)
    if (due.length > 0) yield* giveUpAll(due)
    return lost
  })

  const release: Claims["release"] = traced("Placement.release")((runId, epoch) =>
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

  const giveUp: Claims["giveUp"] = traced("Placement.giveUp")((runId, epoch) =>
    Effect.asVoid(giveUpAll([{ runId, epoch }]))
  )

  const read = withoutNul(query)
  const leases: Claims["leases"] = traced("Placement.leases")((wanted: LeaseQuery) =>
    Effect.map(
      read<Omit<RunLease, "until"> & { readonly until: Date }>({
        name: "placement-leases",
        text: `
            select run_id as "runId", kind, lease_epoch as epoch, lease_owner as "processId", ${isHeld} as valid,
              case when lease_until < ${whileAlive} then lease_until else coalesce(
                (select alive_until from server_process where id = lease_owner collate "C"), now()) end as until
            from run
            where owner_id = $1 and not closed and ($2::text is null or kind = $2)
              and ($3::text is null or run_id < $3)
            order by run_id desc limit $4`,
        values: [wanted.ownerId, wanted.kind ?? null, wanted.cursor ?? null, wanted.limit]
      }),
      (rows) => rows.map((row) => ({ ...row, until: row.until.toISOString() }))
    )
  )

  return { claimable, claim, keep, dropped: unheld.dropped, release, giveUp, leases }
}
