/**
 * The row about a clock that jumps while the process runs: one of two processes, an hour ahead and then two hours back.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readLines } from "../../../test/support/service/oracle.ts"
import { key, type Service, sleep, until } from "../../../test/support/service/Service.ts"
import { millis, Requirements, type Row } from "../world/Row.ts"
import { openWorld, type World, within } from "../world/World.ts"
import { abandonAll, waitingRuns } from "../world/waitingRuns.ts"
import { judge } from "../world/zeros.ts"
import { faketime, interrupted, stamps } from "./clocks.ts"

const leaseSeconds = 4
const hour = 3600
/** The offsets of the clock in seconds, in turn. */
const jumps = [hour, -hour]
/** Seconds that a run waits for a result that never comes. */
const waitSeconds = 10
/** Tolerated delay of a wait's end in seconds, because machines are busy. */
const patience = 20
/** Seconds for which a rolled key stays valid. */
const overlapSeconds = 40
const limits = "requests=1000000,commands=100000,connectionCommands=6,runs=5000,streams=5000,connections=5000"

/** Row T6: a clock that jumps while its process works. */
export const jumpingClock: Row = {
  id: "T6",
  fault: "the clock of one of two processes jumps an hour on and two hours back while it works",
  run: async (ground) => {
    if (faketime === undefined) return { skipped: "faketime is not installed (Debian package faketime)" }
    const preload = faketime
    const folder = await mkdtemp(join(tmpdir(), "plugfest-clock-"))
    const file = join(folder, "clock")
    await writeFile(file, "+0\n")
    const env = { RATE_LIMITS: limits }
    return within(await openWorld(ground.cluster, { leaseSeconds, env }), async (world) => {
      const must = new Requirements()
      const jumper = await world.boot({
        LD_PRELOAD: preload,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_CACHE_DURATION: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1"
      })
      const other = await world.boot()
      await sleep(leaseSeconds * 1000)
      const each = ground.count(5, 2)
      const waiting = [
        ...(await waitingRuns(world, jumper, each)),
        ...(await waitingRuns(world, other, each))
      ]
      const followers = waiting.map((runId) => world.watch(runId, [jumper]))
      const whole: Array<string> = []
      const expired: Array<number> = []
      const overlaps: Array<number> = []
      const waits: Array<number> = []
      for (const offset of jumps) {
        const silent = await world.partner(jumper, { faults: ["commands.no-result"] })
        const honest = [await world.partner(jumper), await world.partner(other)]
        const limited = await outOfCommands(jumper, await world.partner(jumper))
        const runId = (await world.start(jumper, silent, "remote-start", { waitSeconds }))!
        await until("the run to wait", async () =>
          (await world.status(runId)).waitingFor ? true : undefined
        )
        const rolled = await rolledKey(jumper)
        await writeFile(file, `${offset > 0 ? "+" : ""}${offset}\n`)
        const off = await until("the clock to jump", async () => {
          const now = await clockOf(jumper)
          return Math.abs(now - offset) < 60 ? now : undefined
        })
        must.require(Math.abs(off - offset) < 60, `the clock is ${off} s off`)
        // A rolled key that stays valid for a while, and a rate limit that recovers.
        must.require((await statusWith(jumper, rolled.key)) === 200, `${offset} s: a key expired early`)
        for (const [index, service] of [jumper, other].entries()) {
          const begun = await world.start(service, honest[index]!)
          if (begun !== undefined) whole.push(begun)
        }
        must.require(limited.retryAfter >= 1 && limited.retryAfter <= 60, `Retry-After ${limited.retryAfter}`)
        const free = await freeAgain(jumper, limited.connectionId, must)
        waits.push(free)
        overlaps.push(await endOf(jumper, rolled))
        expired.push(...(await expiryOf(world, runId)))
        whole.push(runId)
      }
      must.require(
        expired.length >= jumps.length &&
          expired.every((seconds) => seconds >= waitSeconds - 1 && seconds <= waitSeconds + patience),
        `waits of ${waitSeconds} s ended after ${expired.map((one) => one.toFixed(1)).join(", ")} s`
      )
      must.require(
        overlaps.every((seconds) => seconds >= overlapSeconds - 1 && seconds <= overlapSeconds + patience),
        `keys lived on for ${overlaps.map((one) => one.toFixed(1)).join(", ")} s, not ${overlapSeconds}`
      )
      const ended = await world.settle(whole)
      const undone = ended.filter(({ status }) => status !== "completed")
      must.require(undone.length === 0, `runs ended ${undone.map(({ status }) => status).join(", ")}`)
      await sleep(2 * leaseSeconds * 1000)
      const early = await interrupted(world)
      must.require(early === 0, `${early} early take-overs`)
      const cut = followers.filter((one) => one.reconnects() > 0).length
      must.require(cut === 0, `${cut} streams were cut`)
      await abandonAll(world, waiting)
      // The partners that never posted a result are rightly blamed.
      const { details, lines, zeros } = await judge(world, { rude: true })
      const { backwards, wrong } = await stamps(world, [...waiting, ...whole], 600)
      must.require(backwards === 0, `${backwards} lines before the one in front of them`)
      must.require(wrong === 0, `${wrong} lines bear a time that the database's clock never showed`)
      const seconds = (all: ReadonlyArray<number>) => all.map((one) => millis(one * 1000)).join(" and ")
      return {
        tried: `${waiting.length} runs that wait, ${whole.length} that end, ${followers.length} streams, rolled keys and full limits, over jumps of +1 h and then to -1 h`,
        figure: `early take-overs ${early} (bar 0); waits of ${waitSeconds} s ended after ${seconds(expired)}, keys of ${overlapSeconds} s after ${seconds(overlaps)}, limits let in again after ${seconds(waits)} (bar 60 s); times that go back ${backwards} (bar 0), off the database's ${wrong} (bar 0); streams cut ${cut} (bar 0)`,
        zeros,
        lines,
        streams: followers.length,
        broken: [...must.broken, ...details]
      }
    }).finally(() => rm(folder, { recursive: true, force: true }))
  }
}

