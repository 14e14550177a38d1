/** Runs that wait for a decision, and what is decided about them. */
import { rows } from "../../test/end-to-end/support/database.ts"
import { readLines } from "../../test/end-to-end/support/oracle.ts"
import { type Service, sleep, until } from "../../test/end-to-end/support/Service.ts"
import { shortLease, terminal, type World } from "./World.ts"

/** A lease of these worlds in milliseconds. */
export const term = shortLease * 1000

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

/** Ends them in whatever way their state allows. Who is asked to come again does. */
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

export const countLines = async (world: World, runIds: ReadonlyArray<string>, type: string) =>
  Promise.all(
    runIds.map(
      async (runId) =>
        (await readLines(world.database, runId)).filter(({ event }) => event.type === type).length
    )
  )
