/** Rows about who owns a run: several processes on one database, some of them dead, stopped or behind. */
import { rows } from "../../test/end-to-end/database.ts"
import { readLines, writesOf } from "../../test/end-to-end/oracle.ts"
import { type Service, sleep, until } from "../../test/end-to-end/Service.ts"
import { startLoad, wrongAnswers } from "./load.ts"
import { type Ground, millis, percentile, Requirements, type Row } from "./Row.ts"
import { openWorld, shortLease, type World, within } from "./World.ts"
import { judge } from "./zeros.ts"

const term = shortLease * 1000

/** So many runs that are under way and will not end soon: their partners are in no hurry. */
export async function waitingRuns(
  world: World,
  service: Service,
  count: number
): Promise<ReadonlyArray<string>> {
  const runIds: Array<string> = []
  for (let index = 0; index < count; index++) {
    const partner = await world.partner(service, { speed: 1 })
    const runId = await world.start(service, partner, "remote-start", { waitSeconds: 600 })
    if (runId !== undefined) runIds.push(runId)
  }
  const waits = async (runId: string) => ((await world.status(runId)).waitingFor === null ? undefined : true)
  await Promise.all(runIds.map((runId) => until(`${runId} to wait for its partner`, () => waits(runId))))
  return runIds
}

/** When each run was first found interrupted, in milliseconds after now; ends when all are, or after that long. */
export async function offers(world: World, runIds: ReadonlyArray<string>, limitMillis: number) {
  const began = performance.now()
  const times = new Map<string, number>()
  while (times.size < runIds.length && performance.now() - began < limitMillis) {
    const found = await rows(
      world.database,
      "select run_id from run where status = 'interrupted' and run_id = any($1)",
      [runIds]
    )
    for (const { run_id } of found) if (!times.has(run_id)) times.set(run_id, performance.now() - began)
    await sleep(25)
  }
  return [...times.values()]
}

/** Decides so about each of them, and waits for its end. */
export const decideAll = (world: World, runIds: ReadonlyArray<string>, decision: string) =>
  Promise.all(runIds.map(async (runId) => world.decide(await world.status(runId), decision)))

/** Ends them in whatever way their state allows. */
export const abandonAll = async (world: World, runIds: ReadonlyArray<string>) => {
  const views = await Promise.all(runIds.map(world.status))
  await Promise.all(
    views.map((view) =>
      view.status === "interrupted"
        ? world.decide(view, "abandon")
        : world.services()[0]?.call("POST", `/api/v1/testing/journey-runs/${view.runId}/cancel`)
    )
  )
}

const countLines = async (world: World, runIds: ReadonlyArray<string>, type: string) =>
  Promise.all(
    runIds.map(
      async (runId) =>
        (await readLines(world.database, runId)).filter(({ event }) => event.type === type).length
    )
  )

const twoRecover: Row = {
  id: "F9",
  fault: "two processes recover the same runs",
  run: async (ground: Ground) =>
    within(await openWorld(ground.cluster, { leaseSeconds: shortLease }), async (world) => {
      const must = new Requirements()
      const doomed = await world.boot()
      const runIds = await waitingRuns(world, doomed, ground.count(50, 8))
      const heirs = [await world.boot(), await world.boot()]
      // Both wake at the same instant and find the same runs: the barrier is a signal.
      for (const heir of heirs) heir.process.kill("SIGSTOP")
      await doomed.kill("SIGKILL")
      await sleep(1.2 * term)
      for (const heir of heirs) heir.process.kill("SIGCONT")
      const times = await offers(world, runIds, 6 * term)
      must.require(times.length === runIds.length, `${runIds.length - times.length} runs offer nothing`)
      const claims = await countLines(world, runIds, "run.interrupted")
      must.require(
        claims.every((one) => one === 1),
        `claims per run: ${claims.join(" ")}`
      )
      const owners = new Set(
        (await rows(world.database, "select lease_epoch from run where run_id = any($1)", [runIds])).map(
          ({ lease_epoch }) => lease_epoch
        )
      )
      must.require(owners.size === 1 && owners.has(2), `epochs ${[...owners].join(" ")}`)
      await decideAll(world, runIds, "abandon")
      const { details, lines, zeros } = await judge(world)
      return {
        tried: `${runIds.length} runs of a killed process, 2 heirs waking at once`,
        figure: `claims a run ${Math.max(...claims)} (bar 1); all offered ${millis(Math.max(...times))} after waking`,
        zeros,
        lines,
        kills: 1,
        broken: [...must.broken, ...details]
      }
    })
}

