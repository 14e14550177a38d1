/**
 * One service, one partner in a process of its own, one database: a journey run is killed at one append after the other,
 * and the next process decides what becomes of it. Each decision that is offered gets its turn.
 */
import { assert } from "vitest"
import { startCountingProxy } from "./CountingProxy.ts"
import { freshDatabase, rows } from "./database.ts"
import { ledgerFaults, readLines, sentTwice, unknownExchanges, unlikeTheFold } from "./oracle.ts"
import { connect, freePort, type Service, sleep, startProcess, startService, until } from "./Service.ts"

export type KillPoint = "committed" | "before"

export interface Tally {
  kills: number
  events: number
  lost: number
  duplicated: number
  unlikeTheFold: number
  /** How often each decision was applied, and which were ever offered. */
  readonly applied: Map<string, number>
  readonly offered: Set<string>
  /** One line for each kill. */
  readonly table: Array<string>
}

const faultPoint = new URL("./faultPoint.mjs", import.meta.url).href
const terminal = ["completed", "cancelled", "failed"]

async function startPartner() {
  const proxy = await startCountingProxy(await freePort())
  const port = await freePort()
  proxy.target = `http://127.0.0.1:${port}`
  const options = { port, "public-url": proxy.url, seed: 3, speed: 3600, "ocpi-version": "2.2.1" }
  const sandbox = await startProcess(
    ["sandbox", ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])],
    { EGRESS_ALLOW_CIDRS: "127.0.0.0/8" },
    /tokenA/
  )
  const printed = sandbox
    .output()
    .split("\n")
    .find((line) => line.startsWith("{"))
  const { tokenA, versionsUrl } = JSON.parse(printed ?? "{}")
  const close = async () => {
    sandbox.child.kill("SIGTERM")
    await proxy.close()
  }
  return { proxy, invitation: { partnerBaseUrl: versionsUrl, tokenA }, close }
}

