/** A journey that is followed from the command line, while the service is killed and started again. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plugfest } from "../support/service/command.ts"
import { migratedDatabase } from "../support/service/database.ts"
import {
  connect,
  freePort,
  key,
  type Service,
  startProcess,
  startService,
  until
} from "../support/service/Service.ts"

const faultPoint = new URL("../support/service/faultPoint.mjs", import.meta.url).href

describe("a journey followed from the command line", () => {
  let sandbox: Awaited<ReturnType<typeof startProcess>>
  let service: Service
  let settings: Record<string, string>
  let connectionId: string
  let client: Record<string, string>

  /** Whoever waits for news of the session is killed: what is missed then is followed by more of it. */
  const startDoomed = () =>
    startService({ ...settings, KILL_WORDS: "wait.started session-updates" }, ["--import", faultPoint])

  beforeAll(async () => {
    // Slow enough for a charge to retryUntilBack several starts of a process.
    const args = ["sandbox", "--ocpi-version", "2.2.1", "--speed", "30"]
    sandbox = await startProcess(args, { LOG_FORMAT: "json" }, /tokenA/)
    const { tokenA, versionsUrl } = JSON.parse(/^\{.*tokenA.*\}$/m.exec(sandbox.output())![0])
    settings = {
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      PORT: String(await freePort()),
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
      LEASE_SECONDS: "4"
    }
    service = await startDoomed()
    connectionId = await connect(service, { partnerBaseUrl: versionsUrl, tokenA })
    client = { PLUGFEST_URL: service.url, PLUGFEST_API_KEY: key }
  }, 90_000)
  afterAll(async () => {
    sandbox?.child.kill("SIGTERM")
    await service?.kill("SIGTERM")
  })

  /** Starts a journey with these flags, and the service again once it was killed. */
  const killedMeanwhile = async (...flags: ReadonlyArray<string>) => {
    const order = ["journey", connectionId, "--template", "remote-start", "--input", "waitSeconds=40"]
    const followed = plugfest([...order, ...flags], client)
    assert.strictEqual(await service.gone, "SIGKILL")
    service = await startService(settings)
    return followed
  }

  it("waits for the service, shows what can be decided, takes the decision of the flag and passes", async () => {
    const { code, stderr, stdout } = await killedMeanwhile("--recover", "resume")
    assert.strictEqual(code, 0, stderr + stdout)
    assert.match(stderr, /the service is away: waiting for it\n {2}the service is back\n/)
    assert.match(stderr, /run\.interrupted/)
    assert.match(stderr, /resume \(recommended\): .*Nothing is sent a second time/)
    assert.match(stderr, / abandon: /)
    assert.match(stdout, /pass/i)
  }, 120_000)

  it("ends with 3 where nobody decides, and says how; watch goes on with it", async () => {
    await service.kill("SIGTERM")
    service = await startDoomed()
    const left = await killedMeanwhile()
    assert.strictEqual(left.code, 3, left.stderr)
    const [, runId = ""] = /plugfest watch (run_\w+) --recover <resume\|/.exec(left.stderr) ?? []
    assert.notStrictEqual(runId, "", left.stderr)

    const unfit = await plugfest(["watch", runId, "--recover", "verify_and_resume"], client)
    assert.strictEqual(unfit.code, 3, unfit.stderr)
    assert.match(unfit.stderr, /verify_and_resume is not offered; offered are: resume, /)

    const unattended = await plugfest(["watch", runId, "--recover", "prompt"], client)
    assert.strictEqual(unattended.code, 3, unattended.stderr)

    const watched = await plugfest(["watch", runId, "--recover", "resume"], client)
    assert.strictEqual(watched.code, 0, watched.stderr)
    const late = await plugfest(["watch", runId, "--recover", "abandon"], client)
    assert.strictEqual(late.code, 0, "what is over takes no decision any more")
  }, 180_000)

  it("leads to the run that goes on in its stead, and takes that one's verdict", async () => {
    await service.kill("SIGTERM")
    service = await startDoomed()
    const { code, stderr } = await killedMeanwhile("--recover", "restart_as_new")
    assert.match(stderr, /goes on as run_/)
    assert.strictEqual(code, 0, stderr)
    const runs = await until("both runs to be over", async () => {
      const { data } = (await service.call("GET", "/api/v1/testing/journey-runs?limit=2")).body
      return data.every(({ status }: any) => /completed|cancelled/.test(status)) ? data : undefined
    })
    assert.sameMembers(
      runs.map(({ status }: any) => status),
      ["completed", "cancelled"]
    )
  }, 120_000)

  it("ends with 3 when the run is abandoned: nothing was judged to its end", async () => {
    await service.kill("SIGTERM")
    service = await startDoomed()
    const { code, stderr } = await killedMeanwhile("--recover", "abandon")
    assert.strictEqual(code, 3, stderr)
  }, 120_000)
})
