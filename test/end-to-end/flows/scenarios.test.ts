/** Journeys, packs and scenarios on the built service, from the command line and over HTTP. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plugfest } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import { connectSandbox, key, type Service, startService, until } from "../../support/service/Service.ts"

let service: Service
let folder = ""
const cli = (...args: ReadonlyArray<string>) =>
  plugfest(args, { PLUGFEST_URL: service.url, PLUGFEST_API_KEY: key })
const file = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "plugfest-scenarios-"))
  service = await startService({
    DATABASE_URL: await migratedDatabase(inject("pgUrl")),
    SIMULATION_SPEED: "3600"
  })
}, 60_000)
afterAll(async () => {
  await service?.kill("SIGTERM")
  rmSync(folder, { recursive: true, force: true })
})

const twiceAndBroken = `# The partner must stand a duplicate token and an error of ours.
name: Duplicate token, error to the start's result
templateId: remote-start
inputs: {waitSeconds: 20}
assertions:
  push-token.accepted: should
faults:
  - fault: duplicate-push
    stageId: push-token
  - fault: server-error
    module: commands
`

describe("plugfest journey", () => {
  it("plays a pack with a sandbox partner and ends with 0", async () => {
    const { code, stderr, stdout } = await cli("journey", "--pack", "money-emsp", "sandbox")
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /PASS/)
    assert.match(stderr, /play-session\.begin-session/)
  }, 90_000)

  it("plays a pack while we misbehave, and a partner that bears it passes", async () => {
    const { code, stderr, stdout } = await cli("journey", "--pack", "resilience-emsp", "sandbox")
    assert.strictEqual(code, 0, stderr + stdout)
  }, 90_000)

  it("lists what can be played with a target, and why not", async () => {
    const { connectionId } = await connectSandbox(service)
    const listed = await cli("journeys", connectionId)
    assert.strictEqual(listed.code, 0, listed.stderr)
    const [playable, ...others] = listed.stdout.split(/^Not played: /m)
    assert.match(playable!, /^ {2}remote-start +11 stages {2}/m)
    assert.notMatch(listed.stdout, /smoke-2\.1\.1|push-tariff/)
    assert.match(listed.stdout, /^\d+ more are for partners of another role or version: plugfest journeys$/m)
    const registrations = others.find((text) => text.startsWith("The connection is already registered"))
    assert.match(registrations ?? "", /register-with-cpo/)
  }, 30_000)

  it("ends with 2 for a journey that there is none, 4 with a wrong key and 5 without a service", async () => {
    assert.strictEqual((await cli("journey", "--template", "nothing", "sandbox")).code, 2)
    const stranger = { PLUGFEST_URL: service.url, PLUGFEST_API_KEY: "pf_nobody" }
    assert.strictEqual((await plugfest(["journeys"], stranger)).code, 4)
    const nowhere = { PLUGFEST_URL: "http://127.0.0.1:9", PLUGFEST_API_KEY: key }
    assert.strictEqual((await plugfest(["journeys"], nowhere)).code, 5)
  }, 30_000)

  it("ends with 1 when the partner is wrong, and watch shows the same again", async () => {
    const { connectionId } = await connectSandbox(service, { faults: ["commands.start-rejected"] })
    const played = await cli(
      "journey",
      "--template",
      "remote-start",
      "--input",
      "waitSeconds=5",
      connectionId
    )
    assert.strictEqual(played.code, 1, played.stderr)
    const runId = /run_[0-9a-f]+/.exec(played.stderr)?.[0] ?? ""
    const watched = await cli("watch", runId)
    assert.strictEqual(watched.code, 1, watched.stderr)
    assert.strictEqual(watched.stdout, played.stdout)
  }, 90_000)
})

describe("plugfest scenario", () => {
  it("validates a file with line and column, without a server", async () => {
    const path = file("bad.yaml", "name: A\ntemplateId: remote-start\nlimits:\n  nowhere: 3\n")
    const { code, stdout } = await plugfest(["scenario", "validate", path])
    assert.strictEqual(code, 2)
    assert.include(stdout, `${path}:4:12: limits.nowhere: remote-start has no stage "nowhere"`)
    const good = await plugfest(["scenario", "validate", file("good.yaml", twiceAndBroken)])
    assert.strictEqual(good.code, 0)
  })

  it("imports and exports the same", async () => {
    const made = await cli("scenario", "import", file("in.yaml", twiceAndBroken))
    assert.strictEqual(made.code, 0, made.stderr)
    const out = join(folder, "out.yaml")
    assert.strictEqual((await cli("scenario", "export", made.stdout.trim(), "--out", out)).code, 0)
    const again = await cli("scenario", "import", out)
    const [one, two] = await Promise.all(
      [made, again].map(async ({ stdout }) => {
        const { data } = (await service.call("GET", `/api/v1/testing/scenarios/${stdout.trim()}`)).body as any
        const { createdAt: _, id: __, updatedAt: ___, ...rest } = data
        return rest
      })
    )
    assert.deepStrictEqual(one, two)
  }, 30_000)

  it("tells what would be sent, and sends nothing", async () => {
    const { connectionId } = await connectSandbox(service)
    const sentByUs = async () =>
      (await service.call("GET", `/api/v1/connections/${connectionId}/exchanges?limit=500`)).body.data
        .filter(({ direction }: { direction: string }) => direction === "outbound")
        .map(({ operation }: { operation: string }) => operation)
    const before = await sentByUs()
    const path = file("dry.yaml", twiceAndBroken)
    const { code, stderr, stdout } = await cli("scenario", "run", "--dry-run", "--json", path, connectionId)
    assert.strictEqual(code, 0, stderr)
    const lines = (await cli("scenario", "run", "--dry-run", path, connectionId)).stdout
    assert.match(
      lines,
      /^remote-start: can be played; nothing was sent\n +1 {2}read-locations +plugfest +GET http/
    )
    assert.match(lines, /^ +2 {2}push-token +plugfest +PUT \S+; fault of ours: duplicate-push$/m)
    assert.match(lines, /^ +4 {2}start-result +partner +Waits for the partner; for at most 20 s$/m)
    const rehearsal = JSON.parse(stdout)
    assert.isTrue(rehearsal.runnable)
    const [read, push, start] = rehearsal.stages
    assert.match(read.request.url, /\/locations\?limit=20$/)
    assert.strictEqual(push.request.method, "PUT")
    assert.deepStrictEqual(push.faults, ["duplicate-push"])
    // The input `waitSeconds` takes precedence, as in the run.
    for (const { actor, id, timeoutSeconds } of rehearsal.stages)
      if (actor === "partner") assert.strictEqual(timeoutSeconds, 20, id)
    assert.strictEqual(start.request, null)
    assert.deepStrictEqual(await sentByUs(), before)
  }, 30_000)

  it("injects faults of ours at the partner, for which the partner is not blamed", async () => {
    const { connectionId } = await connectSandbox(service)
    const saved = await cli("scenario", "import", file("run.yaml", twiceAndBroken))
    const started = await service.call("POST", "/api/v1/testing/journey-runs", {
      connectionId,
      scenarioId: saved.stdout.trim()
    })
    assert.strictEqual(started.status, 202, started.text)
    const { runId } = started.body.data as any
    // Our answers are bent: nobody else may be graded on this connection meanwhile.
    const second = await service.call("POST", "/api/v1/testing/journey-runs", {
      connectionId,
      templateId: "first-reads"
    })
    assert.strictEqual(second.status, 409, second.text)
    const run = await until(
      "the run to end",
      async () => {
        const { data } = (await service.call("GET", `/api/v1/testing/journey-runs/${runId}`)).body as any
        return data.status === "completed" ? data : undefined
      },
      60_000
    )
    assert.strictEqual(run.verdict, "pass")
    const { data: events } = (
      await service.call("GET", `/api/v1/testing/journey-runs/${runId}/events?limit=1000`)
    ).body as any
    const pushes = events.filter(
      (event: any) => event.type === "exchange.completed" && event.exchange.operation === "PUT token"
    )
    assert.lengthOf(pushes, 2)
    const [bent, ...more] = events.filter((event: any) => event.exchange?.ourFault !== undefined)
    assert.lengthOf(more, 0)
    assert.strictEqual(bent.exchange.response.httpStatus, 500)
    assert.deepInclude(bent.exchange.ourFault, { fault: "server-error" })
    assert.strictEqual(bent.exchange.ourFault.instead.httpStatus, 200)
    // It is over: the connection is everybody's again.
    const third = await service.call("POST", "/api/v1/testing/journey-runs", {
      connectionId,
      templateId: "first-reads"
    })
    assert.strictEqual(third.status, 202, third.text)
  }, 120_000)
})
