/**
 * A world in which the account `mallory` attacks while another one works: a watched process, a waiting run, and an
 * onlooker.
 */
import { makeKey } from "../../../test/support/service/command.ts"
import { rows } from "../../../test/support/service/database.ts"
import { readLines } from "../../../test/support/service/oracle.ts"
import { type Service, sleep } from "../../../test/support/service/Service.ts"
import type { Ground } from "../world/Row.ts"
import { openWorld, type World } from "../world/World.ts"
import { abandonAll, waitingRuns } from "../world/waitingRuns.ts"
import { type Lag, type LoopWatch, loopWatch, type Onlooker, onlook } from "../world/watching.ts"
import { type Attack, surely } from "./attacking.ts"

/** The world of attacks, and what one can measure there. */
export interface Arena {
  readonly world: World
  /** The attacked process; a new one after a kill. */
  readonly service: () => Service
  /** The service with the key of `mallory`. */
  readonly mallory: () => Service
  /** Headers with the key of `mallory`. */
  readonly asMallory: Readonly<Record<string, string>>
  readonly strike: (attack: Attack, limitMillis: number, settleMillis: number) => Promise<Struck>
  /** Kills a process that no longer answers, and starts another one on the same database. */
  readonly again: () => Promise<void>
  /** Runs of the other account that were interrupted, or ended wrongly. */
  readonly harmed: () => Promise<ReadonlyArray<string>>
  /**
   * Growth of the heap since the process began, after a full garbage collection, and the most memory of the process, in
   * bytes.
   */
  readonly memory: () => Promise<{ readonly grown: number; readonly most: number }>
  /** How many runs of the other account have ended since. */
  readonly worked: () => number
  /** Stops the onlooker and the runs of the other account, and cancels every run that is still open. */
  readonly calm: () => Promise<void>
  /** Registers work for the closing of the arena. */
  readonly atTheEnd: (close: () => void) => void
  readonly close: () => Promise<void>
}

/** The effect of one attack. */
export interface Struck {
  readonly status: number | undefined
  readonly text: string
  readonly retryAfterSeconds: number | undefined
  /** There was no answer in time, and the event loop was blocked. */
  readonly blocked: boolean
  /** The process ended by itself. */
  readonly dead: boolean
  readonly millis: number
  readonly lag: Lag
  readonly slowest: number
  readonly slowestWhat: string
  readonly wrong: ReadonlyArray<string>
}

const nobody: Struck = {
  status: undefined,
  text: "",
  retryAfterSeconds: undefined,
  blocked: false,
  dead: true,
  millis: 0,
  lag: { cpu: 0, wall: 0, open: 0, rss: 0 },
  slowest: 0,
  slowestWhat: "",
  wrong: []
}