/** How many seconds the process's clock is ahead of ours, by the Date header of its answers. */
async function clockOf(service: Service): Promise<number> {
  const { headers } = await service.call("GET", "/health/live")
  return (Date.parse(headers.get("date") ?? "") - Date.now()) / 1000
}

interface Rolled {
  readonly key: string
  readonly at: number
}

const statusWith = async ({ call }: Service, secret: string): Promise<number> =>
  (await call("GET", "/api/v1/settings/account", undefined, { authorization: `Bearer ${secret}` })).status

/** A rolled key that stays valid for a while. */
async function rolledKey({ call }: Service): Promise<Rolled> {
  const made = await call("POST", "/api/v1/settings/api-keys", { name: "old", scopes: ["read"] })
  const overlapDays = overlapSeconds / 86_400
  const rolled = await call("POST", `/api/v1/settings/api-keys/${made.body.data._id}/roll`, { overlapDays })
  if (rolled.status !== 201 && rolled.status !== 200) throw new Error(`roll: ${rolled.status} ${rolled.text}`)
  return { key: made.body.data.key ?? made.body.data.secret, at: performance.now() }
}

/** Seconds from the roll until the old key was refused. */
async function endOf(service: Service, { at, key: secret }: Rolled): Promise<number> {
  await until(
    "the old key to end",
    async () => ((await statusWith(service, secret)) === 401 ? true : undefined),
    2 * patience * 1000
  ).catch(() => undefined)
  return (performance.now() - at) / 1000
}

const command = ({ call }: Service, connectionId: string) =>
  call(
    "POST",
    "/api/v1/testing/command",
    { connectionId, command: "UNLOCK_CONNECTOR" },
    {
      authorization: `Bearer ${key}`
    }
  )

/** Sends commands on the connection until the rate limit refuses one. */
async function outOfCommands(service: Service, connectionId: string) {
  for (let sent = 0; sent < 30; sent++) {
    const { headers, status } = await command(service, connectionId)
    if (status === 429) return { connectionId, retryAfter: Number(headers.get("retry-after")) }
  }
  throw new Error("the limit of commands was never reached")
}

/** Seconds until a command is accepted again, retried as Retry-After says. */
async function freeAgain(service: Service, connectionId: string, must: Requirements): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { headers, status } = await command(service, connectionId)
    const seconds = (performance.now() - began) / 1000
    if (status !== 429 || seconds > 90) {
      must.require(status !== 429 && seconds <= 60, `a limit was stuck for ${seconds.toFixed(0)} s`)
      return seconds
    }
    const again = Number(headers.get("retry-after"))
    must.require(again >= 1 && again <= 60, `Retry-After ${headers.get("retry-after")}`)
    await sleep(Math.min(60, Math.max(1, again)) * 1000)
  }
}

/** The length in seconds of each wait that expired, by the times of its lines. */
async function expiryOf(world: World, runId: string): Promise<ReadonlyArray<number>> {
  await world.settle([runId], 60)
  const events = (await readLines(world.database, runId)).map(({ event }) => event)
  return events.flatMap((end) => {
    if (end.type !== "wait.expired") return []
    const start = events.findLast(
      ({ sequence, stageId, type }) =>
        type === "wait.started" && stageId === end.stageId && sequence < end.sequence
    )
    return start === undefined ? [] : [(Date.parse(end.occurredAt) - Date.parse(start.occurredAt)) / 1000]
  })
}
