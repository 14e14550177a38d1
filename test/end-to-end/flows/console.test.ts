/** The console's files on the built service: a copy of the build with a made console beside it, and one with none. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { bundle, key, type Service, startService } from "../../support/service/Service.ts"
import { refused, succeeded } from "../../support/service/shapes.ts"
import { tried } from "../../support/tried.ts"

const html = '<!doctype html><title>plugfest</title><script src="/assets/index-3f2a9c.js"></script>'
const script = `console.log("${"plugfest ".repeat(200)}")`
const picture = '<svg xmlns="http://www.w3.org/2000/svg"/>'
const pages = [
  "/",
  "/connections",
  "/connections/new",
  "/connections/conn_1",
  "/runs",
  "/runs/run_1",
  "/journeys/run_1",
  "/machines",
  "/sandbox",
  "/sandbox/sbx_1",
  "/settings",
  "/settings/keys",
  "/suites",
  "/sign-in"
]
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" }

describe("the console", () => {
  const folder = mkdtempSync(join(tmpdir(), "plugfest-console-"))
  const built = join(folder, "dist/console")
  let service: Service
  let requests = 0

  beforeAll(async () => {
    writeFileSync(join(folder, "package.json"), '{"type":"module"}')
    const isNeeded = (path: string) => !path.endsWith(".map") && !path.endsWith("/console")
    cpSync(dirname(bundle), join(folder, "dist"), { recursive: true, filter: isNeeded })
    writeFileSync(join(folder, "dist/secret.txt"), "outside of the console")
    service = await startService(
      { DATABASE_URL: await migratedDatabase(inject("pgUrl")) },
      [],
      join(folder, "dist/plugfest.js")
    )
  }, 90_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
    rmSync(folder, { recursive: true, force: true })
  })

  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    requests += 1
    const response = await fetch(service.url + path, { method, headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, text: bytes.toString(), body: parsed(bytes) }
  }
  /** The bytes of the answer as they are on the wire: `fetch` would decode them, and clean the path. */
  const raw = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ readonly head: string; readonly body: Buffer }>((resolve, reject) => {
      requests += 1
      const { host, hostname, port } = new URL(service.url)
      const socket = connect(Number(port), hostname)
      const chunks: Array<Buffer> = []
      socket.on("data", (chunk) => chunks.push(chunk))
      socket.on("error", reject)
      socket.on("end", () => {
        const all = Buffer.concat(chunks)
        const end = all.indexOf("\r\n\r\n")
        resolve({ head: all.subarray(0, end).toString(), body: all.subarray(end + 4) })
      })
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${lines.join("")}\r\n`)
    })

  it("that is not built says so, and the API is there all the same", async () => {
    for (const path of pages) refused((await ask(path, browser)) as never, 404, /console is not built/)
    refused((await ask("/assets/index-3f2a9c.js")) as never, 404)
    succeeded(await service.call("GET", "/api/v1/settings/account"))
    assert.strictEqual((await ask("/")).status, 200)
  })

  it("is served once it is built, without a restart", async () => {
    mkdirSync(join(built, "assets"), { recursive: true })
    for (const [name, text] of [
      ["index.html", html],
      ["assets/index-3f2a9c.js", script],
      ["assets/index-77aa01.css", "body{color:red}"],
      ["assets/logo-1b2c3d.svg", picture]
    ] as const) {
      writeFileSync(join(built, name), text)
      writeFileSync(join(built, `${name}.br`), brotliCompressSync(text))
      writeFileSync(join(built, `${name}.gz`), gzipSync(text))
    }
    writeFileSync(join(built, "assets/plain-000000.js"), "1")
    symlinkSync(join(folder, "dist/secret.txt"), join(built, "assets/linked.txt"))
    for (const path of pages) {
      for (const end of path === "/" ? [""] : ["", "/", "?tab=checks&f=failed"]) {
        const page = await ask(path + end, browser)
        assert.strictEqual(page.status, 200, path)
        assert.strictEqual(page.text, html, path)
        assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
        assert.strictEqual(page.headers.get("cache-control"), "no-cache")
        assert.strictEqual(page.headers.get("vary"), "Accept, Accept-Encoding")
      }
    }
  })

  it("is for browsers: everybody else gets an index at / and nothing elsewhere", async () => {
    for (const headers of [
      {},
      { accept: "*/*" },
      { accept: "application/json" },
      { accept: "text/html;q=0, */*" }
    ]) {
      const index = succeeded((await ask("/", headers)) as never)
      assert.deepStrictEqual(index, {
        name: "plugfest",
        console: `${service.url}/`,
        docs: `${service.url}/docs`,
        openapi: `${service.url}/openapi.json`,
        discovery: `${service.url}/ocpi/versions`,
        health: `${service.url}/health/ready`
      })
      for (const path of pages.slice(1)) refused((await ask(path, headers)) as never, 404)
    }
    for (const url of Object.values(succeeded((await ask("/")) as never)).slice(2))
      assert.strictEqual((await fetch(url as string)).status, 200, url as string)
    const { head } = await raw("/", { "X-Forwarded-Host": "evil.example", Host: "evil.example" })
    assert.notInclude(head, "evil", "two Host headers are refused")
  })

  it("is at the path that the contract names, too", async () => {
    const answer = await fetch(`${service.url}/console`, { redirect: "manual" })
    assert.deepStrictEqual([answer.status, answer.headers.get("location")], [302, "/"])
  })

  it("says to a browser that there is no such page, and to programs in JSON that there is nothing", async () => {
    const { etag } = Object.fromEntries((await ask("/", browser)).headers)
    for (const path of ["/nothing", "/runsandmore", "/index.html", "/console/more", "/sandbox/sbx_1/more"]) {
      const page = await ask(`${path}?x=/api/`, { ...browser, "if-none-match": etag! })
      assert.deepStrictEqual([page.status, page.text], [404, html], path)
      assert.strictEqual(page.headers.get("content-security-policy"), policy)
      refused((await ask(path)) as never, 404)
    }
    refused((await ask("/favicon.ico", { accept: "image/avif,image/*,*/*;q=0.8" })) as never, 404)
    for (const path of ["/api", "/api/v1/nothing", "/assets/gone.js", "/health", "/metrics/more"])
      refused((await ask(path, browser)) as never, 404)
    refused((await ask("/api/v1/testing/command", browser)) as never, 405)
    for (const path of ["/ocpi/9.9", "/ocpi/nothing", "/sandbox/sbx_1/ocpi/nothing"])
      assert.isNumber((await ask(path, browser)).body.status_code, path)
  })

  it("takes nothing of what is not its own, and its paths take GET alone", async () => {
    refused((await ask("/connections", browser, "POST")) as never, 404)
    refused((await ask("/", browser, "POST")) as never, 405)
    refused((await ask("/assets/index-3f2a9c.js", browser, "DELETE")) as never, 405)
    refused((await ask("/api/v1/connections", browser)) as never, 401)
    const ocpi = await ask("/sandbox/sbx_unknown/ocpi/versions", browser)
    assert.isNumber(ocpi.body.status_code, "the OCPI side of sandbox partners is no page")
  })

  it("sends what the build has compressed, in the form that the client takes best", async () => {
    for (const [accept, form, decode] of [
      ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
      ["gzip, deflate", "gzip", gunzipSync],
      ["br;q=0, gzip", "gzip", gunzipSync],
      ["identity", undefined, (bytes: Buffer) => bytes]
    ] as const) {
      for (const [path, text] of [
        ["/assets/index-3f2a9c.js", script],
        ["/sign-in", html]
      ] as const) {
        const { body, head } = await raw(path, { Accept: "text/html", "Accept-Encoding": accept })
        assert.match(head, /^HTTP\/1\.1 200 /)
        assert.strictEqual(/content-encoding: (.+)/i.exec(head)?.[1], form, `${path} ${accept}`)
        assert.strictEqual(Number(/content-length: (\d+)/i.exec(head)?.[1]), body.length)
        assert.strictEqual(decode(body).toString(), text)
      }
    }
    const plain = await raw("/assets/plain-000000.js", { "Accept-Encoding": "br" })
    assert.notMatch(plain.head, /content-encoding/i)
    assert.strictEqual(plain.body.toString(), "1")
    const head = await ask("/assets/index-3f2a9c.js", {}, "HEAD")
    assert.strictEqual(head.status, 200)
    assert.strictEqual(head.text, "")
  })

  it("is kept for ever where its name has a hash, and the page is asked for again", async () => {
    for (const [path, type] of [
      ["/assets/index-3f2a9c.js", "text/javascript; charset=utf-8"],
      ["/assets/index-77aa01.css", "text/css; charset=utf-8"],
      ["/assets/logo-1b2c3d.svg", "image/svg+xml"]
    ] as const) {
      const asset = await ask(path)
      assert.strictEqual(asset.headers.get("content-type"), type)
      assert.strictEqual(asset.headers.get("cache-control"), "public, max-age=31536000, immutable")
      assert.strictEqual(asset.headers.get("vary"), "Accept-Encoding")
    }
    const tags = new Set<string>()
    for (const encoding of ["br", "gzip", "identity"]) {
      const headers = { ...browser, "accept-encoding": encoding }
      const etag = (await ask("/", headers)).headers.get("etag")!
      tags.add(etag)
      const same = await ask("/runs", { ...headers, "if-none-match": `"other", W/${etag}` })
      assert.strictEqual(same.status, 304)
      assert.strictEqual(same.text, "")
      assert.strictEqual(same.headers.get("etag"), etag)
      assert.strictEqual((await ask("/", { ...headers, "if-none-match": '"other"' })).status, 200)
    }
    assert.strictEqual(tags.size, 3)
  })

  it("may run its own scripts alone, is framed by nobody, and is read by no other origin", async () => {
    let answers = 0
    for (const path of [
      ...pages,
      "/assets/index-3f2a9c.js",
      "/assets/index-77aa01.css",
      "/assets/logo-1b2c3d.svg"
    ]) {
      for (const headers of [browser, { ...browser, "if-none-match": "*" }]) {
        const answer = await ask(path, headers)
        answers += 1
        assert.strictEqual(answer.headers.get("content-security-policy"), policy, path)
        assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(answer.headers.get("referrer-policy"), "no-referrer")
        assert.strictEqual(answer.headers.get("cross-origin-opener-policy"), "same-origin")
        assert.strictEqual(answer.headers.get("cross-origin-resource-policy"), "same-origin")
        for (const none of ["server", "x-powered-by", "access-control-allow-origin", "set-cookie"])
          assert.isNull(answer.headers.get(none), `${path} ${none}`)
      }
    }
    tried("B39", [`${answers} answers`], "protected")
  })

  it("leads to no file but its own", async () => {
    const outside = /outside of the console|"type":"module"|root:/
    let paths = 0
    for (const up of ["..", "%2e%2e", ".%2e", "%252e%252e", "..%2f..", "..%5c..", "....//.."])
      for (const file of [
        "secret.txt",
        "../package.json",
        "plugfest.js",
        "../../etc/passwd",
        "../../../etc/passwd"
      ])
        for (const root of ["/assets/", "/", "/runs/", "/assets//", "//"]) {
          const { body, head } = await raw(`${root}${up}/${file}`)
          paths += 1
          assert.match(head, /^HTTP\/1\.1 40[04] /, `${root}${up}/${file}`)
          assert.notMatch(body.toString(), outside)
        }
    for (const path of [
      "/assets/linked.txt",
      "/assets/",
      "/assets",
      "/assets/index-3f2a9c.js.br",
      "/assets/index-3f2a9c.js%00.svg",
      "/assets/index-3f2a9c.js/",
      `/assets/${"a".repeat(4000)}`,
      "/assets/%",
      "/assets//etc/passwd",
      "http://elsewhere.example/etc/passwd"
    ]) {
      const { body, head } = await raw(path)
      paths += 1
      if (path.endsWith(".js/")) continue
      assert.match(head, /^HTTP\/1\.1 4\d\d /, path)
      assert.notMatch(body.toString(), outside)
    }
    tried("B39", [`${paths} paths`], "none outside")
  })

  it("is counted under few names, whatever is asked for", async () => {
    const { text } = await service.call("GET", "/metrics", undefined, { authorization: `Bearer ${key}` })
    const routes = new Set([...text.matchAll(/route="([^"]+)"/g)].map(([, route]) => route))
    assert.includeMembers([...routes], ["/", "/assets/{file}", "/{console}", "other"])
    assert.isBelow(routes.size, 15, [...routes].join(" "))
    assert.isAbove(requests, 200)
  })
})

function parsed(bytes: Buffer): any {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
