/** What an operator sees of the built service: metrics, logs, traces; and what is left when runs are purged. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plugfest } from "../../support/service/command.ts"
import { ended } from "../../support/service/crowd.ts"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import { connectSandbox, key, type Service, startService, until } from "../../support/service/Service.ts"
import { collector } from "../../support/telemetry/Collector.ts"
import { readMetrics } from "../../support/telemetry/readMetrics.ts"

const token = "scrape-token-0001"
const correlationId = "correlation-of-the-caller"

describe("the service in operation", () => {
  const scope = Effect.runSync(Scope.make())
  let service: Service
  let database: string
  let folder: string
  let partner: any
  let journey: any
  let suite: any
  let traces: Effect.Effect.Success<ReturnType<typeof collector>>
  const scrape = async () => {
    const response = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    return readMetrics(await response.text())
  }
  const sum = (
    families: Awaited<ReturnType<typeof scrape>>,
    name: string,
    labels: Record<string, string> = {}
  ) =>
    (families.get(name)?.samples ?? [])
      .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      .reduce((total, { value }) => total + value, 0)
  const cli = (...args: ReadonlyArray<string>) =>
    plugfest(args, {
      DATABASE_URL: database,
      DATA_DIR: folder,
      PLUGFEST_URL: service.url,
      PLUGFEST_API_KEY: key
    })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "plugfest-operations-"))
    database = await migratedDatabase(inject("pgUrl"))
    traces = await Effect.runPromise(Scope.extend(collector(), scope))
    service = await startService({
      DATABASE_URL: database,
      DATA_DIR: folder,
      METRICS_TOKEN: token,
      OTLP_URL: traces.url,
      LOG_LEVEL: "debug"
    })
    const sandbox = await connectSandbox(service)
    partner = sandbox.partner
    const told = await service.call(
      "POST",
      "/api/v1/testing/journey-runs",
      { connectionId: sandbox.connectionId, templateId: "remote-start" },
      { "x-correlation-id": correlationId }
    )
    journey = await ended(service, told.body.data.reportId)
    const checked = await service.call("POST", "/api/v1/testing/runs", {
      connectionId: sandbox.connectionId,
      suiteId: "ocpi-2.2.1-cpo-smoke"
    })
    suite = await ended(service, checked.body.data._id)
  }, 180_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  })

  it("counts what it did, for those who have the token", async () => {
    assert.strictEqual((await fetch(`${service.url}/metrics`)).status, 401)
    const families = await scrape()
    assert.strictEqual(sum(families, "plugfest_database_up"), 1)
    assert.isAtLeast(sum(families, "plugfest_exchanges_total", { outcome: "completed", status: "2xx" }), 5)
    const [{ lines }] = await rows(database, "select count(*)::int as lines from ledger_event")
    assert.strictEqual(sum(families, "plugfest_ledger_lines_total"), lines)
    assert.strictEqual(sum(families, "plugfest_runs_ended_total", { kind: "journey", verdict: "pass" }), 1)
    assert.strictEqual(sum(families, "plugfest_runs_ended_total", { kind: "conformance" }), 1)
    assert.isAtLeast(sum(families, "plugfest_http_requests_total", { route: "/sandbox/{id}/ocpi" }), 5)
    assert.isAbove(sum(families, "plugfest_database_connections"), 0)
  })

  it("logs JSON, one object a line, that names the request and the run", async () => {
    const lines = service
      .output()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const answered = lines.filter(({ message }) => message === "answered")
    assert.isAbove(answered.length, 10)
    assert.isTrue(answered.every(({ requestId, route, status }) => requestId && route && status))
    const started = answered.find(({ method, route }) => method === "POST" && /journey-runs$/.test(route))
    assert.strictEqual(started.status, 202)
  })

  it("traces a request into the run that it starts, with its correlation id, and no secret", async () => {
    const requestIn = (spans: ReturnType<typeof traces.spans>) =>
      spans.find(({ name }) => name === "POST /api/v1/testing/journey-runs")
    const spans = await until("spans of the run", async () => {
      const found = traces.spans()
      const traceId = requestIn(found)?.traceId
      const isThere = found.some((one) => one.name === "OcpiClient.exchange" && one.traceId === traceId)
      return isThere ? found : undefined
    })
    const request = requestIn(spans)
    assert.deepInclude(request?.attributes, {
      "http.response.status_code": "202",
      "ocpi.correlation_id": correlationId
    })
    const within = spans.filter(({ traceId }) => traceId === request?.traceId)
    const exchanges = within.filter(({ name }) => name === "OcpiClient.exchange")
    assert.isNotEmpty(exchanges)
    for (const { attributes, kind } of exchanges) {
      assert.strictEqual(kind, 3)
      assert.strictEqual(attributes["plugfest.run_id"], journey.runId)
      assert.isNotEmpty(attributes["ocpi.correlation_id"])
    }
    const sent = traces.requests.map(({ body }) => body).join("\n")
    for (const secret of [partner.tokenA, Buffer.from(partner.tokenA).toString("base64"), key, token]) {
      assert.notInclude(sent, secret)
      assert.notInclude(service.output(), secret)
    }
  })

  it("purges what it is told to, leaves a tombstone that a kept export fits, and nothing that is unknown", async () => {
    const file = join(folder, "kept.json")
    assert.strictEqual((await cli("report", journey.runId, "--format", "signed", "--out", file)).code, 0)
    const purged = await cli("purge", journey.runId, "run_nosuch")
    assert.strictEqual(purged.code, 2, purged.stderr)
    assert.strictEqual(purged.stdout.trim(), journey.runId)
    assert.include(purged.stderr, "run_nosuch")
    const gone = await service.call("GET", `/api/v1/testing/runs/${journey._id}`)
    assert.strictEqual(gone.status, 404)
    const kept = await cli("verify", "--file", file, "--json")
    assert.include(gone.body.message, JSON.parse(kept.stdout).headHash)
    assert.include(gone.body.message, `${journey.revision} lines`)
    const lines = await rows(database, "select 1 from ledger_event where run_id = $1", [journey.runId])
    assert.isEmpty(lines)
    assert.strictEqual((await service.call("GET", `/api/v1/testing/runs/${suite._id}`)).status, 200)
  }, 60_000)

  it("purges by age, and can say first which", async () => {
    const young = await cli("purge", "--older-than", "1d")
    assert.strictEqual(young.stdout, "")
    assert.match(young.stderr, /^0 exchanges outside of runs purged$/m)
    await rows(database, "update run set lease_until = now() - interval '3 days'")
    assert.strictEqual((await cli("purge", "--older-than", "1d", "--dry-run")).stdout.trim(), suite.runId)
    const listed = await cli("purge", "--older-than", "1d", "--dry-run", "--json")
    assert.deepStrictEqual(JSON.parse(listed.stdout), {
      dryRun: true,
      runs: [suite.runId],
      exchanges: 0,
      notPurged: []
    })
    assert.strictEqual((await cli("purge", "--older-than", "1d")).stdout.trim(), suite.runId)
    assert.strictEqual((await service.call("GET", `/api/v1/testing/runs/${suite._id}`)).status, 404)
    assert.strictEqual((await cli("purge")).code, 2)
    await rows(database, "update party_exchange set kept_at = now() - interval '3 days'")
    const [{ n }] = (await rows(database, "select count(*)::int n from party_exchange")) as [{ n: number }]
    assert.isAbove(n, 5)
    const told = await cli("purge", "--older-than", "1d", "--dry-run")
    assert.include(told.stderr, `${n} exchanges outside of runs would be purged`)
    const done = await cli("purge", "--older-than", "1d")
    assert.include(done.stderr, `${n} exchanges outside of runs purged`)
    assert.isEmpty(await rows(database, "select 1 from party_exchange"))
  }, 120_000)
})
