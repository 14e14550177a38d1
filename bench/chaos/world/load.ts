/** Load during a fault: one run after the other on each connection, and a caller that polls all the time. */
import { randomUUID } from "node:crypto"
import { rows } from "../../../test/support/service/database.ts"
import { sleep } from "../../../test/support/service/Service.ts"
import { type Caller, terminal, type World } from "./World.ts"

/** Running load, and what its caller has seen. */
export interface Load {
  readonly runIds: ReadonlyArray<string>
  readonly polls: () => number
  /** Counts of answers with status 400 and above; 0: no answer at all. */
  readonly refusals: ReadonlyMap<number, number>
  /** Count of 503 without Retry-After. */
  readonly hasty: () => number
  /** Count of starts that were refused or not answered, and were repeated until they were accepted. */
  readonly repeated: () => number
  /** Starts no more runs; resolves when the active ones are terminal or interrupted. */
  readonly stop: () => Promise<void>
}

/**
 * Starts the load. `once`: one run per connection, instead of one after the other. `through`: all of it goes to this
 * balancer, and each run is waited for by a long poll too; else the processes are asked in turn.
 */
export function startLoad(
  world: World,
  connections: ReadonlyArray<string>,
  { once = false, through }: { readonly once?: boolean; readonly through?: Caller } = {}
): Load {
  const runIds: Array<string> = []
  const refusals = new Map<number, number>()
  let polls = 0
  let hasty = 0
  let repeated = 0
  let going = true
  const next = (turn: number) => through ?? world.services()[turn % Math.max(1, world.services().length)]
  const ask = async (service: Caller | undefined, path: string) => {
    const answer = await service?.call("GET", `/api/v1/${path}`).catch(() => undefined)
    polls += 1
    const status = answer?.status ?? 0
    if (status === 0 || status >= 400) refusals.set(status, (refusals.get(status) ?? 0) + 1)
    if (status === 503 && !(Number(answer?.headers.get("retry-after")) >= 1)) hasty += 1
    return answer
  }
  const follow = async (runId: string) => {
    if (through === undefined) {
      world.watch(runId)
      return
    }
    world.watchAt(runId, { urls: () => [through.url] })
    const { reportId } = await world.status(runId)
    let report: { readonly revision: number; readonly status: string } | undefined
    while (going && ![...terminal, "interrupted"].includes(report?.status ?? "")) {
      const answer = await ask(through, `testing/runs/${reportId}?wait=20&since=${report?.revision ?? 0}`)
      if (answer?.status === 200) report = answer.body.data
      else await sleep(200)
    }
  }
  /** As a careful client does: with an Idempotency-Key, and again until it is accepted. */
  const start = async (connectionId: string, index: number) => {
    const headers = { "idempotency-key": randomUUID() }
    for (let tries = 0; going; tries++) {
      const service = next(index + tries)
      const runId = service && (await world.start(service, connectionId, undefined, undefined, headers))
      if (runId !== undefined) {
        if (tries > 0) repeated += 1
        return runId
      }
      await sleep(100)
    }
    return undefined
  }
  const runs = connections.map(async (connectionId, index) => {
    while (going) {
      const runId = await start(connectionId, index)
      if (runId === undefined) continue
      runIds.push(runId)
      void follow(runId)
      await world.settle([runId])
      if (once) return
    }
  })
  const paths = ["testing/journey-runs?limit=5", "testing/suites", "connections", "testing/runs?limit=5"]
  const asking = (async () => {
    while (going) {
      await ask(next(polls), paths[polls % paths.length]!)
      await sleep(40)
    }
  })()
  return {
    runIds,
    refusals,
    polls: () => polls,
    hasty: () => hasty,
    repeated: () => repeated,
    stop: async () => {
      if (once) await Promise.all(runs)
      going = false
      await Promise.all([...runs, asking])
    }
  }
}

/** The refusals that are wrong: every error status other than 503. */
export const wrongAnswers = ({ refusals }: Load): ReadonlyArray<string> =>
  [...refusals]
    .filter(([status]) => status >= 400 && status !== 503)
    .map(([status, times]) => `${status} answered ${times} times`)

/** Applies a decision to each interrupted run, and then makes one run without faults. Returns what was wrong. */
export async function healed(
  world: World,
  runIds: ReadonlyArray<string>,
  connectionId: string
): Promise<{
  readonly asked: number
  readonly reasons: ReadonlyArray<string>
  readonly wrong: ReadonlyArray<string>
}> {
  const views = await world.settle(runIds)
  const asking = views.filter(({ status }) => status === "interrupted")
  const optionless = asking.filter(({ recoveryOptions }) => recoveryOptions.length === 0).length
  const reasons = await reasonsOf(world, asking)
  await Promise.all(asking.map((view) => world.decide(view, "abandon")))
  const [service] = world.services()
  const runId = service && (await world.start(service, connectionId))
  const [last] = runId === undefined ? [] : await world.settle([runId])
  const wrong = last?.verdict === "pass" ? [] : [`the run after it ended ${last?.status} ${last?.verdict}`]
  return {
    asked: asking.length,
    reasons,
    wrong: optionless === 0 ? wrong : [...wrong, `${optionless} runs offer nothing`]
  }
}

/** The reason of each run's latest interruption, from its ledger. */
const reasonsOf = async (world: World, asking: ReadonlyArray<{ readonly runId: string }>) =>
  (
    await rows(
      world.database,
      `select distinct on (run_id) run_id, i.line::json->'data' as data, b.type, b.stage_id
       from ledger_event i join ledger_event b using (run_id)
       where i.type = 'run.interrupted' and b.sequence = i.sequence - 1 order by run_id, i.sequence desc`
    )
  )
    .filter(({ run_id }) => asking.some(({ runId }) => runId === run_id))
    .map(
      ({ data, run_id, stage_id, type }) => `${run_id} after ${type} (${stage_id}): ${JSON.stringify(data)}`
    )
