/** Links that sign a browser in: of the terminal that the service runs on, and of `plugfest open`. */
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { plugfest } from "../../support/service/command.ts"
import { rows } from "../../support/service/database.ts"
import { bundle, environmentOf, freePort, key, until } from "../../support/service/Service.ts"
import { refused, succeeded } from "../../support/service/shapes.ts"
import { storedRows } from "../../support/service/storedRows.ts"
import { tried } from "../../support/tried.ts"
import { pairOfServices } from "../support/browser.ts"

const links = "/api/v1/session/links"
const form = /^http:\/\/127\.0\.0\.1:\d+\/sign-in#code=[\w-]{43}$/

describe("a link that signs a browser in", () => {
  const folder = mkdtempSync(join(tmpdir(), "plugfest-link-"))
  const pair = pairOfServices()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const codeOf = (url: string) => new URL(url).hash.replace("#code=", "")
  const use = async (code: string, on = pair.service.url) => {
    const response = await fetch(`${on}/api/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }
  const makeKey = async (scopes: ReadonlyArray<string> = ["read"]) =>
    succeeded(
      await pair.service.call("POST", "/api/v1/settings/api-keys", { name: "of a person", scopes }),
      201
    )
  const bearer = (made: { readonly key: string }) => ({ authorization: `Bearer ${made.key}` })

  it("is printed by plugfest open, and opened in the browser that is there", async () => {
    const opened = join(folder, "opened")
    const browser = join(folder, "browser")
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf %s "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`
    )
    chmodSync(browser, 0o755)
    const made = await makeKey(["read", "run"])
    const env = { PLUGFEST_URL: pair.service.url, PLUGFEST_API_KEY: made.key }
    const ended = await plugfest(["open"], { ...env, BROWSER: browser })
    assert.strictEqual(ended.code, 0, ended.stderr)
    const link = ended.stdout.trim()
    assert.match(link, form)
    assert.include(ended.stderr, "once, within 10 minutes")
    await until("the browser to be called", async () => (existsSync(opened) ? true : undefined))
    assert.strictEqual(readFileSync(opened, "utf8"), link)
    const session = await use(codeOf(link))
    assert.strictEqual(session.status, 201, session.text)
    assert.deepInclude(session.body.data, { keyId: made._id, scopes: ["read", "run"] })

    rmSync(opened)
    const printed = await plugfest(["open", "--print-only", "--json"], { ...env, BROWSER: browser })
    assert.hasAllKeys(JSON.parse(printed.stdout), ["url", "expiresAt"])
    assert.isFalse(existsSync(opened))
    const alone = await plugfest(["open"], { ...env, BROWSER: join(folder, "nowhere") })
    assert.strictEqual(alone.code, 0)
    assert.match(alone.stderr, /open the link yourself/)
    const nobody = await plugfest(["open"], { PLUGFEST_URL: pair.service.url })
    assert.strictEqual(nobody.code, 2)
    assert.match(nobody.stderr, /No API key/)
    const wrong = await plugfest(["open"], { ...env, PLUGFEST_API_KEY: "pf_live_wrong" })
    assert.strictEqual(wrong.code, 4)
  }, 90_000)

  it("is good once, for one of twenty at once, in any process", async () => {
    const { expiresAt, url } = succeeded(await pair.service.call("POST", links), 201)
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000
    assert.isTrue(minutes > 9 && minutes < 11, expiresAt)
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        use(codeOf(url), (at % 2 === 0 ? pair.service : pair.sibling).url)
      )
    )
    assert.deepStrictEqual(all.map(({ status }) => status).sort(), [
      201,
      ...Array.from({ length: 19 }, () => 401)
    ])
    await rows(pair.database, "DELETE FROM bucket WHERE name LIKE 'sign-in:%'")
    refused((await use(codeOf(url))) as never, 401)
    tried("B38", [`${all.length} uses at once`], "one signed in")
  })

  it("is over after ten minutes, and with its key", async () => {
    const late = succeeded(await pair.service.call("POST", links), 201)
    await rows(pair.database, "UPDATE sign_in_code SET expires_at = expires_at - interval '10 minutes'")
    refused((await use(codeOf(late.url))) as never, 401)
    const made = await makeKey()
    const orphan = succeeded(await pair.service.call("POST", links, undefined, bearer(made)), 201)
    succeeded(await pair.service.call("DELETE", `/api/v1/settings/api-keys/${made._id}`))
    refused((await use(codeOf(orphan.url))) as never, 401)
    assert.deepStrictEqual(
      await rows(pair.database, "SELECT 1 FROM session WHERE key_id = $1", [made._id]),
      []
    )
  })

  it("gives what its key gives, is made by no session, and told once", async () => {
    const made = await makeKey(["read"])
    const first = await pair.service.call("POST", links, undefined, {
      ...bearer(made),
      "idempotency-key": "one-link"
    })
    const { url } = succeeded(first, 201)
    const again = await pair.service.call("POST", links, undefined, {
      ...bearer(made),
      "idempotency-key": "one-link"
    })
    refused(again, 409, /shown once/)
    const session = await use(codeOf(url))
    assert.deepStrictEqual(session.body.data.scopes, ["read"])
    const cookie = session.headers.get("set-cookie")!.split(";")[0]!
    const response = await fetch(pair.service.url + links, {
      method: "POST",
      headers: { cookie, "x-plugfest-console": "1" }
    })
    assert.strictEqual(response.status, 403, "it could go on for ever")
    const blind = await makeKey(["run"])
    refused(await pair.service.call("POST", links, undefined, bearer(blind)), 403, /lacks the scope "read"/)
  })

  it("is kept nowhere: not in the database, not in the log, not in the audit log", async () => {
    const { url } = succeeded(await pair.service.call("POST", links), 201)
    const code = codeOf(url)
    const audit = await pair.service.call("GET", "/api/v1/settings/audit?limit=100")
    assert.include(audit.text, "session.makeLink")
    for (const text of [audit.text, JSON.stringify(await storedRows(pair.database)), pair.service.output()])
      assert.notInclude(text, code)
    const stored = JSON.stringify(await rows(pair.database, "SELECT i::text FROM idempotency i"))
    assert.notInclude(stored, "#code=")
  })

  it("leads to PUBLIC_URL, whatever the Host header says", async () => {
    const made = await makeKey()
    const { url } = succeeded(
      await pair.service.call("POST", links, undefined, {
        ...bearer(made),
        "x-forwarded-host": "evil.example"
      }),
      201
    )
    assert.isTrue(url.startsWith(`${pair.service.url}/sign-in#`), url)
  })

  it("is printed by serve on a terminal, and there alone", async () => {
    assert.notInclude(pair.service.output(), "#code=")
    assert.deepStrictEqual(
      await rows(pair.database, "SELECT 1 FROM api_key WHERE name = 'terminal sign-in'"),
      []
    )
    const env = { DATABASE_URL: pair.database, PORT: String(await freePort()), LOG_FORMAT: "pretty" }
    const first = await onTerminal(env)
    const link = form.exec(first.link)?.[0] ?? assert.fail(first.text())
    const session = await use(codeOf(link))
    assert.strictEqual(session.status, 201, session.text)
    assert.includeMembers(session.body.data.scopes, ["keys:write", "connections:write", "run", "read"])
    assert.strictEqual(session.body.data.name, "terminal sign-in")
    const audit = succeeded(await pair.service.call("GET", "/api/v1/settings/audit?limit=100"))
    const byOperator = audit.filter((entry: any) => entry.key === null).map((entry: any) => entry.action)
    assert.deepStrictEqual(byOperator, ["session.makeLink", "settings.createKey"])
    assert.strictEqual(await first.end(), 0, first.text())

    const second = await onTerminal(env)
    assert.notStrictEqual(second.link, link)
    await second.end()
    const keys = () => rows(pair.database, "SELECT id FROM api_key WHERE name = 'terminal sign-in'")
    assert.lengthOf(await keys(), 1, "one key for all of them")
    succeeded(await pair.service.call("DELETE", `/api/v1/settings/api-keys/${(await keys())[0]!["id"]}`))
    refused((await use(codeOf(second.link))) as never, 401)
    const third = await onTerminal(env)
    assert.strictEqual((await use(codeOf(third.link))).status, 201)
    await third.end()
    const json = await onTerminal({ ...env, LOG_FORMAT: "json" })
    assert.notInclude(json.text(), "#code=")
    await json.end()
    await rows(pair.database, "DELETE FROM bucket WHERE name LIKE 'sign-in:%'")
  }, 90_000)
})

/** `plugfest serve` with a terminal for its stdout. */
async function onTerminal(env: Record<string, string>) {
  const serve = [process.execPath, bundle, "serve"]
  const args =
    process.platform === "darwin"
      ? ["-q", "/dev/null", ...serve]
      : ["-qec", `exec ${serve.join(" ")}`, "/dev/null"]
  const child = spawn("script", args, {
    env: environmentOf({ BOOTSTRAP_API_KEY: key, ...env }),
    stdio: ["pipe", "pipe", "inherit"]
  })
  let said = ""
  child.stdout.on("data", (chunk) => {
    said += chunk
  })
  const gone = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", resolve)
  })
  // With JSON logs the line that says so comes last.
  const isReady = env["LOG_FORMAT"] === "json" ? /"message":"listening"/ : /#code=[\w-]{43}\s/
  await until("the service to listen", async () => (isReady.test(said) ? true : undefined))
  return {
    text: () => said,
    link: /http\S+#code=[\w-]+/.exec(said)?.[0] ?? "",
    end: () => {
      child.stdin.write("\u0003") // Ctrl-C
      return gone
    }
  }
}
