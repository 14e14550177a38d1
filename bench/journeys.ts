import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gather, playAll, roomy } from "../test/support/service/crowd.ts"
import { type Service, startService } from "../test/support/service/Service.ts"
import { loadAverage, optionOf, percentile, say } from "./measure.ts"

/**
 * Many journeys at once on one built service, over sockets to partners in another process: measures memory, and the time
 * that the service itself takes.
 */
export async function benchJourneys(): Promise<void> {
  const count = optionOf("journeys", 200)
  const folder = mkdtempSync(join(tmpdir(), "plugfest-bench-"))
  const services: Array<Service> = []
  const start = async (name: string) => {
    const service = await startService({ ...roomy, DATA_DIR: join(folder, name) })
    services.push(service)
    return service
  }
  try {
    const [us, them] = [await start("us"), await start("them")]
    const { ends, overheads, peakBytes, seconds } = await playAll(us, await gather(us, them, count))
    const millis = overheads.map((one) => one.millis)
    const [slowest] = overheads
    say(`\n${count} journeys at once, over sockets to partners in another process`)
    say(`${seconds.toFixed(1)} s: ${[...ends].map(([end, runs]) => `${runs} ${end}`).join(", ")}`)
    say(`peak memory ${(peakBytes / 2 ** 20).toFixed(0)} MiB`)
    say(
      `stage overhead, what it took beyond waiting for the partner: median ${percentile(millis, 50).toFixed(0)} ms, p99 ${percentile(millis, 99).toFixed(0)} ms, slowest ${slowest?.millis.toFixed(0)} ms (${slowest?.stageId})`
    )
    say(loadAverage())
  } finally {
    for (const service of services) await service.kill("SIGTERM")
    rmSync(folder, { recursive: true, force: true })
  }
}
