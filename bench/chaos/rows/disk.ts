/** The row about a full disk: for a moment, and for longer than a lease. */

import { execFileSync } from "node:child_process"
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import { rows } from "../../../test/support/service/database.ts"
import { readLines } from "../../../test/support/service/oracle.ts"
import { readFeed } from "../../../test/support/service/rawFeed.ts"
import { type Service, sleep, until } from "../../../test/support/service/Service.ts"
import { type Ended, type Ground, millis, Requirements, type Row } from "../world/Row.ts"
import type { World } from "../world/World.ts"
import { underLoad, withPostgres } from "./database.ts"

const leaseSeconds = 6
/** Runs that write every few seconds, because one that only waits does not notice a full disk. */
const often = { speed: 60 }
/** Shorter than a lease, so that appends are retried and no run is lost. */
const momentSeconds = 3

/** Row F8: the disk under the ledger is full. */
export const diskFull: Row = {
  id: "F8",
  fault: "the disk under the ledger is full",
  run: async (ground) => {
    const disk = mkdtempSync(join(tmpdir(), "plugfest-disk-"))
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m,mode=0777", "tmpfs", disk], { stdio: "pipe" })
    } catch (error) {
      rmSync(disk, { recursive: true, force: true })
      return { skipped: `a small tmpfs cannot be mounted here: ${String(error).split("\n")[0]}` }
    }
    try {
      return await withPostgres(ground, (world) => filling(world, disk, ground), leaseSeconds)
    } finally {
      execFileSync("umount", ["-l", disk], { stdio: "pipe" })
      rmSync(disk, { recursive: true, force: true })
    }
  }
}

async function filling(world: World, disk: string, ground: Ground): Promise<Ended> {
  const must = new Requirements()
  let healed: ReadonlyArray<number> = []
  let fitted = 0
  let sent = 0
  const result = await underLoad(
    world,
    ground.count(5, 2),
    async (service) => {
      const ledger = await smallLedger(world, disk)
      const moment = await ledger.fill(momentSeconds)
      await sleep(1000)
      must.require((await interruptions(world)).length === 0, "a full moment interrupted runs")
      const seconds = ground.count(20, 12)
      const long = await ledger.fill(seconds, () => goesOn(world, service, must))
      healed = [moment.healedMillis, long.healedMillis]
      fitted = moment.lines + long.lines
      sent = moment.sent + long.sent
      // Lines that still fit are written, and their requests are sent; no other request may be sent.
      must.require(sent <= fitted, `${sent} requests at the partner meanwhile, and ${fitted} lines`)
      return `8 MB full for ${momentSeconds} s, and for ${seconds} s (lease ${leaseSeconds} s); ${ledger.refused()} times refused with 53100`
    },
    often
  )
  const reasons = await interruptions(world)
  const others = reasons.filter((reason) => !reason.startsWith("storage"))
  must.require(reasons.length > 0, "nothing was interrupted although nothing could be written")
  must.require(others.length === 0, `interrupted for another reason: ${others[0]}`)
  for (const time of healed) must.require(time <= 5000, `healed after ${millis(time)}`)
  return {
    ...result,
    figure: `${result.figure}; lines that still found room ${fitted}, requests at the partner meanwhile ${sent} (bar: as many); interrupted with reason storage ${reasons.length}, all after the longer time; reads and streams went on, and the process was not ready; healed ${healed.map(millis).join(" and ")} after space was there (bar 5 s)`,
    broken: [...must.broken, ...result.broken]
  }
}

