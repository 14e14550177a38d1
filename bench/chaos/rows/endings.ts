/** Rows about the process itself: SIGTERM, a wrong clock, a blocked event loop, too little memory, an exhausted pool. */
import { spawn } from "node:child_process"
import { freshDatabase, rows } from "../../../test/support/service/database.ts"
import {
  bundle,
  environmentOf,
  freePort,
  key,
  type Service,
  sleep,
  until
} from "../../../test/support/service/Service.ts"
import { millis, percentile, Requirements, type Row } from "../world/Row.ts"
import { openWorld, within } from "../world/World.ts"
import { abandonAll, countLines, waitingRuns } from "../world/waitingRuns.ts"
import { judge, none } from "../world/zeros.ts"
import { wrongClock } from "./clocks.ts"
import { jumpingClock } from "./jumps.ts"
import { starving } from "./starving.ts"

const told: Row = {
  id: "T2",
  fault: "SIGTERM with twenty runs and fifty streams",
  run: async (ground) =>
    within(await openWorld(ground.cluster), async (world) => {
      const must = new Requirements()
      const service = await world.boot()
      const runIds = await waitingRuns(world, service, ground.count(20, 5))
      const opened = await Promise.all(
        Array.from({ length: ground.count(50, 10) }, (_, index) =>
          fetch(`${service.url}/api/v1/testing/journey-runs/${runIds[index % runIds.length]}/stream`, {
            headers: { authorization: `Bearer ${key}` }
          })
        )
      )
      const streams = opened.map((answer) => answer.text())
      // An unfinished request delays the end of the process, so that the time in between can be observed.
      holdOpen(service)
      await sleep(100)
      const began = performance.now()
      const gone = service.kill("SIGTERM")
      await sleep(200)
      const ready = await readiness(service)
      const texts = await Promise.all(streams)
      const farewells = texts.filter((text) => /\n\n: [^\n]+\nretry: \d+\n\n$/.test(text)).length
      const code = await gone
      const took = performance.now() - began
      must.require(ready === 503, `ready answered ${ready}`)
      must.require(farewells === texts.length, `${farewells} of ${texts.length} streams heard a farewell`)
      must.require(code === 0, `exit code ${code}`)
      must.require(took <= 15_000, `it took ${millis(took)}`)
      await world.boot()
      // The runs are claimed one after the other, which takes time on a busy machine.
      const begun = performance.now()
      await until("the runs to be taken up", async () => {
        const [goOn, ask] = await Promise.all(
          ["run.resumed", "run.interrupted"].map((type) => countLines(world, runIds, type))
        )
        return runIds.every((_, index) => goOn![index]! + ask![index]! > 0) ? true : undefined
      })
      const takenUp = performance.now() - begun
      const views = await Promise.all(runIds.map(world.status))
      const asking = views.filter(({ status }) => status === "interrupted").length
      must.require(asking === 0, `${asking} runs ask although nothing was open`)
      await abandonAll(world, runIds)
      const { details, lines, zeros } = await judge(world)
      return {
        tried: `${runIds.length} runs, ${texts.length} streams`,
        figure: `ready 503 at once; farewells ${farewells}/${texts.length}; exit ${code} after ${millis(took)} with a request held open (bar 15 s); all taken up ${millis(takenUp)} after the next boot, asked ${asking}`,
        zeros,
        lines,
        kills: 1,
        streams: texts.length,
        broken: [...must.broken, ...details]
      }
    })
}

/** Sends the beginning of a request whose end never comes: it is held open, as its body is waited for. */
function holdOpen({ url }: Service): void {
  const body = new ReadableStream({ start: (half) => half.enqueue(new TextEncoder().encode("{")) })
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const request = { method: "POST", headers, body, duplex: "half" } as RequestInit
  void fetch(`${url}/api/v1/testing/validate`, request).catch(() => undefined)
}

/** The status of `/health/ready`. Retried on a new connection, because an idle one may be closed as it is used again. */
async function readiness(service: Service, tries = 3): Promise<number> {
  try {
    return (await service.call("GET", "/health/ready")).status
  } catch {
    return tries > 1 ? readiness(service, tries - 1) : 0
  }
}