const zombie: Row = {
  id: "F10",
  fault: "a process is frozen for three leases and wakes up as a zombie",
  run: async (ground) =>
    within(await openWorld(ground.cluster, { leaseSeconds: shortLease }), async (world) => {
      const must = new Requirements()
      const frozen = await world.boot()
      const count = ground.count(20, 5)
      const connections = await world.connectMany(frozen, count)
      const heir = await world.boot()
      // Quick partners: there is always work on hand when it freezes.
      const runIds: Array<string> = []
      for (const connectionId of connections) {
        const runId = await world.start(frozen, connectionId)
        if (runId !== undefined) runIds.push(runId)
      }
      frozen.process.kill("SIGSTOP")
      world.balancer.ports = [Number(new URL(heir.url).port)]
      await sleep(3 * term)
      const views = await Promise.all(
        runIds.map(
          async (runId) => (await heir.call("GET", `/api/v1/testing/journey-runs/${runId}`)).body.data
        )
      )
      const taken = views.filter(({ status }) => status === "interrupted")
      for (const view of taken) {
        const { decision } = view.recoveryOptions[0]
        const choice = { decision, recoveryVersion: view.recoveryVersion }
        await heir.call("POST", `/api/v1/testing/journey-runs/${view.runId}/recovery`, choice)
      }
      const before = world.proxy.passed.length
      frozen.process.kill("SIGCONT")
      await sleep(term)
      must.require(taken.length > 0, "nothing was under way when it froze")
      // Every request of this time was announced by a line: so says the last zero. The zombie wrote none.
      const { details, lines, zeros } = await judge(world)
      const epochs = await rows(world.database, "select count(*)::int as n from run where lease_epoch > 2")
      return {
        tried: `${runIds.length} runs, ${taken.length} under way when frozen and decided by the heir`,
        figure: `requests at the partner since the thaw ${world.proxy.passed.length - before}, unannounced 0; runs claimed once more, for the decision ${epochs[0]?.n}`,
        zeros,
        lines,
        broken: [...must.broken, ...details]
      }
    })
}

const twentyDecide: Row = {
  id: "F11",
  fault: "a recovery is decided twenty times at once, through two processes",
  run: async (ground) =>
    within(await openWorld(ground.cluster, { leaseSeconds: shortLease }), async (world) => {
      const must = new Requirements()
      const doomed = await world.boot()
      const runIds = await waitingRuns(world, doomed, ground.count(5, 2))
      const deciders = [await world.boot(), await world.boot()]
      await doomed.kill("SIGKILL")
      await offers(world, runIds, 6 * term)
      let taken = 0
      let refused = 0
      let others = 0
      for (const runId of runIds) {
        const { recoveryVersion } = await world.status(runId)
        // The same decision twice is one decision told twice; these differ.
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            deciders[index % 2]!.call("POST", `/api/v1/testing/journey-runs/${runId}/recovery`, {
              decision: index % 4 < 2 ? "abandon" : "restart_as_new",
              recoveryVersion
            })
          )
        )
        const lines = await readLines(world.database, runId)
        const applied = lines.filter(({ event }) => event.type === "recovery.applied")
        must.require(applied.length === 1, `${runId}: ${applied.length} decisions in the ledger`)
        const winner = applied[0]?.event.data?.["decision"]
        for (const [index, { status }] of answers.entries()) {
          const decision = index % 4 < 2 ? "abandon" : "restart_as_new"
          if (status === 200) taken += 1
          else if (status === 409) refused += 1
          else others += 1
          must.require(
            status === (decision === winner ? 200 : 409),
            `${runId}: ${decision} was answered ${status}, ${winner} had won`
          )
        }
        const stale = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            deciders[index % 2]!.call("POST", `/api/v1/testing/journey-runs/${runId}/recovery`, {
              decision: winner === "abandon" ? "restart_as_new" : "abandon",
              recoveryVersion
            })
          )
        )
        must.require(
          stale.every(({ status }) => status === 409),
          `a decision that came late was answered ${stale.map(({ status }) => status).join(" ")}`
        )
        const [{ n: successors }] = (await rows(
          world.database,
          "select count(*)::int as n from run where predecessor_run_id = $1",
          [runId]
        )) as [{ n: number }]
        must.require(
          successors === (winner === "abandon" ? 0 : 1),
          `${runId}: ${successors} successors after ${winner}`
        )
      }
      const { details, lines, zeros } = await judge(world, { seconds: 60 })
      // Tidying away is decided once, and done once.
      const writes = runIds.flatMap((runId) =>
        writesOf(world.proxy.passed, runId).map((one) => `${runId} ${one}`)
      )
      const again = writes.length - new Set(writes).size
      must.require(again === 0, `${again} writes were sent twice`)
      return {
        tried: `${runIds.length} runs, 20 requests each for two decisions, then 20 that come late`,
        figure: `decisions in the ledger ${runIds.length}; 200 (the winner, told again) ${taken}, 409 ${refused}, others ${others}; late ones refused; successors and writes once each`,
        zeros,
        lines,
        kills: 1,
        broken: [...must.broken, ...details]
      }
    })
}

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
      // First undisturbed: how long a line takes to a client of the other process.
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
      must.require(
        percentile(times, 0.95) <= term + 1000,
        `kill to offer p95 ${millis(percentile(times, 0.95))}`
      )
      must.require(percentile(delays, 0.5) <= 500, `delivery p50 ${millis(percentile(delays, 0.5))}`)
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
      // A request whose outcome is unknown is the one reason to ask.
      for (const { runId } of asking) {
        const interrupted = (await readLines(world.database, runId)).findLast(
          ({ event }) => event.type === "run.interrupted"
        )
        const unknown = interrupted?.event.data?.["unknown"]
        must.require(Array.isArray(unknown) && unknown.length > 0, `${runId} asks although nothing was open`)
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

export const ownershipRows: ReadonlyArray<Row> = [twoRecover, zombie, twentyDecide, otherStream, rolling]
