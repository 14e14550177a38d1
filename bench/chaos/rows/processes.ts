/** Rows with several processes: one run and stream in two of them, and a rolling restart. */
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import { readLines } from "../../../test/support/service/oracle.ts"
import { sleep } from "../../../test/support/service/Service.ts"
import { startLoad, wrongAnswers } from "../world/load.ts"
import { millis, percentile, Requirements, type Row } from "../world/Row.ts"
import { openWorld, shortLease, within } from "../world/World.ts"
import { countLines, decideAll, offers, term, waitingRuns } from "../world/waitingRuns.ts"
import { judge } from "../world/zeros.ts"

const otherStream: Row = {
  id: "M1",
  fault: "run in one process, streamed by another, the first is killed",
  alone: true,
  run: async (ground) =>
    within(await openWorld(ground.cluster, { leaseSeconds: shortLease }), async (world) => {
      const must = new Requirements()
      const count = ground.count(10, 3)
      const doomed = await world.boot()
      const heir = await world.boot()
      const connections = await world.connectMany(heir, count)
      // First without a fault: the delay of a line to a client of the other process.
      const calm: Array<string> = []
      for (const connectionId of connections) {
        const runId = await world.start(doomed, connectionId)
        if (runId !== undefined) calm.push(runId)
      }
      const calmFollowers = calm.map((runId) => world.watch(runId, [heir]))
      await world.settle(calm)
      await Promise.all(calmFollowers.map(({ done }) => done))
      const delays = calmFollowers.flatMap((one) => one.delays)

      const runIds = await waitingRuns(world, doomed, count)
      const followers = runIds.map((runId) => world.watch(runId, [heir]))
      await sleep(500)
      world.balancer.ports = [Number(new URL(heir.url).port)]
      const dead = doomed.kill("SIGKILL")
      const times = await offers(world, runIds, 6 * term)
      await dead
      must.require(times.length === runIds.length, `${runIds.length - times.length} runs offer nothing`)
      // The long form requires these times; the short one runs beside other tests.
      must.require(
        ground.short || percentile(times, 0.95) <= term + 1000,
        `kill to offer p95 ${millis(percentile(times, 0.95))}`
      )
      must.require(
        ground.short || percentile(delays, 0.5) <= 500,
        `delivery p50 ${millis(percentile(delays, 0.5))}`
      )
      await decideAll(world, runIds, "abandon")
      await Promise.race([Promise.all(followers.map(({ done }) => done)), sleep(20_000)])
      for (const { ids } of [...calmFollowers, ...followers]) {
        must.require(
          ids.every((id, index) => id === index + 1),
          `a stream showed ${ids.join(" ")}`
        )
      }
      const { details, lines, zeros } = await judge(world)
      return {
        tried: `${calm.length + runIds.length} runs started through one process and streamed through the other; lease ${shortLease} s`,
        figure:
          `across processes ${delays.length} lines: p50 ${millis(percentile(delays, 0.5))} (bar 500 ms: looking once a second gives as much), p99 ${millis(percentile(delays, 0.99))}; ` +
          `kill to offer p50 ${millis(percentile(times, 0.5))}, p95 ${millis(percentile(times, 0.95))} (bar ${term + 1000} ms)`,
        zeros,
        lines,
        kills: 1,
        streams: calmFollowers.length + followers.length,
        broken: [...must.broken, ...details]
      }
    })
}

const rolling: Row = {
  id: "M2",
  fault: "rolling restart of three processes under load",
  run: async (ground) =>
    within(await openWorld(ground.cluster), async (world) => {
      const must = new Requirements()
      for (let n = 0; n < 3; n++) await world.boot()
      const connections = await world.connectMany(world.services()[0]!, ground.count(8, 4))
      const load = startLoad(world, connections)
      const codes: Array<unknown> = []
      let longest = 0
      for (let round = 0; round < ground.count(2, 1); round++) {
        for (const old of [...world.services()]) {
          await world.boot()
          world.balancer.ports = world.balancer.ports.filter((port) => port !== Number(new URL(old.url).port))
          const began = performance.now()
          codes.push(await old.kill("SIGTERM"))
          longest = Math.max(longest, performance.now() - began)
          await sleep(1000)
        }
      }
      await load.stop()
      const { runIds } = load
      const views = await world.settle(runIds)
      const asking = views.filter(({ status }) => status === "interrupted")
      // A run may be interrupted only because of a request with unknown outcome.
      for (const { runId } of asking) {
        const lines = await readLines(world.database, runId)
        const interrupted = lines.map(({ event }) => event).findLast(isEventOf("run.interrupted"))
        const { unknown = [] } = interrupted?.data ?? {}
        must.require(unknown.length > 0, `${runId} asks although nothing was open`)
      }
      await decideAll(
        world,
        asking.map(({ runId }) => runId),
        "abandon"
      )
      await Promise.race([Promise.all(world.followers.map(({ done }) => done)), sleep(20_000)])
      must.require(
        codes.every((code) => code === 0),
        `exit codes ${codes.join(" ")}`
      )
      must.require(longest <= 15_000, `an end took ${millis(longest)}`)
      must.broken.push(...wrongAnswers(load))
      const resumed = (await countLines(world, runIds, "run.resumed")).reduce((a, b) => a + b, 0)
      const { details, lines, zeros } = await judge(world)
      return {
        tried: `${codes.length} restarts under ${runIds.length} runs and ${load.polls()} polls`,
        figure: `resumed by themselves ${resumed}, asked for a decision ${asking.length}; longest end ${millis(longest)} (bar 15 s); 4xx and 5xx other than 503: ${wrongAnswers(load).length}`,
        zeros,
        lines,
        kills: 0,
        streams: world.followers.length,
        broken: [...must.broken, ...details]
      }
    })
}

/** Rows with several processes, in order. */
export const processRows: ReadonlyArray<Row> = [otherStream, rolling]