/** Starts a process, sends it SIGTERM after so many milliseconds, and returns its exit code or signal. */
async function cutBoot(database: string, afterMillis: number): Promise<number | NodeJS.Signals | null> {
  const child = spawn(process.execPath, [bundle, "serve"], {
    env: environmentOf({ DATABASE_URL: database, PORT: String(await freePort()), LOG_FORMAT: "json" }),
    stdio: "ignore"
  })
  const gone = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal))
  )
  await sleep(afterMillis)
  child.kill("SIGTERM")
  const late = sleep(20_000).then(() => {
    child.kill("SIGKILL")
    return "SIGKILL" as const
  })
  return Promise.race([gone, late])
}

const toldTwice: Row = {
  id: "T3",
  fault: "SIGTERM twice; SIGTERM while it boots and migrates",
  run: async (ground) => {
    const must = new Requirements()
    const boots = ground.count(20, 5)
    for (let boot = 0; boot < boots; boot++) {
      const ended = await cutBoot(await freshDatabase(ground.cluster), 150 + (1500 * boot) / boots)
      must.require(ended === 0 || ended === "SIGTERM", `a boot that was cut ended with ${ended}`)
    }
    // Stop some processes in the middle of migrating; then start two at once: both must serve.
    const database = await freshDatabase(ground.cluster)
    for (let boot = 0; boot < 4; boot++) await cutBoot(database, 300 + 150 * boot)
    return within(await openWorld(ground.cluster, { database }), async (world) => {
      const services = await Promise.all([world.boot(), world.boot()])
      for (const one of services) {
        const { status } = await one.call("GET", "/health/ready")
        must.require(status === 200, `ready answered ${status}`)
      }
      const first = services[0]!
      holdOpen(first)
      await sleep(200)
      first.process.kill("SIGTERM")
      await sleep(300)
      const began = performance.now()
      const ended = await first.kill("SIGTERM")
      const took = performance.now() - began
      must.require(ended === "SIGTERM" && took <= 2000, `the second SIGTERM: ${ended} after ${millis(took)}`)
      return {
        tried: `${boots} boots cut after 0.15 to 1.65 s, 4 on one database, then two processes at once`,
        figure: `every boot ended in order; both serve; the second SIGTERM ends after ${millis(took)}`,
        zeros: none,
        lines: 0,
        kills: boots + 5,
        broken: must.broken
      }
    })
  }
}

const exhausted: Row = {
  id: "T5",
  fault: "two hundred long polls on a pool of twelve connections",
  alone: true,
  run: async (ground) =>
    within(await openWorld(ground.cluster), async (world) => {
      const must = new Requirements()
      const service = await world.boot()
      const [runId] = await waitingRuns(world, service, 1)
      const { reportId, lastSequence } = await world.status(runId!)
      const polls = Array.from({ length: ground.count(200, 50) }, () =>
        service
          .call("GET", `/api/v1/testing/runs/${reportId}?wait=15&since=${lastSequence}`)
          .then(({ status }) => status)
      )
      await sleep(500)
      const times: Array<number> = []
      const wrong: Array<number> = []
      const end = performance.now() + ground.count(10, 4) * 1000
      while (performance.now() < end) {
        const began = performance.now()
        const { status } = await service.call("GET", "/api/v1/testing/journey-runs?limit=5")
        times.push(performance.now() - began)
        if (status !== 200 && status !== 429 && status !== 503) wrong.push(status)
      }
      const [{ n }] = (await rows(
        world.database,
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name like 'plugfest%'"
      )) as [{ n: number }]
      const statuses = await Promise.all(polls)
      must.require(
        statuses.every((status) => [200, 429, 503].includes(status)),
        `polls were answered ${[...new Set(statuses)].join(" ")}`
      )
      must.require(wrong.length === 0, `answers ${wrong.join(" ")}`)
      must.require(percentile(times, 0.95) <= 2000, `p95 ${millis(percentile(times, 0.95))}`)
      must.require(n <= 14, `${n} connections`)
      await abandonAll(world, [runId!])
      const { details, lines, zeros } = await judge(world)
      return {
        tried: `${polls.length} long polls, ${times.length} requests beside them`,
        figure: `p95 ${millis(percentile(times, 0.95))} (bar 2 s); ${n} database connections in all`,
        zeros,
        lines,
        broken: [...must.broken, ...details]
      }
    })
}

/** Rows about the end and the resources of a process, in order. */
export const endingRows: ReadonlyArray<Row> = [wrongClock, told, toldTwice, starving, exhausted, jumpingClock]
