/** The row about clocks: processes with a wrong or fast clock on a database with the right one. */
import { existsSync } from "node:fs"
import { rows } from "../../../test/support/service/database.ts"
import { readLines } from "../../../test/support/service/oracle.ts"
import { sleep } from "../../../test/support/service/Service.ts"
import { millis, percentile, Requirements, type Row } from "../world/Row.ts"
import { openWorld, type World, within } from "../world/World.ts"
import { decideAll, offers, waitingRuns } from "../world/waitingRuns.ts"
import { judge } from "../world/zeros.ts"

/** Path of Debian's libfaketime for multi-threaded programs; undefined: not installed. */
export const faketime = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
  .map((machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path))

const leaseSeconds = 4
const clocks = { "+1 h": "+1h", "-1 h": "-1h", "times ten": "+0 x10" }
/** Tolerated difference between the time of a line and the database's clock, in seconds. */
const rightSeconds = 120

/** Row T1: processes whose clocks are ahead, behind and too fast. */
export const wrongClock: Row = {
  id: "T1",
  fault:
    "the clock of one process is an hour ahead, of another an hour behind, of a third ten times too fast",
  run: async (ground) => {
    const preload = faketime
    if (preload === undefined) return { skipped: "faketime is not installed (Debian package faketime)" }
    return within(await openWorld(ground.cluster, { leaseSeconds }), async (world) => {
      const must = new Requirements()
      // Only the time of day is changed; timers use the monotonic clock, which is not.
      const boot = (clock: keyof typeof clocks) =>
        world.boot({ LD_PRELOAD: preload, FAKETIME: clocks[clock], FAKETIME_DONT_FAKE_MONOTONIC: "1" })
      const [ahead, fast] = [await boot("+1 h"), await boot("times ten")]
      const heir = await boot("-1 h")
      await sleep(leaseSeconds * 1000)
      const each = ground.count(5, 2)
      const runIds = [...(await waitingRuns(world, ahead, each)), ...(await waitingRuns(world, fast, each))]
      // Beside the waiting runs, whole runs one after the other in each process.
      const whole: Array<string> = []
      for (const service of [ahead, fast, heir]) {
        const runId = await world.start(service, await world.partner(service))
        if (runId !== undefined) whole.push(runId)
      }
      const ended = await world.settle(whole)
      must.require(
        ended.length === 3 && ended.every(({ verdict }) => verdict === "pass"),
        `undisturbed runs ended ${ended.map(({ status, verdict }) => `${status} ${verdict}`).join(", ")}`
      )
      await sleep(3 * leaseSeconds * 1000)
      const early = await interrupted(world)
      must.require(early === 0, `${early} early take-overs`)
      await Promise.all([ahead.kill("SIGKILL"), fast.kill("SIGKILL")])
      const bar = 3 * leaseSeconds * 1000
      const times = await offers(world, runIds, bar)
      must.require(times.length === runIds.length, `${runIds.length - times.length} leases are immortal`)
      await decideAll(world, runIds, "abandon")
      const { details, lines, zeros } = await judge(world)
      const { backwards, wrong } = await stamps(world, [...runIds, ...whole])
      must.require(backwards === 0, `${backwards} lines before the one in front of them`)
      must.require(wrong === 0, `${wrong} lines bear a time that the database's clock never showed`)
      return {
        tried: `${runIds.length} runs that wait and ${whole.length} that end by themselves, in processes ${Object.keys(clocks).join(", ")}; three leases; then the owners are killed and the one behind is their heir`,
        figure: `early take-overs ${early} (bar 0); kill to offer p95 ${millis(percentile(times, 0.95))} (bar ${bar} ms); times that go back ${backwards} (bar 0), off the database's ${wrong} (bar 0)`,
        zeros,
        lines,
        kills: 2,
        broken: [...must.broken, ...details]
      }
    })
  }
}

/** How many runs were claimed by a second process. */
export const interrupted = async (world: World): Promise<number> =>
  (await rows(world.database, "select count(*)::int as n from run where lease_epoch > 1"))[0].n

/** Counts the lines that are older than the previous one, and those whose time is wrong by more than `seconds`. */
export async function stamps(world: World, runIds: ReadonlyArray<string>, seconds = rightSeconds) {
  let backwards = 0
  let wrong = 0
  const [{ now }] = (await rows(world.database, "select now() as now")) as [{ now: Date }]
  for (const runId of runIds) {
    const times = (await readLines(world.database, runId)).map(({ event }) => event.occurredAt)
    backwards += times.filter((time, index) => time < (times[index - 1] ?? "")).length
    wrong += times.filter((time) => {
      const age = (now.getTime() - Date.parse(time)) / 1000
      return age < 0 || age > seconds
    }).length
  }
  return { backwards, wrong }
}
