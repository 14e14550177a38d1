/** The row about a process that gets no CPU time: first its event loop is blocked, then the whole process is frozen. */
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import { rows } from "../../../test/support/service/database.ts"
import { readLines } from "../../../test/support/service/oracle.ts"
import { sleep, until } from "../../../test/support/service/Service.ts"
import { type Ground, millis, Requirements, type Row } from "../world/Row.ts"
import { longLease, openWorld, shortLease, type World, within } from "../world/World.ts"
import { abandonAll, offers, waitingRuns } from "../world/waitingRuns.ts"
import { loopWatch } from "../world/watching.ts"
import { judge } from "../world/zeros.ts"

/** How long the event loop is blocked, in leases. */
const leasesHeldUp = 2.7
/** How long the process is frozen, in leases. */
const leasesFrozen = 3

/** Row L4: a blocked event loop keeps its leases, a frozen process loses them. */
export const longPause: Row = {
  id: "L4",
  fault: "the event loop is held up for almost three leases; then the whole process is frozen for three",
  alone: true,
  run: async (ground: Ground) => {
    const leaseSeconds = ground.count(longLease, 4)
    const term = leaseSeconds * 1000
    return within(await openWorld(ground.cluster, { leaseSeconds }), async (world) => {
      const must = new Requirements()
      const watch = await loopWatch()
      const slow = await world.boot(watch.env, watch.node)
      const heir = await world.boot()
      await sleep(shortLease * 1000)
      const waiting = await waitingRuns(world, slow, ground.count(10, 3))
      const busy = await world.connectMany(slow, ground.count(5, 2))
      const atHeir = [Number(new URL(heir.url).port)]
      // The runs that read from their partners are in the middle of it when the loop is blocked.
      const reading: Array<string> = []
      for (const connectionId of busy) {
        const runId = await world.start(slow, connectionId, "first-reads")
        if (runId !== undefined) reading.push(runId)
      }
      const runIds = [...waiting, ...reading]
      const followers = waiting.map((runId) => world.watch(runId, [slow]))
      world.balancer.ports = atHeir
      await watch.lag()
      await watch.block(leasesHeldUp * term)
      await sleep(leasesHeldUp * term + 500)
      const { wall } = await until("the loop to turn again", async () => {
        const lag = await watch.lagSoFar()
        return lag.open < 1000 ? lag : undefined
      })
      must.require(wall >= leasesHeldUp * term * 0.9, `the loop was held up for ${millis(wall)} only`)
      const ended = await world.settle(reading)
      await sleep(term)
      const taken = await takenOver(world, runIds)
      must.require(taken.length === 0, `${taken.length} of ${runIds.length} runs were lost to the pause`)
      const bad = ended.filter(({ verdict }) => verdict !== "pass")
      must.require(
        bad.length === 0,
        `runs under way ended ${bad.map(({ status, verdict }) => `${status} ${verdict}`).join(", ")}`
      )
      const cut = followers.filter((one) => one.reconnects() > 0).length

      // A frozen process cannot renew its leases: the other process must take the runs over, and say why.
      const toFreeze = await waitingRuns(world, slow, ground.count(10, 3))
      slow.process.kill("SIGSTOP")
      const times = await offers(world, toFreeze, leasesFrozen * term)
      const frozen = await takenOver(world, toFreeze)
      slow.process.kill("SIGCONT")
      must.require(
        frozen.length === toFreeze.length,
        `${toFreeze.length - frozen.length} runs stayed with the frozen process`
      )
      const reasons = await reasonsOf(world, toFreeze)
      must.require(
        reasons.length === toFreeze.length && reasons.every((reason) => reason.length > 20),
        `reasons: ${reasons.join(" / ")}`
      )
      await sleep(term)
      await abandonAll(world, [...waiting, ...toFreeze])
      const { details, lines, zeros } = await judge(world)
      return {
        tried: `${waiting.length + toFreeze.length} runs that wait and ${reading.length} that read, lease ${leaseSeconds} s; the loop held up for ${millis(wall)}, then SIGSTOP, beside a second process`,
        figure: `lost to the pause of the loop ${taken.length} (bar 0), streams that had to resume ${cut}; taken from the frozen process ${frozen.length}/${toFreeze.length}, the last after ${millis(Math.max(...times))}, told as: ${[...new Set(reasons)].join(" / ")}`,
        zeros,
        lines,
        streams: followers.length,
        broken: [...must.broken, ...details]
      }
    })
  }
}

const takenOver = async (world: World, runIds: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  (
    await rows(world.database, "select run_id from run where lease_epoch > 1 and run_id = any($1)", [runIds])
  ).map(({ run_id }) => run_id)

/** The reason of each run's latest interruption, from its ledger. */
const reasonsOf = async (world: World, runIds: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  (
    await Promise.all(
      runIds.map(async (runId) => {
        const lines = await readLines(world.database, runId)
        const last = lines.map(({ event }) => event).findLast(isEventOf("run.interrupted"))
        return last === undefined ? [] : [last.data.reason]
      })
    )
  ).flat()