/** Opens an arena; its caller must `close` it. */
export async function openArena(ground: Ground): Promise<Arena> {
  const world = await openWorld(ground.cluster)
  let { heapBefore, onlooker, service, waiting, watch } = await beginning(world)
  let most = 0
  let working = true
  let worked = 0
  /** Runs that were active when this row killed their process. */
  const killed = new Set<string>()
  const wrong: Array<string> = []
  const closing: Array<() => void> = []

  const malloryKey = await makeKey({ DATABASE_URL: world.database }, "mallory")
  const asMallory = { authorization: `Bearer ${malloryKey}` }
  const honest = await world.partner(service)

  // Meanwhile the other account makes one run after the other; runs of a killed process are not counted.
  const works = (async () => {
    while (working) {
      const began: Service = service
      const runId = await world.start(began, honest, "first-reads")
      if (runId !== undefined) {
        const [view] = await world.settle([runId], 60).catch(() => [undefined])
        if (killed.has(runId) || began !== service) killed.add(runId)
        else if (view?.verdict === "pass") worked += 1
        else if (working)
          wrong.push(
            `${runId} of another account ended ${view?.status} ${view?.verdict}${await whyOf(world, runId)}`
          )
      }
      await sleep(300)
    }
  })()

  const interrupted = async (): Promise<ReadonlyArray<string>> =>
    (
      await rows(
        world.database,
        "select distinct run_id from ledger_event where type = 'run.interrupted' and run_id = any($1)",
        [[...world.seen.accepted]]
      )
    )
      .map(({ run_id }) => run_id)
      .filter((id) => !killed.has(id))

  const strike: Arena["strike"] = async (attack, limitMillis, settleMillis) => {
    await Promise.all([watch.lag(), onlooker.heard()])
    const began = performance.now()
    const answer = await attack
      .send(AbortSignal.timeout(limitMillis))
      .then(async (one) => ({
        status: one.status,
        text: await one.text(),
        retryAfterSeconds: Number(one.headers.get("retry-after") ?? Number.NaN)
      }))
      .catch((error) => ({
        status: undefined,
        text: String(error?.cause?.code ?? error),
        retryAfterSeconds: Number.NaN
      }))
    const millis = performance.now() - began
    await sleep(settleMillis)
    const ended = await Promise.race([
      service.gone,
      answer.status === undefined ? turnOrWork(watch, limitMillis) : undefined
    ]).catch(() => service.gone)
    if (ended !== undefined) {
      const text = `the process ended with ${ended}: ${service.output().slice(-300)}`
      return { ...nobody, text, millis: performance.now() - began }
    }
    const [lag, heard] = await Promise.all([watch.lag(), onlooker.heard()])
    most = Math.max(most, lag.rss)
    const blocked = answer.status === undefined && isHeldUp(lag, limitMillis) && lag.cpu > surely
    const { retryAfterSeconds } = answer
    return {
      ...answer,
      retryAfterSeconds: Number.isNaN(retryAfterSeconds) ? undefined : retryAfterSeconds,
      blocked,
      dead: false,
      millis,
      lag,
      slowest: heard.slowest,
      slowestWhat: heard.slowestWhat,
      wrong: heard.wrong
    }
  }

  return {
    world,
    service: () => service,
    mallory: () => ({
      ...service,
      call: (method, path, body, headers = {}) =>
        service.call(method, path, body, { ...asMallory, ...headers })
    }),
    asMallory,
    strike,
    again: async () => {
      const before = await interrupted()
      wrong.push(...before.map((id) => `${id} of another account was interrupted`))
      for (const id of world.seen.accepted) killed.add(id)
      onlooker.stop()
      await service.kill("SIGKILL")
      ;({ heapBefore, onlooker, service, waiting, watch } = await beginning(world))
    },
    harmed: async () => [
      ...wrong,
      ...(await interrupted()).map((id) => `${id} of another account was interrupted`)
    ],
    memory: async () => ({ grown: (await watch.heap()) - heapBefore, most }),
    worked: () => worked,
    atTheEnd: (close) => closing.push(close),
    close: async () => {
      working = false
      onlooker.stop()
      for (const close of closing) close()
      await world.close()
    },
    calm: async () => {
      working = false
      onlooker.stop()
      await works
      await abandonAll(world, [waiting])
      const open = await rows(
        world.database,
        "select run_id, report_id, kind from run where not (status in ('completed', 'cancelled', 'failed', 'interrupted'))"
      )
      const { call } = service
      for (const { kind, report_id, run_id } of open) {
        const path = kind === "journey" ? `journey-runs/${run_id}` : `runs/${report_id}`
        await call("POST", `/api/v1/testing/${path}/cancel`, undefined, asMallory).catch(() => undefined)
      }
    }
  }
}

/** A watched process, a waiting run of the account `default` in it, and an onlooker. */
async function beginning(world: World) {
  const watch: LoopWatch = await loopWatch()
  const service = await world.boot(watch.env, watch.node)
  const [runId] = await waitingRuns(world, service, 1)
  const waiting = runId!
  const onlooker: Onlooker = onlook(service, waiting)
  return { watch, service, waiting, onlooker, heapBefore: await watch.heap() }
}

const isHeldUp = ({ open }: Lag, limitMillis: number) => open > limitMillis / 3

/**
 * Waits until the event loop turns again, or has certainly been busy all the time: on a busy machine it may only lack a
 * CPU.
 */
async function turnOrWork(watch: LoopWatch, limitMillis: number): Promise<void> {
  const end = performance.now() + 60_000
  for (;;) {
    const lag = await watch.lagSoFar()
    if (!isHeldUp(lag, limitMillis) || lag.cpu > surely || performance.now() > end) return
    await sleep(200)
  }
}

/** The first flaw that the run found. */
async function whyOf(world: World, runId: string): Promise<string> {
  const found = (await readLines(world.database, runId)).flatMap(({ event }) =>
    event.assertions.filter(({ outcome }) => outcome !== "passed")
  )
  return found[0] === undefined ? "" : `: ${found[0].message}`
}