/** Moves the ledger to that disk, and returns a function that fills it. */
async function smallLedger(world: World, disk: string) {
  const admin = (sql: string) => rows(world.database, sql)
  const [{ data_directory }] = (await admin("show data_directory")) as [{ data_directory: string }]
  const { gid, uid } = statSync(data_directory)
  mkdirSync(join(disk, "space"), { mode: 0o700 })
  chownSync(join(disk, "space"), uid, gid)
  await admin(`create tablespace small location '${join(disk, "space")}'`)
  await admin(`do $$ declare one regclass; begin
    for one in select relid from pg_partition_tree('ledger_event') loop
      execute format('alter table %s set tablespace small', one);
    end loop;
  end $$`)
  // The id of a run of this month, so that its lines fill the pages that those of the others would fill.
  const [{ ballast }] = (await admin(
    "select id_from('run_a', date_trunc('month', now() at time zone 'utc') at time zone 'utc') || 'ballast' as ballast"
  )) as [{ ballast: string }]
  let refused = 0
  const lineCount = async (): Promise<number> =>
    (await admin(`select count(*)::int as n from ledger_event where run_id <> '${ballast}'`))[0].n
  /** Inserts smaller and smaller texts until not even the smallest fits. */
  const pack = async (most: number, least: number, insert: (text: string) => string) => {
    for (let size = most; size > least; ) {
      const text = `(select string_agg(md5(random()::text), '') from generate_series(1, ${Math.ceil(size / 32)}))`
      const ok = await admin(insert(text)).then(
        () => true,
        (error) => {
          if (error.code === "53100") refused += 1
          return false
        }
      )
      if (!ok) size *= 0.7
    }
  }
  // Fills the ledger's own pages too, and what failed appends have left in them, because a line that fits there needs no
  // disk space.
  const stuff = async () => {
    await admin("vacuum ledger_event").catch(() => {})
    await pack(1_000_000, 4000, (text) => `insert into ballast select ${text}`)
    await pack(
      6000,
      50,
      (text) => `insert into ledger_event (run_id, sequence, event_id, type, line, hash)
        select '${ballast}', (random() * 2e9)::int, md5(random()::text), 'ballast', ${text}, ''`
    )
  }
  /**
   * Keeps the disk full for so long. Returns what was written and sent meanwhile, without what had already begun, and
   * when writes succeeded again.
   */
  const fill = async (seconds: number, meanwhile: () => Promise<void> = async () => {}) => {
    await admin("create table ballast (text text) tablespace small")
    const end = performance.now() + seconds * 1000
    await stuff()
    await sleep(1000)
    await stuff()
    const before = await lineCount()
    const sentBefore = world.proxy.passed.length
    await meanwhile()
    while (performance.now() < end) {
      await stuff()
      await sleep(500)
    }
    const lines = (await lineCount()) - before
    const sent = world.proxy.passed
      .slice(sentBefore)
      .filter(({ correlationId }) => correlationId.startsWith("run_")).length
    await admin("drop table ballast")
    await admin(
      `set session_replication_role = replica; delete from ledger_event where run_id = '${ballast}'; reset session_replication_role`
    )
    const freed = performance.now()
    const writes = until("lines to be written again", async () =>
      (await lineCount()) > before + lines ? true : undefined
    )
    const ready = until("every process to be ready again", async () => {
      const answers = await Promise.all(world.services().map((one) => one.call("GET", "/health/ready")))
      return answers.every(({ status }) => status === 200) ? true : undefined
    })
    await Promise.all([writes, ready])
    return { lines, sent, healedMillis: performance.now() - freed }
  }
  return { fill, refused: () => refused }
}

/** Requires that reads and streams are answered, writes are put off, and the process is not ready. */
async function goesOn(world: World, service: Service, must: Requirements): Promise<void> {
  const ready = await service.call("GET", "/health/ready")
  must.require(ready.status === 503 && /disk is full/.test(ready.text), `ready ${ready.status} ${ready.text}`)
  const list = await service.call("GET", "/api/v1/testing/journey-runs?limit=100")
  must.require(list.status === 200, `reads are answered ${list.status}`)
  const { runId } = list.body.data.reduce((a: any, b: any) => (b.lastSequence > a.lastSequence ? b : a))
  // Enough bytes for some lines, not for all.
  const heard = await Promise.race([readFeed(service, runId, 0, 20_000), sleep(5000)])
  must.require((heard?.complete.length ?? 0) > 0, "a stream gives nothing")
  const [connection] = (await service.call("GET", "/api/v1/connections?limit=1")).body.data
  const order = { connectionId: connection._id, templateId: "remote-start" }
  const start = () => service.call("POST", "/api/v1/testing/journey-runs", order)
  let started = await start()
  // The first line of a run is short, and may still fit.
  for (let more = 0; more < 10 && started.status === 202; more++) started = await start()
  must.require(
    started.status === 503 && Number(started.headers.get("retry-after")) >= 1,
    `a run is started with ${started.status}`
  )
  must.require(world.services().length === 1, "the process ended")
}

/** The reasons of the runs' interruptions, from their lines. */
async function interruptions(world: World): Promise<ReadonlyArray<string>> {
  const runs: ReadonlyArray<{ run_id: string }> = await rows(world.database, "select run_id from run")
  const all = await Promise.all(runs.map(({ run_id }) => readLines(world.database, run_id)))
  return all
    .flat()
    .map(({ event }) => event)
    .filter(isEventOf("run.interrupted"))
    .map(({ data }) => data.reason)
}
