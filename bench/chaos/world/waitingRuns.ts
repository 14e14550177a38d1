/** Runs that wait, and decisions about them. */
import { rows } from "../../../test/support/service/database.ts"
import { readLines } from "../../../test/support/service/oracle.ts"
import { type Service, sleep, until } from "../../../test/support/service/Service.ts"
import { shortLease, terminal, type World } from "./World.ts"

/** The short lease, in milliseconds. */
export const term = shortLease * 1000

/** Starts so many runs that stay active for long, because their partners are slow. */
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

/**
 * The time at which each run was first found interrupted, in milliseconds from now; ends when all are, or after
 * `limitMillis`.
 */
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

/** Applies this decision to each run, and waits for its end. */
export const decideAll = (world: World, runIds: ReadonlyArray<string>, decision: string) =>
  Promise.all(runIds.map(async (runId) => world.decide(await world.status(runId), decision)))

/** Ends the runs as their state allows: abandons interrupted ones and cancels the others, until all are over. */
export const abandonAll = (world: World, runIds: ReadonlyArray<string>) =>
  Promise.all(
    runIds.map((runId) =>
      until(
        `${runId} to be abandoned`,
        async () => {
          const view = await world.status(runId)
          if (view.status === "interrupted") await world.decide(view, "abandon")
          else if (["cancelling", ...terminal].includes(view.status)) return true
          else await world.services()[0]?.call("POST", `/api/v1/testing/journey-runs/${runId}/cancel`)
          return undefined
        },
        60_000
      )
    )
  )

/** How many lines of that type each run has. */
export const countLines = async (world: World, runIds: ReadonlyArray<string>, type: string) =>
  Promise.all(
    runIds.map(
      async (runId) =>
        (await readLines(world.database, runId)).filter(({ event }) => event.type === type).length
    )
  )