/** Kills at every `every`-th append from `first` to `last`, or until a run gets through. */
export async function killShard(
  cluster: string,
  point: KillPoint,
  { every, first, last }: { readonly every: number; readonly first: number; readonly last: number },
  tally: Tally
): Promise<void> {
  const database = await freshDatabase(cluster)
  const partner = await startPartner()
  const env = {
    DATABASE_URL: database,
    PORT: String(await freePort()),
    EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
    LEASE_SECONDS: "1",
    RATE_LIMITS: "requests=100000,commands=100000,connectionCommands=100000,runs=1000,streams=1000",
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
    KILL_POINT: point
  }
  const boot = (at: number) => startService({ ...env, KILL_AT: String(at) }, ["--import", faultPoint])
  const newestRun = async (): Promise<string> =>
    (await rows(database, "select run_id from run order by run_id desc limit 1"))[0]?.run_id ?? ""
  const { proxy } = partner
  let service = await boot(first)
  try {
    const connectionId = await connect(service, partner.invitation)
    for (let at = first; at <= last; at += every) {
      const old = await newestRun()
      await arm(service)
      // Long enough for a partner on a busy machine, short enough for what will never come.
      const order = { connectionId, templateId: "remote-start", inputs: { waitSeconds: 15 } }
      // The answer is not needed: early appends die before it.
      const started = service.call("POST", "/api/v1/testing/journey-runs", order).catch(() => undefined)
      const ended = await Promise.race([service.gone.then(() => "gone"), finished(service, old)])
      await started
      const runId = await newestRun()
      if (ended === "finished") {
        const undisturbed = await inspect(service, runId, [])
        assert.strictEqual(
          undisturbed.verdict,
          "pass",
          `${point}: not killed, append ${at} was never reached`
        )
        return
      }
      tally.kills += 1
      const where = `${point} ${at}`
      const seen = await readLines(database, runId === old ? "" : runId)
      service = await boot(at + every)
      if (runId === old) {
        // Killed before the very first line: there is no run, and nobody was told of one.
        tally.table.push(`${where} | - | no run | - | - | -`)
        continue
      }
      await recover(runId, where, seen)
    }
  } finally {
    await service.kill()
    await partner.close()
  }

  async function recover(runId: string, where: string, seen: Awaited<ReturnType<typeof readLines>>) {
    const last = seen.at(-1)?.event
    const lost = `${where} | ${last?.type} ${last?.stageId ?? ""}`
    const found = await settled(service, runId, ["interrupted", ...terminal])
    const options: ReadonlyArray<any> = found.recoveryOptions
    let decision = "-"
    let repeats: ReadonlyArray<string> = []
    if (found.status === "interrupted") {
      for (const one of options) tally.offered.add(one.decision)
      checkOffer(seen, options, lost)
      // The one that had the fewest turns so far.
      const turns = (one: any) => tally.applied.get(one.decision) ?? 0
      const option = [...options].sort((a, b) => turns(a) - turns(b))[0]
      decision = option.decision
      repeats = option.repeats
      tally.applied.set(decision, turns(option) + 1)
      const applied = await service.call("POST", `/api/v1/testing/journey-runs/${runId}/recovery`, {
        decision,
        recoveryVersion: found.recoveryVersion
      })
      assert.strictEqual(applied.status, 200, `${lost}: ${applied.text}`)
    }
    const over = await inspect(service, runId, seen)
    const unasked = sentTwice(proxy.passed, runId).filter((write) => !repeats.includes(write))
    assert.isEmpty(unasked, `${lost}: sent twice after ${decision}`)
    let end = `${over.status} ${over.verdict}`
    if (decision === "restart_as_new") {
      const successor = await inspect(service, over.successorRunId, [])
      assert.strictEqual(successor.status, "completed", `${lost}: the successor`)
      end += `, successor ${successor.status} ${successor.verdict}`
    }
    const offered = options.map((one) => one.decision).join(" ")
    tally.table.push(`${lost} | ${found.status} | ${offered} | ${decision} | ${end}`)
    assert.include(["completed", "cancelled"], over.status, `${lost}: after ${decision}`)
  }

  /** Waits for the run's end and holds it against the oracle. The partner is honest: nothing may be held against it. */
  async function inspect(from: Service, runId: string, seen: Awaited<ReturnType<typeof readLines>>) {
    const over = await settled(from, runId, terminal)
    const lines = await readLines(database, runId)
    const faults = ledgerFaults(runId, lines, seen)
    const report = await from.call("GET", `/api/v1/testing/runs/${over.reportId}`)
    const unlike = await unlikeTheFold(database, runId, lines, report.body.data)
    tally.events += lines.length
    tally.lost += faults.lost
    tally.duplicated += faults.duplicated
    tally.unlikeTheFold += unlike.length
    assert.deepStrictEqual(faults, { lost: 0, duplicated: 0, gaps: 0, brokenChain: 0 }, runId)
    assert.isEmpty(unlike, `${runId}: unlike the fold`)
    const blamed = lines.flatMap(({ event }) =>
      event.assertions.filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome))
    )
    assert.deepStrictEqual(blamed, [], `${runId}: held against an honest partner`)
    return over
  }
}

function checkOffer(
  seen: Awaited<ReturnType<typeof readLines>>,
  options: ReadonlyArray<any>,
  lost: string
): void {
  const decisions = options.map((one) => one.decision)
  assert.include(decisions, "abandon", lost)
  assert.strictEqual(options.filter((one) => one.recommended).length, 1, lost)
  const unknown = unknownExchanges(seen)
  if (unknown.some((one) => one.endsWith("_SESSION"))) {
    assert.notInclude(decisions, "retry_stage", lost)
    assert.notInclude(decisions, "resume", lost)
  }
}

/** From now on the next run that it creates is the doomed one. */
async function arm(service: Service): Promise<void> {
  service.process.kill("SIGUSR2")
  await until("the fault point to be armed", async () => service.output().includes("armed") || undefined)
}

const settled = (service: Service, runId: string, wanted: ReadonlyArray<string>): Promise<any> =>
  until(
    `run ${runId} to be ${wanted.join(" or ")}`,
    async () => {
      const { body } = await service.call("GET", `/api/v1/testing/journey-runs/${runId}`)
      return wanted.includes(body?.data?.status) ? body.data : undefined
    },
    60_000
  )

/** When a run newer than `old` is over; never, when the process is gone first. */
async function finished(service: Service, old: string): Promise<"finished"> {
  for (;;) {
    const list = await service.call("GET", "/api/v1/testing/journey-runs?limit=1").catch(() => undefined)
    const newest: any = list?.body?.data?.[0]
    if (terminal.includes(newest?.status) && newest.runId !== old) return "finished"
    if (service.process.exitCode !== null || service.process.signalCode !== null) return new Promise(() => {})
    await sleep(50)
  }
}
