/** What a person at a terminal is told: in commands and flags, at Ctrl-C, and about a partner that has lost the registration. */
import { rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plugfest } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import { type QuietPartner, quietPartner } from "../../support/service/QuietPartner.ts"
import { key, type Service, startProcess, startService, until } from "../../support/service/Service.ts"

const suite = "ocpi-2.2.1-cpo-smoke"
const tokenA = "quiet-partner-token_A.0123456789"

describe("a person at a terminal", () => {
  let service: Service
  let partner: QuietPartner
  const env = () => ({ PLUGFEST_URL: service.url, PLUGFEST_API_KEY: key, PARTNER_TOKEN: tokenA })
  const run = (args: ReadonlyArray<string>, more: Record<string, string> = {}) =>
    plugfest(args, { ...env(), ...more })
  const connectArgs = () =>
    `connect ${partner.versionsUrl} --their-role CPO --ocpi-version 2.2.1 --label quiet`.split(" ")
  /** Begins a command, interrupts it as Ctrl-C does once it has said that, and answers its code and all that it wrote. */
  const interrupted = async (
    args: ReadonlyArray<string>,
    said: RegExp,
    meanwhile?: (found: string) => Promise<void>
  ) => {
    const { child, gone, output } = await startProcess(args, { NO_COLOR: "1", ...env() }, said)
    await meanwhile?.(said.exec(output())?.[1] ?? "")
    child.kill("SIGINT")
    return { code: await gone, output: output() }
  }

  beforeAll(async () => {
    partner = await quietPartner()
    service = await startService({
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8"
    })
  }, 60_000)
  afterAll(async () => {
    partner?.close()
    await service?.kill("SIGTERM")
  })

  it("is told what is wrong with an order, and not that the service is away", async () => {
    const noTemplate = await run(["journey", "sandbox"])
    assert.strictEqual(noTemplate.code, 2)
    assert.match(noTemplate.stderr, /^Give either --template or --pack; plugfest journeys sandbox lists both/)
    const noUrl = await run(["connect", "cpo.example", "--their-role", "CPO", "--ocpi-version", "2.2.1"], {
      PARTNER_TOKEN: tokenA
    })
    assert.strictEqual(noUrl.code, 2)
    assert.match(noUrl.stderr, /^cpo\.example is no URL; give the partner's versions endpoint, like https/)
    const broken = join(tmpdir(), `plugfest-broken-${process.pid}.json`)
    await writeFile(broken, "{bad")
    const scenario = await run(["scenario", "run", broken, "sandbox", "--dry-run"])
    await rm(broken)
    assert.strictEqual(scenario.code, 2)
    assert.match(scenario.stderr, /plugfest-broken-\d+\.json:\d+:\d+: /)
    const noFile = await run(["scenario", "import", "/nowhere.yaml"])
    assert.strictEqual(noFile.stderr.trim(), "/nowhere.yaml cannot be read: there is no such file")
    const away = await run(["connections"], { PLUGFEST_URL: "http://127.0.0.1:1" })
    assert.strictEqual(away.code, 5)
    assert.match(
      away.stderr,
      /^The service cannot be reached at http:\/\/127\.0\.0\.1:1\. Is plugfest running/
    )
  })

  it("is told commands and flags where the service names requests", async () => {
    const denied = await run(["connections"], { PLUGFEST_API_KEY: "pf_not_this_one" })
    assert.strictEqual(denied.code, 4)
    assert.match(denied.stderr, /^The service does not take this API key .*plugfest keys create --name me\n$/)
    const refused = await run(connectArgs(), { PARTNER_TOKEN: "" })
    assert.strictEqual(refused.code, 2)
    const connected = await run(connectArgs())
    assert.strictEqual(connected.code, 0, connected.stderr)
    const unknown = await run(["test", "quiet", "--suite", "ocpi-9-cpo"])
    assert.strictEqual(unknown.stderr.trim(), "There is no such suite; plugfest suites lists them")
    const typo = await run(["test", "quiet", "--suite", `${suite}e`])
    assert.include(typo.stderr, `plugfest suites lists them. Did you mean ${suite}?`)
    const part = await run(["test", "quiet", "--suite", "cor"])
    assert.include(part.stderr, `plugfest suites lists them. Did you mean ocpi-2.2.1-cpo-core?`)
    const misnamed = await run(["test", "quite", "--suite", suite])
    assert.include(misnamed.stderr, "Did you mean quiet?")
    const nothing = await run(["test", "quiet", "--check", "TRANS-999"])
    assert.strictEqual(nothing.code, 2)
    assert.include(
      nothing.stderr,
      `--check, --module and --clause select nothing of the suite ocpi-2.2.1-cpo-core; plugfest suites`
    )
    const only = await run(["test", "quiet", "--suite", suite, "--only", "TRANS-013"])
    assert.strictEqual(only.code, 2)
    assert.include(only.stderr, "Did you mean --check TRANS-013?")
    const report = await run(["test", "quiet", "--suite", suite, "--only", "rep_1"])
    assert.include(report.stderr, "Did you mean --only failed-of:rep_1?")
    const checks = await run(["suites", suite])
    assert.match(checks.stdout, /^VERS-001 +must +versions +\S/m)
    const byPart = await run(["suites", "core", "--ocpi-version", "2.2.1", "--role", "CPO"])
    assert.match(byPart.stdout, /^VERS-001 +must +versions +\S/m)
    const several = await run(["suites", "core", "--ocpi-version", "2.2.1"])
    assert.match(several.stdout, /^ocpi-2\.2\.1-cpo-core .*\nocpi-2\.2\.1-emsp-core .*\n$/)
    assert.include(several.stderr, "The checks of one: give its id")
    const none = await run(["suites", "cor"])
    assert.include(none.stderr, "There is no such suite")
  }, 90_000)

  it("cancels a suite with Ctrl-C, and is told where what was graded is", async () => {
    const args = ["test", "quiet", "--suite", suite, "--listen", "600"]
    const { code, output } = await interrupted(args, /again: plugfest watch (rep_\w+)\n/, async (id) => {
      const waiting = await until("the run to wait", async () => {
        const { body } = await service.call("GET", `/api/v1/testing/runs/${id}`)
        return body.data.waitingFor
      })
      assert.match(waiting.instruction, /^Listening to what the partner sends us for 600 seconds/)
      assert.isAbove(Date.parse(waiting.deadline), Date.parse(waiting.since))
    })
    assert.strictEqual(code, 130, output)
    const [, id] =
      /The run is cancelled, and what was graded is kept: plugfest report (rep_\w+)/.exec(output) ?? []
    assert.isDefined(id, output)
    const ended = await service.call("GET", `/api/v1/testing/runs/${id}?wait=20&until=end`)
    assert.strictEqual(ended.body.data.status, "cancelled")
  }, 60_000)

  it("leaves a journey with Ctrl-C, and is told that it goes on and how to come back", async () => {
    const { code, output } = await interrupted(
      ["journey", "quiet", "--template", "remote-start"],
      /waiting: The partner must/
    )
    assert.strictEqual(code, 130, output)
    const [, id = ""] =
      /The run goes on in the service: plugfest watch (run_\w+) comes back to it/.exec(output) ?? []
    const status = await service.call("GET", `/api/v1/testing/journey-runs/${id}`)
    assert.strictEqual(status.body.data.status, "waiting", output)
    const again = await interrupted(["watch", id], /waiting: The partner must/)
    assert.include(again.output, `plugfest watch ${id} comes back to it`)
    await service.call("POST", `/api/v1/testing/journey-runs/${id}/cancel`)
    await until("the journey to end", async () => {
      const { body } = await service.call("GET", `/api/v1/testing/runs/${id}`)
      return body.data.verdict === null ? undefined : true
    })
  }, 90_000)

  it("is told at once that the partner has lost the registration: exit 3, and what registers anew", async () => {
    const before = await run(["test", "quiet", "--suite", suite])
    assert.include([0, 1], before.code, before.stderr)
    const requests: Array<string> = []
    partner.instead = ({ pathname }, response) => {
      requests.push(pathname)
      response.writeHead(401, { "content-type": "text/plain" })
      response.end("who are you?")
      return true
    }
    const lost = await run(["test", "quiet", "--suite", suite])
    assert.strictEqual(lost.code, 3, lost.stdout + lost.stderr)
    assert.isAtMost(requests.length, 4, requests.join(" "))
    assert.match(lost.stdout, /0 passed, 0 failed, 0 warned/)
    const [, id = ""] =
      /Register anew: plugfest disconnect (conn_\w+) && plugfest (connect .* --label quiet)\n/.exec(
        lost.stderr
      ) ?? []
    partner.instead = undefined
    assert.strictEqual((await run(["disconnect", id])).code, 0, lost.stderr)
    const anew = await run(connectArgs())
    assert.strictEqual(anew.code, 0, anew.stderr)
    assert.strictEqual((await run(["test", "quiet", "--suite", suite])).code, before.code)
  }, 90_000)

  it("lists the runs of a connection, of a kind and with a verdict, and says where there are more", async () => {
    const lines = (text: string) => text.trim().split("\n").length
    const all = await run(["runs", "--limit", "500"])
    assert.isAtLeast(lines(all.stdout), 4, all.stdout)
    // Its name is that of a connection which was removed above.
    assert.strictEqual(lines((await run(["runs", "quiet"])).stdout), 1)
    assert.match(
      all.stdout,
      /^rep_\w+ +(PASS|PASS_WITH_WARNINGS|FAIL) +\d{4}-\d\d-\d\d \d\d:\d\dZ +quiet +ocpi-2\.2\.1-cpo-smoke +\d+ passed, \d+ failed, \d+ warned$/m
    )
    const two = await run(["runs", "--limit", "2"])
    assert.strictEqual(lines(two.stdout), 2)
    assert.include(two.stderr, "These are the newest 2; for more: --limit")
    const journeys = await run(["runs", "--kind", "journey", "--json"])
    for (const journey of JSON.parse(journeys.stdout)) assert.strictEqual(journey.kind, "journey")
    const none = await run(["runs", "--kind", "journey", "--verdict", "pass"])
    assert.strictEqual(none.stdout, "")
    assert.include(none.stderr, "There are no such runs.")
    const wrong = await run(["runs", "--limit", "0"])
    assert.strictEqual(wrong.code, 2, wrong.stderr)
    const part = await run(["test", "quiet", "--suite", "cor"])
    assert.include(part.stderr, `plugfest suites lists them. Did you mean ocpi-2.2.1-cpo-core?`)
    const misnamed = await run(["runs", "quite"])
    assert.include(misnamed.stderr, "Did you mean quiet?")
  }, 60_000)
})
