/** Connections on the command line: tried again, found again, invited, of the wrong role, listed and removed. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plugfest } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import { key, type Service, startService } from "../../support/service/Service.ts"

describe("plugfest connect", () => {
  let service: Service
  let cpo: any // any: JSON of the service
  let emsp: any
  const run = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
    plugfest(args, { PLUGFEST_URL: service.url, PLUGFEST_API_KEY: key, PARTNER_TOKEN: "", ...env })
  const connect = (url: string, token: string, ...more: ReadonlyArray<string>) =>
    run(["connect", url, "--their-role", "CPO", "--ocpi-version", "2.2.1", ...more], { PARTNER_TOKEN: token })

  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    const make = async (theirRole: string) =>
      (await service.call("POST", "/api/v1/sandbox/partners", { theirRole, ocpiVersion: "2.2.1", seed: 1 }))
        .body.data
    cpo = await make("CPO")
    emsp = await make("EMSP")
  }, 60_000)
  afterAll(() => service?.kill("SIGTERM"))

  it("says both ways to register where there is no Token A", async () => {
    const { code, stderr, stdout } = await connect(cpo.partnerBaseUrl, "")
    assert.strictEqual(code, 2)
    assert.strictEqual(stdout, "")
    assert.include(stderr, "export PARTNER_TOKEN=")
    assert.include(stderr, "--invite")
  })

  it("tries a connection that failed again, with the token of now, and then knows it", async () => {
    const wrong = await connect(cpo.partnerBaseUrl, "not-this-one", "--label", "shop")
    assert.strictEqual(wrong.code, 3, wrong.stderr)
    const right = await connect(cpo.partnerBaseUrl, cpo.tokenA, "--label", "shop")
    assert.strictEqual(right.code, 0, right.stderr)
    assert.strictEqual(right.stdout, wrong.stdout)
    assert.include(right.stderr, "failed before, tried again")
    const again = await connect(cpo.partnerBaseUrl, "", "--label", "shop")
    assert.strictEqual(again.code, 0, again.stderr)
    assert.include(again.stderr, `already registered as ${right.stdout.trim()} (shop)`)
  }, 90_000)

  it("says what a partner of the other role looks like", async () => {
    const { code, stderr, stdout } = await connect(emsp.partnerBaseUrl, emsp.tokenA, "--label", "shop")
    assert.strictEqual(code, 2)
    assert.match(stderr, /looks like an EMSP: its credentials name EMSP DE-\w+; it is the sender of .*tokens/)
    assert.match(stderr, new RegExp(`plugfest disconnect ${stdout.trim()}\\n.*--their-role EMSP`))
    const two = await run(["test", "shop", "--suite", "smoke"])
    assert.match(two.stderr, /2 registered connections have the label shop; name one by its id: conn_/)
    assert.strictEqual((await run(["disconnect", stdout.trim()])).code, 0)
  }, 90_000)

  it("invites a partner that gave no Token A", async () => {
    const { code, stderr, stdout } = await connect("https://cpo.example/ocpi/versions", "", "--invite")
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /^conn_\w+\n$/)
    assert.include(stderr, `versions URL  ${service.url}/ocpi/versions`)
    assert.match(stderr, /Token A {7}plugfest-\w+/)
    // There is no token to call the partner with: nothing may be sent, and what to do is said.
    const connectionId = stdout.trim()
    for (const [path, body] of [
      [`connections/${connectionId}/handshake`, {}],
      ["testing/runs", { connectionId, suiteId: "ocpi-2.2.1-cpo-core" }],
      ["testing/command", { connectionId, command: "UNLOCK_CONNECTOR" }],
      ["testing/journey-runs", { connectionId, templateId: "remote-start" }]
    ] as const) {
      const { body: refusal, status } = await service.call("POST", `/api/v1/${path}`, body)
      assert.strictEqual(status, 422, path)
      assert.include(refusal.message, "wait until the partner has registered with the invitation", path)
    }
    const exchanges = await service.call("GET", `/api/v1/connections/${connectionId}/exchanges`)
    assert.deepStrictEqual(exchanges.body.data, [])
  })

  it("are listed with the state and the next step of each", async () => {
    const { code, stdout } = await run(["connections"])
    assert.strictEqual(code, 0)
    assert.match(stdout, /registered +shop {2}CPO 2\.2\.1 .*\n {2}next {2}plugfest test shop /)
    assert.match(stdout, /pending .*cpo\.example.*\n {2}next {2}the partner registers with the invitation/)
    assert.lengthOf(JSON.parse((await run(["connections", "--json"])).stdout), 2)
  })
})

describe("the same over HTTP", () => {
  let service: Service
  let partner: any // any: JSON of the service
  let connection: any
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    service.call("POST", `/api/v1${path}`, body, headers)

  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    partner = (await post("/sandbox/partners", { theirRole: "CPO", ocpiVersion: "2.2.1", seed: 1 })).body.data
    const order = {
      partnerBaseUrl: partner.partnerBaseUrl,
      ourRole: "EMSP",
      theirRole: "CPO",
      ocpiVersion: "2.2.1"
    }
    connection = (await post("/connections", { ...order, tokenA: "wrong" })).body.data
  }, 60_000)
  afterAll(() => service?.kill("SIGTERM"))

  it("a handshake that fails has a status of failure for who expects a registration", async () => {
    const path = `/connections/${connection._id}/handshake`
    const failed = await post(`${path}?expect=registered`, {})
    assert.strictEqual(failed.status, 422)
    assert.match(failed.body.message ?? "", /^auth: /)
    assert.strictEqual((await post(path, {})).status, 200)
    const done = await post(`${path}?expect=registered`, { tokenA: partner.tokenA })
    assert.strictEqual(done.status, 200)
    assert.strictEqual(done.body.data.status, "registered")
  })

  it("a run answers when it is over, to who starts it, repeats the start, or asks for it", async () => {
    const order = { connectionId: connection._id, suiteId: "ocpi-2.2.1-cpo-smoke" }
    const at = "/testing/runs?wait=30&until=end"
    const started = await post(at, order, { "idempotency-key": "until-end" })
    assert.strictEqual(started.status, 202)
    assert.strictEqual(started.body.data.verdict, "pass")
    const again = await post(at, order, { "idempotency-key": "until-end" })
    assert.strictEqual(again.body.data._id, started.body.data._id)
    assert.strictEqual(again.body.data.verdict, "pass")
    const next = await post("/testing/runs", order)
    assert.isNull(next.body.data.verdict)
    const read = await service.call("GET", `/api/v1/testing/runs/${next.body.data._id}?wait=30&until=end`)
    assert.strictEqual(read.body.data.verdict, "pass")
    const wrong = await service.call("GET", `/api/v1/testing/runs/${next.body.data._id}?wait=1&until=start`)
    assert.strictEqual(wrong.status, 400)
  }, 90_000)

  it("machines count open runs and say nothing of states in which runs have ended", async () => {
    const { body } = await service.call("GET", "/api/v1/machines")
    const { counts } = body.data.find(({ id }: any) => id === "suiteRun")
    assert.notProperty(counts, "completed")
    assert.strictEqual(counts.queued, 0)
  })
})
