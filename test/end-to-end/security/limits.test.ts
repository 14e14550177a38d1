/** What the built server refuses because of a plan, a rate, a quota, or a database that is away. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey } from "../../support/service/command.ts"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import { type PrivatePostgres, privatePostgres } from "../../support/service/PrivatePostgres.ts"
import {
  connect,
  connectSandbox,
  key,
  type Service,
  startProcess,
  startService,
  until
} from "../../support/service/Service.ts"
import { refused, retryAfter, succeeded } from "../../support/service/shapes.ts"

const api = "/api/v1"
const cpo = { ourRole: "EMSP", theirRole: "CPO", ocpiVersion: "2.2.1" }

describe("a plan", () => {
  let directory: string
  let service: Service
  let middle: Record<string, string>
  let rich: Record<string, string>
  let sandbox: Awaited<ReturnType<typeof startProcess>>
  let partner: any

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "plugfest-plans-"))
    const plans = join(directory, "plans.json")
    await writeFile(plans, JSON.stringify({ accounts: { default: "sandbox", middle: "integrate" } }))
    const database = await migratedDatabase(inject("pgUrl"))
    service = await startService({
      DATABASE_URL: database,
      PLANS_FILE: plans,
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8"
    })
    middle = { authorization: `Bearer ${await makeKey({ DATABASE_URL: database }, "middle")}` }
    rich = { authorization: `Bearer ${await makeKey({ DATABASE_URL: database }, "rich")}` }
    sandbox = await startProcess(["sandbox", "--ocpi-version", "2.2.1"], { LOG_FORMAT: "json" }, /tokenA/)
    const { tokenA, versionsUrl } = JSON.parse(/^\{.*tokenA.*\}$/m.exec(sandbox.output())![0])
    partner = { partnerBaseUrl: versionsUrl, tokenA }
  }, 60_000)
  afterAll(async () => {
    sandbox?.child.kill("SIGTERM")
    await service?.kill("SIGTERM")
    await rm(directory, { recursive: true, force: true })
  })

  it("402 names the capability and the lowest plan that has it; another account of the file is not held", async () => {
    const connectionId = await connect(service, partner)
    const post = (path: string, body: object, headers = {}) =>
      service.call("POST", `${api}${path}`, body, headers)
    const another = { ...cpo, ...partner }
    refused(await post("/connections", another), 402, /"sandbox".*1 connection .*"integrate"/)
    refused(await post("/testing/command", { connectionId, command: "UNLOCK_CONNECTOR" }), 402, /commands/)
    refused(
      await post("/testing/runs", { connectionId, suiteId: "ocpi-2.2.1-cpo-core" }),
      402,
      /conformance.*"integrate"/
    )
    refused(
      await post("/testing/journey-runs", { connectionId, templateId: "first-reads" }),
      402,
      /journeys.*"integrate"/
    )
    succeeded(await post("/connections", another, rich), 201)
    succeeded(await post("/connections", another, rich), 201)
  }, 30_000)

  it("402 for modules of their own on a plan that tests the others", async () => {
    const connection = await service.call("POST", `${api}/connections`, { ...cpo, ...partner }, middle)
    const connectionId = succeeded(connection, 201)._id
    const run = (order: object) =>
      service.call("POST", `${api}/testing/runs`, { connectionId, ...order }, middle)
    const suiteId = "ocpi-2.2.1-cpo-core"
    refused(await run({ suiteId: "ocpi-2.2.1-cpo-chargingprofiles" }), 402, /charging_profiles.*"automate"/)
    refused(await run({ suiteId, modules: ["chargingprofiles"] }), 402, /charging_profiles.*"automate"/)
    refused(await run({ suiteId, modules: ["versions"] }), 422, /not registered/)
    const journey = { connectionId, templateId: "charging-profile" }
    refused(
      await service.call("POST", `${api}/testing/journey-runs`, journey, middle),
      402,
      /charging_profiles.*"automate"/
    )
    const { templates } = succeeded(
      await service.call("GET", `${api}/testing/journeys?connectionId=${connectionId}`, undefined, middle)
    )
    const plans = new Map(templates.map((one: any) => [one.id, one.requiredPlan]))
    assert.strictEqual(plans.get("charging-profile"), "automate")
    assert.strictEqual(plans.get("first-reads"), "integrate")
  }, 30_000)

  it("sandbox lets everything be done with a sandbox partner", async () => {
    const { connectionId } = await connectSandbox(service)
    const command = { connectionId, command: "UNLOCK_CONNECTOR" }
    succeeded(await service.call("POST", `${api}/testing/command`, command))
    const journey = { connectionId, templateId: "first-reads" }
    succeeded(await service.call("POST", `${api}/testing/journey-runs`, journey), 202)
  }, 30_000)
})

describe("a rate or a quota", () => {
  let service: Service
  let database: string

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    service = await startService({
      DATABASE_URL: database,
      RATE_LIMITS: "requests=60,commands=3,connectionCommands=2,runs=1,streams=1,connections=2"
    })
  }, 60_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  it("429 for sign-ins with a key beyond the requests of the key, and no session for them", async () => {
    const apiKey = await makeKey({ DATABASE_URL: database }, "who-signs-in")
    const signIn = () => service.call("POST", `${api}/session`, { apiKey }, { authorization: "" })
    const answers = []
    // More at once would be too many for the address.
    for (let round = 0; round < 10; round++)
      answers.push(...(await Promise.all(Array.from({ length: 8 }, signIn))))
    const refusals = answers.filter(({ status }) => status === 429)
    // A request comes back in each second.
    assert.isAtLeast(refusals.length, 5)
    for (const one of refusals) {
      refused(one, 429, /60 requests a minute/)
      assert.isAtMost(retryAfter(one), 2)
      assert.isNull(one.headers.get("set-cookie"))
    }
    const [{ sessions } = { sessions: -1 }] = await rows(
      database,
      "select count(*)::int sessions from session"
    )
    assert.strictEqual(sessions, answers.length - refusals.length)
    // Of the right key none has failed: the address may still sign in, by another one.
    const another = await makeKey({ DATABASE_URL: database }, "who-signs-in-too")
    succeeded(await service.call("POST", `${api}/session`, { apiKey: another }, { authorization: "" }), 201)
  }, 60_000)

  it("429 with Retry-After for commands, runs, streams, connections, and at last for requests", async () => {
    const { connectionId, partner } = await connectSandbox(service, { speed: 1 })
    const post = (path: string, body: object) => service.call("POST", `${api}${path}`, body)
    const command = () => post("/testing/command", { connectionId, command: "UNLOCK_CONNECTOR" })
    succeeded(await command())
    succeeded(await command())
    const third = await command()
    refused(third, 429, /2 commands a minute a connection/)
    assert.isAtMost(retryAfter(third), 30)

    const start = () => post("/testing/journey-runs", { connectionId, templateId: "remote-start" })
    const { runId } = succeeded(await start(), 202)
    const second = await start()
    refused(second, 429, /1 runs/)
    retryAfter(second)

    const path = `${api}/testing/journey-runs/${runId}/stream`
    const headers = { authorization: `Bearer ${key}` }
    const controller = new AbortController()
    const open = await fetch(service.url + path, { headers, signal: controller.signal })
    assert.strictEqual(open.status, 200)
    const more = await service.call("GET", path)
    refused(more, 429, /1 event streams/)
    retryAfter(more)
    controller.abort()
    await until("the closed stream to be counted off", async () => {
      const again = new AbortController()
      const answer = await fetch(service.url + path, { headers, signal: again.signal })
      again.abort()
      return answer.status === 200 ? true : undefined
    })
    succeeded(await post(`/testing/journey-runs/${runId}/cancel`, {}))

    const body = { ...cpo, partnerBaseUrl: partner.partnerBaseUrl, tokenA: "token-of-a-quota-test" }
    succeeded(await post("/connections", body), 201)
    const full = await post("/connections", body)
    refused(full, 429, /2 connections/)
    retryAfter(full)

    const last = await until("the requests to be used up", async () => {
      const answer = await service.call("GET", `${api}/testing/suites`)
      return answer.status === 200 ? undefined : answer
    })
    refused(last, 429, /60 requests a minute/)
    assert.strictEqual(retryAfter(last), 1)
    assert.match(String(last.headers.get("ratelimit")), /r=0/)
    assert.strictEqual(last.headers.get("ratelimit-policy"), '"default";q=60;w=60')
    const other = { authorization: `Bearer ${await makeKey({ DATABASE_URL: database }, "other")}` }
    succeeded(await service.call("GET", `${api}/testing/suites`, undefined, other))
    assert.strictEqual((await service.call("GET", "/health/ready")).status, 200, "health is not limited")
  }, 60_000)
})

describe("a database that goes away", () => {
  let postgres: PrivatePostgres
  let service: Service

  beforeAll(async () => {
    postgres = await privatePostgres()
    await postgres.start()
    service = await startService({ DATABASE_URL: postgres.url() })
  }, 60_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
    await postgres?.dispose()
  })

  it("503 with Retry-After within seconds, alive but not ready, and back by itself", async () => {
    const { connectionId } = await connectSandbox(service)
    await postgres.stop()
    for (const [method, path, body] of [
      ["GET", "/connections", undefined],
      ["GET", `/connections/${connectionId}`, undefined],
      ["GET", "/testing/runs", undefined],
      ["GET", "/testing/journey-runs/run_unknown", undefined],
      ["POST", "/connections", { ...cpo, partnerBaseUrl: service.url, tokenA: "token-while-away" }],
      ["POST", "/testing/journey-runs", { connectionId, templateId: "first-reads" }]
    ] as const) {
      const started = performance.now()
      const answer = await service.call(method, api + path, body, { "idempotency-key": `away-${path}` })
      refused(answer, 503, /database/)
      retryAfter(answer)
      assert.isBelow(performance.now() - started, 8000, path)
    }
    const ready = await service.call("GET", "/health/ready")
    refused(ready, 503, /database/)
    retryAfter(ready)
    assert.strictEqual((await service.call("GET", "/health/live")).status, 200)

    await postgres.start()
    await until("the service to be ready again", async () => {
      const { status } = await service.call("GET", "/health/ready")
      return status === 200 ? true : undefined
    })
    const journey = { connectionId, templateId: "first-reads" }
    const header = { "idempotency-key": "away-/testing/journey-runs" }
    const run = succeeded(await service.call("POST", `${api}/testing/journey-runs`, journey, header), 202)
    const report = await until("a run to pass", async () => {
      const { data } = (await service.call("GET", `${api}/testing/runs/${run.reportId}?wait=5`)).body as any
      return data.verdict ?? undefined
    })
    assert.include(["pass", "warn"], report)
    assert.notMatch(service.output(), /A request failed by a fault of ours/)
  }, 60_000)
})
