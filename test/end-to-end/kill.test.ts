/**
 * kill -9 of the built service after single ledger appends of a `remote-start` run, with the partner in another process.
 * KILL_EVERY=1 tries every append; the default takes a sample that fits into a short run.
 */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { type CountingProxy, startCountingProxy } from "./CountingProxy.ts"
import { freshDatabase, rows } from "./database.ts"
import { ledgerFaults, type RunLines, readLines } from "./oracle.ts"
import { connect, freePort, type Service, sleep, startProcess, startService, until } from "./Service.ts"

const faultPoint = new URL("./faultPoint.mjs", import.meta.url).href
const every = Number(process.env["KILL_EVERY"] ?? "7")
const leaseSeconds = 0.8

describe("kill -9 at a ledger append", () => {
  let proxy: CountingProxy
  let sandbox: Awaited<ReturnType<typeof startProcess>>
  let database: string
  let port: string
  let connectionId: string
  const tally = { kills: 0, events: 0, lost: 0, duplicated: 0, wrongReports: 0 }

  const env = () => ({
    DATABASE_URL: database,
    PORT: port,
    EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
    LEASE_SECONDS: String(leaseSeconds),
    RATE_LIMITS: "requests=100000,commands=100000,connectionCommands=100000,runs=1000,streams=1000",
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`
  })

  beforeAll(async () => {
    database = await freshDatabase(inject("pgUrl"))
    port = String(await freePort())
    proxy = await startCountingProxy(await freePort())
    const sandboxPort = await freePort()
    proxy.target = `http://127.0.0.1:${sandboxPort}`
    sandbox = await startProcess(
      [
        "sandbox",
        "--port",
        String(sandboxPort),
        "--public-url",
        proxy.url,
        "--seed",
        "3",
        "--speed",
        "3600",
        "--ocpi-version",
        "2.2.1"
      ],
      { EGRESS_ALLOW_CIDRS: "127.0.0.0/8" },
      /tokenA/
    )
    const { versionsUrl, tokenA } = JSON.parse(
      sandbox
        .output()
        .split("\n")
        .find((line) => line.startsWith("{"))!
    )
    const service = await startService(env())
    connectionId = await connect(service, { partnerBaseUrl: versionsUrl, tokenA })
    await service.kill()
  }, 120_000)

  afterAll(async () => {
    sandbox?.child.kill("SIGTERM")
    await proxy?.close()
    process.stdout.write(
      `kill -9: ${tally.kills} kills, ${tally.events} events, lost ${tally.lost}, duplicated ${tally.duplicated}, reports unlike the fold ${tally.wrongReports}\n`
    )
  })

  const start = (service: Service) =>
    service.call("POST", "/api/v1/testing/journey-runs", { connectionId, templateId: "remote-start" })

  const settled = (service: Service, runId: string, wanted: ReadonlyArray<string>) =>
    until(`run ${runId} to be ${wanted.join(" or ")}`, async () => {
      const status = await service.call("GET", `/api/v1/testing/journey-runs/${runId}`)
      return wanted.includes(status.body?.data?.status) ? status.body.data : undefined
    })

  /** One run that is never killed: how many appends and lines a run has. */
  it("a run that is not disturbed passes", async () => {
    const service = await startService(env())
    const made = await start(service)
    assert.strictEqual(made.status, 202, made.text)
    await settled(service, made.body.data.runId, ["completed"])
    const report = await service.call("GET", `/api/v1/testing/runs/${made.body.data.reportId}`)
    assert.strictEqual(report.body.data.verdict, "pass", JSON.stringify(report.body.data))
    await service.kill("SIGTERM")
  }, 60_000)

  it(`loses nothing and repeats nothing, every ${every}. append`, async () => {
    let at = 1
    for (;;) {
      const doomed = await startService({ ...env(), KILL_AT: String(at) }, ["--import", faultPoint])
      const before = proxy.passed.length
      const newest = await newestRun()
      // The answer to the start is not awaited for the kill: early appends die before it.
      await start(doomed).catch(() => undefined)
      const ended = await Promise.race([doomed.gone, finished(doomed, newest)])
      if (ended === "finished") {
        await doomed.kill()
        break
      }
      tally.kills += 1
      const runId = await newestRun()
      // Killed before the very first line: there is no run, and nobody was told of one.
      if (runId === newest) {
        at += every
        continue
      }
      const seenBefore = await readLines(database, runId)

      const service = await startService(env())
      const status = await settled(service, runId, ["interrupted", "completed", "cancelled", "failed"])
      if (status.status === "interrupted") {
        const decisions = status.recoveryOptions.map((one: any) => one.decision)
        assert.include(decisions, "abandon", `at ${at}`)
        assert.isAbove(status.recoveryVersion, 0)
        const startUnknown = unknownWrites(seenBefore).includes("START_SESSION")
        if (startUnknown) {
          assert.notInclude(decisions, "retry_stage", `a START_SESSION of unknown outcome at ${at}`)
          assert.notInclude(decisions, "resume", `an unknown outcome at ${at}`)
        }
        const recommended =
          status.recoveryOptions.find((one: any) => one.recommended) ?? status.recoveryOptions[0]
        const applied = await service.call("POST", `/api/v1/testing/journey-runs/${runId}/recovery`, {
          decision: recommended.decision,
          recoveryVersion: status.recoveryVersion
        })
        assert.strictEqual(applied.status, 200, applied.text)
        await settled(service, runId, ["completed", "cancelled", "failed", "interrupted"])
        if (recommended.repeats.length === 0) {
          const starts = proxy.passed.slice(before).filter((one) => one.path.includes("START_SESSION"))
          assert.isAtMost(starts.length, 1, `START_SESSION was sent ${starts.length} times, killed at ${at}`)
          const ids = proxy.passed
            .slice(before)
            .filter((one) => one.method !== "GET")
            .map((one) => one.requestId)
          assert.strictEqual(new Set(ids).size, ids.length, `a write was sent twice, killed at ${at}`)
        }
      }
      const lines = await readLines(database, runId)
      const faults = ledgerFaults(runId, lines, seenBefore)
      tally.events += lines.length
      tally.lost += faults.lost
      tally.duplicated += faults.duplicated
      assert.deepStrictEqual(faults, { lost: 0, duplicated: 0, gaps: 0, brokenChain: 0 }, `killed at ${at}`)
      await service.kill()
      at += every
    }
    assert.isAbove(tally.kills, 3)
  }, 1_200_000)

  const newestRun = async (): Promise<string> =>
    (await rows(database, "select run_id from run order by run_id desc limit 1"))[0]?.run_id ?? ""

  /** When a run newer than `old` is over, or the process is. */
  async function finished(service: Service, old: string): Promise<"finished" | "gone"> {
    while (service.process.exitCode === null && service.process.signalCode === null) {
      const list = await service.call("GET", "/api/v1/testing/journey-runs?limit=1").catch(() => undefined)
      const newest = list?.body?.data?.[0]
      const over = ["completed", "cancelled", "failed"].includes(newest?.status)
      if (over && newest.runId !== old) return "finished"
      await sleep(50)
    }
    return "gone"
  }
})

/** Commands that were intended and never completed. */
function unknownWrites(lines: RunLines): ReadonlyArray<string> {
  const done = new Set(
    lines.filter((one) => one.event.type === "exchange.completed").map((one) => one.event.exchange?.id)
  )
  return lines
    .filter((one) => one.event.type === "exchange.intended" && !done.has(one.event.exchange?.id))
    .map((one) => one.event.exchange?.operation ?? "")
}
