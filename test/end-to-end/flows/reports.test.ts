/** The command line against the built service, and its report opened from disk in a browser where there is one. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { readXml } from "../../support/readXml.ts"
import { plugfest } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import { key, type Service, startService } from "../../support/service/Service.ts"

const suite = "ocpi-2.2.1-cpo-smoke"
/** Caught by the smoke suite. */
const fault = "versions.empty-list"
const chromium = "/usr/bin/chromium"

describe("the command line against the built service", () => {
  let service: Service
  let folder: string
  let partner: any
  const file = (name: string) => join(folder, name)
  const run = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
    plugfest(args, { PLUGFEST_URL: service.url, PLUGFEST_API_KEY: key, ...env })
  const setFaults = (faults: ReadonlyArray<string>) =>
    service.call("PUT", `/api/v1/sandbox/partners/${partner._id}/faults`, { faults })
  /** Runs the suite; the report's id stands first in the last line. */
  const test = async (...more: ReadonlyArray<string>) => {
    const ended = await run(["test", "shop", "--suite", "smoke", ...more])
    return { ...ended, reportId: ended.stdout.trim().split("\n").at(-1)!.split(" ")[0]! }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "plugfest-reports-"))
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    const made = await service.call("POST", "/api/v1/sandbox/partners", {
      theirRole: "CPO",
      ocpiVersion: "2.2.1",
      seed: 1
    })
    partner = made.body.data
  }, 60_000)
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service?.kill("SIGTERM")
  })

  const connectArgs = (url: string) => ["connect", url, "--their-role", "CPO", "--ocpi-version", "2.2.1"]

  it("registers a partner, shows the handshake, and prints the connection alone on stdout", async () => {
    const { code, stderr, stdout } = await run(
      [...connectArgs(partner.partnerBaseUrl), "--label", "shop", "--token-env", "TOKEN_OF_SHOP"],
      { TOKEN_OF_SHOP: partner.tokenA }
    )
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /^conn_\w+\n$/)
    assert.match(stderr, /-> POST credentials 200[\s\S]*registered/)
    assert.notInclude(stderr, partner.tokenA)
  })

  it("passes a well-behaved partner, then finds what it does wrong, and tells the two runs apart", async () => {
    const good = await test("--fail-on-warn")
    assert.strictEqual(good.code, 0, good.stdout + good.stderr)
    assert.match(good.stdout, /^rep_\w+ {2}PASS {2}\d+ passed, 0 failed/)
    assert.match(good.stderr, /^versions +ok /m)

    await setFaults([fault])
    const bad = await test("--junit", file("j.xml"), "--html", file("r.html"), "--har", file("r.har"))
    assert.strictEqual(bad.code, 1, bad.stdout + bad.stderr)
    assert.match(bad.stdout, /^ {2}x VERS-001 must /)
    const failures = Number(readXml(readFileSync(file("j.xml"), "utf8")).attributes["failures"])
    assert.isAbove(failures, 0)
    assert.isNotEmpty(JSON.parse(readFileSync(file("r.har"), "utf8")).log.entries)

    const watched = await run(["watch", bad.reportId])
    assert.strictEqual(watched.code, 1, watched.stderr)
    assert.strictEqual(watched.stdout, bad.stdout)

    const worse = await run(["compare", good.reportId, bad.reportId])
    assert.strictEqual(worse.code, 1)
    assert.match(worse.stdout, /newly failing: \d+\n {2}VERS-001 passed -> failed/)
    assert.strictEqual((await run(["compare", bad.reportId, good.reportId])).code, 0)

    const again = await run([
      "test",
      "shop",
      "--suite",
      suite,
      "--only",
      `failed-of:${bad.reportId}`,
      "--json"
    ])
    assert.strictEqual(again.code, 1)
    const { checks, report } = JSON.parse(again.stdout)
    assert.strictEqual(checks.length, failures)
    assert.strictEqual(report.summary.failed, failures)

    await setFaults([])
    const mended = await run(["test", "shop", "--suite", suite, "--only", `failed-of:${bad.reportId}`])
    assert.strictEqual(mended.code, 0, mended.stdout)
    const text = await run(["report", bad.reportId, "--check", "VERS-001"])
    assert.match(text.stdout, /^failed VERS-001 [\s\S]*expected: [\s\S]*curl: /)
  }, 120_000)

  it("speaks GitHub's language inside its actions, and leaves stdout to the data", async () => {
    await setFaults([fault])
    writeFileSync(file("summary.md"), "")
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: file("summary.md") }
    const { code, stderr, stdout } = await run(["test", "shop", "--suite", suite, "--json"], env)
    await setFaults([])
    assert.strictEqual(code, 1)
    assert.match(stderr, /^::error title=VERS-001::/m)
    assert.strictEqual(JSON.parse(stdout).report.verdict, "fail")
    assert.match(readFileSync(file("summary.md"), "utf8"), /^## ❌ FAIL/)
  }, 60_000)

  it.each([
    ["a report that there is not", ["report", "rep_none"], {}, 2],
    ["a connection that there is not", ["test", "nobody", "--suite", suite], {}, 2],
    ["no key", ["suites"], { PLUGFEST_API_KEY: "" }, 2],
    ["a key that nobody has", ["suites"], { PLUGFEST_API_KEY: "pf_live_nobody" }, 4],
    ["nobody at the address", ["suites"], { PLUGFEST_URL: "http://127.0.0.1:9" }, 5]
  ] as const)("for %s: says so in one line, with the code of its kind", async (_, args, env, code) => {
    const ended = await run(args, env)
    assert.strictEqual(ended.code, code, ended.stderr)
    assert.strictEqual(ended.stdout, "")
    assert.match(ended.stderr, /^[^\n]+\n$/)
  })

  it("cannot judge a partner that refuses the token", async () => {
    const { code, stderr } = await run([...connectArgs(partner.partnerBaseUrl), "--another"], {
      PARTNER_TOKEN: "not-the-token"
    })
    assert.strictEqual(code, 3, stderr)
    assert.match(
      stderr,
      /The handshake failed: auth:.* For a report: plugfest test conn_\w+ --suite registration/
    )
  })

  it.runIf(existsSync(chromium))(
    "opens the page from disk without a script: one click to the first failure",
    async () => {
      const { chromium: launcher } = await import("playwright-core")
      const browser = await launcher.launch({ executablePath: chromium, args: ["--no-sandbox"] })
      try {
        const page = await browser.newPage({ javaScriptEnabled: false, offline: true })
        const trouble: Array<string> = []
        page.on("console", (message) => trouble.push(message.text()))
        page.on("request", (request) => {
          if (!request.url().startsWith("file:")) trouble.push(request.url())
        })
        await page.goto(`file://${file("r.html")}`)
        await page.click("text=First failure: VERS-001")
        assert.isTrue(await page.locator("#check-VERS-001 >> text=Expected").isVisible())
        const box = await page.locator("#check-VERS-001").boundingBox()
        assert.isTrue(box !== null && box.y >= 0 && box.y < 200, JSON.stringify(box))
        assert.deepStrictEqual(trouble, [])
      } finally {
        await browser.close()
      }
    }
  )
})
