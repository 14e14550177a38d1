/** Rows of kill -9: at every append, by the end-to-end test that aims at them, and at random moments. */
import { spawn } from "node:child_process"
import { sleep } from "../../../test/support/service/Service.ts"
import { type Ground, millis, percentile, type Row } from "../world/Row.ts"
import { openWorld, shortLease, within } from "../world/World.ts"
import { abandonAll, offers, term, waitingRuns } from "../world/waitingRuns.ts"
import { judge, none, sum } from "../world/zeros.ts"

/** Milliseconds within which a killed run must be offered: a second more than the lease. */
const offerBar = 5000

const everyAppend: Row = {
  id: "F1",
  fault: "kill -9 at every ledger append, on both sides of the commit",
  // The test already runs six services at a time.
  alone: true,
  run: async (ground) => {
    const every = String(ground.count(1, 5))
    const { code, output } = await vitest("test/end-to-end/kill/kill.test.ts", { KILL_EVERY: every })
    const found =
      /kill -9: (\d+) kills, (\d+) events, lost (\d+), duplicated (\d+), reports unlike the fold (\d+), kill to offer p95 (\d+) ms/.exec(
        output
      )
    const [kills = 0, lines = 0, lost = 0, dup = 0, wrongVerdict = 0, p95 = 0] =
      found?.slice(1).map(Number) ?? []
    return {
      tried: `kills at every ${every === "1" ? "" : `${every}th `}append, before and after the commit; each decision that is offered gets its turn`,
      figure: `${kills} kills (the other side of an acknowledgement is the append after it); what is offered is the contract's table in each; kill to offer p95 ${millis(p95)} (bar ${offerBar} ms, asked of the long form)`,
      zeros: { ...none, lost, dup, wrongVerdict },
      lines,
      kills,
      broken: [
        ...(code === 0 && kills > 0 ? [] : [`the test ended with ${code}: ${output.slice(-600)}`]),
        ...(p95 <= offerBar || ground.short ? [] : [`kill to offer p95 ${millis(p95)}`])
      ]
    }
  }
}

const vitest = (
  file: string,
  env: Record<string, string>
): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve) => {
    const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", file]
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const stop = () => child.kill("SIGTERM")
    process.once("exit", stop)
    let output = ""
    const take = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on("data", take)
    child.stderr.on("data", take)
    child.once("close", (code) => {
      process.off("exit", stop)
      resolve({ code, output })
    })
  })

/**
 * So many kills of one process after the other, with ten runs at once; returns how long the last offer took each time.
 */
const killAgain = async (ground: Ground, kills: number) =>
  within(await openWorld(ground.cluster, { leaseSeconds: shortLease }), async (world) => {
    const times: Array<number> = []
    let touched = 0
    let service = await world.boot()
    const connections = await world.connectMany(service, 10)
    for (let kill = 0; kill < kills; kill++) {
      const runIds = (await Promise.all(connections.map((id) => world.start(service, id)))).filter(
        (id) => id !== undefined
      )
      for (const runId of runIds) world.watch(runId)
      await sleep(Math.random() * 2000)
      await service.kill("SIGKILL")
      const began = performance.now()
      service = await world.boot()
      touched += runIds.length
      const views = await world.settle(runIds)
      const asking = views.filter(({ status }) => status === "interrupted")
      if (asking.length > 0) times.push(performance.now() - began)
      // Abandon the runs, so that the next ones find a free EVSE at the partner.
      await Promise.all(asking.map((view) => world.decide(view, "abandon")))
      if (kill % 10 === 9) ground.note(`${kill + 1} kills`)
    }
    return { ...(await judge(world)), times, touched, streams: world.followers.length }
  })

const anyMoment: Row = {
  id: "F2",
  fault: "kill -9 at any moment, ten runs at once",
  run: async (ground) => {
    const kills = ground.count(100, 4)
    // Two services, each with its own database and partners, because a kill is mostly waiting.
    const both = await Promise.all([killAgain(ground, kills / 2), killAgain(ground, kills / 2)])
    const times = both.flatMap((one) => one.times)
    const total = (of: (one: (typeof both)[number]) => number) => both.reduce((all, one) => all + of(one), 0)
    return {
      tried: `${kills} kills after 0 to 2 s, ${total(({ touched }) => touched)} runs touched`,
      figure: `kill to the last offer p95 ${millis(percentile(times, 0.95))}, lease ${shortLease} s`,
      zeros: sum(both.map(({ zeros }) => zeros)),
      lines: total(({ lines }) => lines),
      kills,
      streams: total(({ streams }) => streams),
      broken: both.flatMap(({ details }) => details)
    }
  }
}

/** How many processes there are, one group of kills after the other. */
const groups = [2, 3, 4]
/** Runs of the process that is killed. */
const runsEach = 4

const oneOfSeveral: Row = {
  id: "F12",
  fault: "kill -9 of one of two, three and four processes, again and again",
  alone: true,
  run: async (ground) =>
    within(await openWorld(ground.cluster, { leaseSeconds: shortLease }), async (world) => {
      const kills = ground.count(8, 2)
      const figures: Array<string> = []
      const all: Array<number> = []
      const unasked: Array<string> = []
      await world.boot()
      for (const processes of groups) {
        const times: Array<number> = []
        for (let kill = 0; kill < kills; kill++) {
          while (world.services().length < processes) await world.boot()
          await sleep(term)
          const doomed = world.services()[kill % processes]!
          const runIds = await waitingRuns(world, doomed, runsEach)
          const port = Number(new URL(doomed.url).port)
          world.balancer.ports = world.balancer.ports.filter((other) => other !== port)
          const dead = doomed.kill("SIGKILL")
          const offered = await offers(world, runIds, 6 * term)
          await dead
          times.push(...offered)
          if (offered.length < runIds.length)
            unasked.push(`${runIds.length - offered.length} runs offer nothing`)
          await abandonAll(world, runIds)
        }
        all.push(...times)
        figures.push(
          `of ${processes}: p50 ${millis(percentile(times, 0.5))}, most ${millis(Math.max(...times))}`
        )
      }
      const p95 = percentile(all, 0.95)
      if (!ground.short && p95 > offerBar) unasked.push(`kill to offer p95 ${millis(p95)}`)
      const { details, lines, zeros } = await judge(world)
      return {
        tried: `${groups.length * kills} kills, each of a process with ${runsEach} runs that wait; lease ${shortLease} s`,
        figure: `kill to offer ${figures.join("; ")}; all p50 ${millis(percentile(all, 0.5))}, p95 ${millis(p95)} (bar ${offerBar} ms), most ${millis(Math.max(...all))}`,
        zeros,
        lines,
        kills: groups.length * kills,
        broken: [...unasked, ...details]
      }
    })
}

/** Rows of kill -9, in order. */
export const killRows: ReadonlyArray<Row> = [everyAppend, anyMoment, oneOfSeveral]
