import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect, type Service, startService } from "../test/support/service/Service.ts"
import { loadAverage, median, optionOf, say } from "./measure.ts"

const suiteId = "ocpi-2.2.1-cpo-full"

/** The measurements of a finished run. */
interface Measured {
  readonly seconds: number
  readonly checks: number
  readonly failed: number
  readonly requests: number
  readonly distinct: number
}

/**
 * The read-only rules of a whole suite on the built service, against a sandbox partner in a process of its own, over
 * sockets: measures how long the run takes, and how many of its requests were different ones.
 */
export async function benchConformance(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "plugfest-bench-"))
  const services: Array<Service> = []
  const start = async (name: string) => {
    const service = await startService({
      DATA_DIR: join(folder, name),
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8"
    })
    services.push(service)
    return service
  }
  try {
    const [us, them] = [await start("us"), await start("them")]
    const made = await them.call("POST", "/api/v1/sandbox/partners", {
      theirRole: "CPO",
      ocpiVersion: "2.2.1"
    })
    const connectionId = await connect(us, made.body.data)
    const suite = await us.call("GET", `/api/v1/testing/suites/${suiteId}`)
    const reading = suite.body.data.checks.filter(({ mode }: { readonly mode: string }) => mode === "RO")
    const order = { connectionId, suiteId, profile: "strict", checks: reading.map(({ id }: any) => id) }
    const rounds: Array<Measured> = []
    for (let round = 0; round < optionOf("rounds", 3); round++) rounds.push(await measured(us, order))
    say(`\n${suiteId}, its ${reading.length} read-only checks, over sockets to a partner in another process`)
    for (const { checks, distinct, failed, requests, seconds } of rounds)
      say(
        `${seconds.toFixed(2)} s: ${checks} graded, ${failed} failed, ${requests} requests, ${distinct} distinct (${(requests / distinct).toFixed(2)} each)`
      )
    say(`median ${median(rounds.map(({ seconds }) => seconds)).toFixed(2)} s. ${loadAverage()}`)
  } finally {
    for (const service of services) await service.kill("SIGTERM")
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measured(service: Service, order: unknown): Promise<Measured> {
  const started = performance.now()
  const { body } = await service.call("POST", "/api/v1/testing/runs", order)
  let report = body.data
  while (report.verdict === null)
    report = (
      await service.call("GET", `/api/v1/testing/runs/${report._id}?wait=30&since=${report.revision}`)
    ).body.data
  const seconds = (performance.now() - started) / 1000
  const har = await service.call("GET", `/api/v1/testing/runs/${report._id}/export?format=har`)
  const { log } = JSON.parse(har.text)
  const sent = log.entries.filter((entry: any) => entry._direction === "outbound")
  const { failed, passed, warned } = report.summary
  return {
    seconds,
    checks: passed + failed + warned,
    failed,
    requests: sent.length,
    distinct: new Set(sent.map(questionOf)).size
  }
}

/** The content of a request, without its ids, which are new each time. */
function questionOf({ request }: any): string {
  const headers = request.headers.filter(({ name }: any) => !/^x-(request|correlation)-id$/i.test(name))
  return JSON.stringify([request.method, request.url, headers, request.postData?.text])
}
