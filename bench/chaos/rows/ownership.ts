/** Rows about the ownership of runs: several processes on one database, some of them dead, stopped or late. */
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import { rows } from "../../../test/support/service/database.ts"
import { readLines, writesOf } from "../../../test/support/service/oracle.ts"
import { sleep, until } from "../../../test/support/service/Service.ts"
import { type Ground, millis, Requirements, type Row } from "../world/Row.ts"
import { openWorld, shortLease, within } from "../world/World.ts"
import { abandonAll, countLines, decideAll, offers, term, waitingRuns } from "../world/waitingRuns.ts"
import { judge } from "../world/zeros.ts"

const twoRecover: Row = {
  id: "F9",
  fault: "two processes recover the same runs",
  run: async (ground: Ground) =>
    within(await openWorld(ground.cluster, { leaseSeconds: shortLease }), async (world) => {
      const must = new Requirements()
      const doomed = await world.boot()
      const heirs = [await world.boot(), await world.boot()]
      await sleep(term)
      const runIds = await waitingRuns(world, doomed, ground.count(50, 8))
      // Both continue at the same instant, by SIGCONT, and find the same runs.
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
      await sleep(term)
      // Fast partners, so that runs are active when the process freezes.
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
      // The last of the zeros counts requests without an announcing line; the frozen process must have written none.
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
      const deciders = [await world.boot(), await world.boot()]
      await sleep(term)
      const runIds = await waitingRuns(world, doomed, ground.count(5, 2))
      await doomed.kill("SIGKILL")
      await offers(world, runIds, 6 * term)
      let taken = 0
      let refused = 0
      let others = 0
      for (const runId of runIds) {
        const { recoveryVersion } = await world.status(runId)
        // The same decision twice would be idempotent; these differ.
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            deciders[index % 2]!.call("POST", `/api/v1/testing/journey-runs/${runId}/recovery`, {
              decision: index % 4 < 2 ? "abandon" : "restart_as_new",
              recoveryVersion
            })
          )
        )
        const lines = await readLines(world.database, runId)
        const applied = lines.map(({ event }) => event).filter(isEventOf("recovery.applied"))
        must.require(applied.length === 1, `${runId}: ${applied.length} decisions in the ledger`)
        const winner = applied[0]?.data.decision
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
        // The successor starts after the old run's clean-up.
        await until(`${runId} to be over`, async () =>
          isTerminal((await world.status(runId)).status) ? true : undefined
        )
        const successors = (
          await rows(world.database, "select run_id from run where predecessor_run_id = $1", [runId])
        ).map(({ run_id }) => run_id as string)
        must.require(
          successors.length === (winner === "abandon" ? 0 : 1),
          `${runId}: ${successors.length} successors after ${winner}`
        )
        // Its partner charges in real time, for longer than this row waits.
        await abandonAll(world, successors)
      }
      const { details, lines, zeros } = await judge(world, { seconds: 120 })
      // The clean-up is decided once, and must be sent once.
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

/** Rows about the ownership of runs, in order. */
export const ownershipRows: ReadonlyArray<Row> = [twoRecover, zombie, twentyDecide]
