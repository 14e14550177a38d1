/** The client's tarball in an empty folder, against the built service through a network that breaks. */
import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, connect as dial, type Server } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { connectSandbox, freePort, key, type Service, startService } from "../../support/service/Service.ts"

/** How often the connection breaks, at most: the client waits after each. */
const most = 10

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..")
const folder = mkdtempSync(join(tmpdir(), "plugfest-client-"))

/** Passes bytes on; what comes back is cut after a random number of them, `cuts` times. */
const breakingProxy = (target: number, port: number, state: { cuts: number }): Promise<Server> => {
  const server = createServer((incoming) => {
    const outgoing = dial(target, "127.0.0.1")
    let left = state.cuts > 0 ? 300 + Math.floor(Math.random() * 4000) : Number.POSITIVE_INFINITY
    incoming.pipe(outgoing)
    outgoing.on("data", (chunk: Buffer) => {
      const part = chunk.subarray(0, left)
      left -= part.length
      incoming.write(part)
      if (left > 0) return
      state.cuts -= 1
      outgoing.destroy()
      incoming.destroy()
    })
    outgoing.on("close", () => incoming.end())
    for (const socket of [incoming, outgoing]) socket.on("error", () => socket.destroy())
  })
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)))
}

describe("@plugfest/client, installed from its tarball", () => {
  let service: Service
  let proxy: Server
  const state = { cuts: 0 }
  let proxied: string

  beforeAll(async () => {
    const run = (file: string, args: ReadonlyArray<string>, cwd: string) =>
      execFileSync(file, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
    run(process.execPath, [".ci/client.mjs"], root)
    const [{ filename }] = JSON.parse(
      run("npm", ["pack", "--json", "--pack-destination", folder], join(root, "dist/client"))
    )
    writeFileSync(join(folder, "package.json"), '{ "name": "somebody", "private": true, "type": "module" }')
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], folder)
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    const port = await freePort()
    proxy = await breakingProxy(Number(new URL(service.url).port), port, state)
    proxied = `http://127.0.0.1:${port}`
  }, 120_000)
  afterAll(async () => {
    proxy?.close()
    await service?.kill("SIGTERM")
    rmSync(folder, { recursive: true, force: true })
  })

  /** Prints what the script's last expression is, as JSON. */
  const script = async (text: string, url = service.url) => {
    writeFileSync(
      join(folder, "script.mjs"),
      `import { expectConformant, NotConformant, plugfest } from "@plugfest/client"
       const client = plugfest({ url: ${JSON.stringify(url)}, key: ${JSON.stringify(key)} })
       ${text}`
    )
    // Not in this thread: the proxy is in it.
    const { stdout } = await promisify(execFile)(process.execPath, ["script.mjs"], {
      cwd: folder,
      timeout: 100_000
    })
    return JSON.parse(stdout)
  }

  it("follows a journey to its end, each event once, over a connection that breaks at random bytes", async () => {
    const { connectionId } = await connectSandbox(service, { speed: 600 })
    state.cuts = most
    const { report, sequences } = await script(
      `const run = await client.journeyRuns.start({ body: { connectionId: ${JSON.stringify(connectionId)}, templateId: "remote-start" } })
       const sequences = []
       for await (const { sequence } of client.followRun(run.runId)) sequences.push(sequence)
       console.log(JSON.stringify({ sequences, report: await client.endOfRun(run.runId) }))`,
      proxied
    )
    const cut = most - state.cuts
    state.cuts = 0
    assert.isAtLeast(cut, 5, "connections were cut")
    assert.strictEqual(report.verdict, "pass", JSON.stringify(report))
    assert.deepStrictEqual(
      sequences,
      sequences.map((_: number, index: number) => index + 1)
    )
    const { body } = await service.call(
      "GET",
      `/api/v1/testing/runs?connectionId=${connectionId}&kind=journey`
    )
    assert.lengthOf(body.data, 1, "a POST whose answer was cut began one run")
  }, 120_000)

  it("asserts that a partner conforms, and says what a partner that does not must change", async () => {
    const honest = await connectSandbox(service, {})
    const faulty = await connectSandbox(service, { faults: ["transport.no-request-id"] })
    const ask = (connectionId: string) =>
      `const order = { connectionId: ${JSON.stringify(connectionId)}, suiteId: "ocpi-2.2.1-cpo-core", checks: ["TRANS-025"] }
       const verdict = await expectConformant(client, order).then((report) => report.verdict, (error) => {
         if (!(error instanceof NotConformant)) throw error
         return error.message
       })
       console.log(JSON.stringify(verdict))`
    assert.strictEqual(await script(ask(honest.connectionId)), "pass")
    assert.match(await script(ask(faulty.connectionId)), /fail[\s\S]*\n {4}what to change: /)
  }, 120_000)

  it("has types by which the example of its README compiles, and a slip does not", () => {
    /** What the compiler says about texts, by their names: in one program, since its libraries take it longest. */
    const compile = (texts: Readonly<Record<string, string>>) => {
      for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
      const compiler = join(root, "node_modules/typescript-native/bin/tsc")
      const args = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--pretty", "false"]
      const lib = ["--lib", "es2023,dom,dom.iterable", "--types", "", "--ignoreConfig"]
      try {
        return execFileSync(process.execPath, [compiler, ...Object.keys(texts), ...args, ...lib], {
          cwd: folder,
          encoding: "utf8",
          stdio: "pipe"
        })
      } catch (error) {
        return String((error as { readonly stdout: string }).stdout)
      }
    }
    const head = `import { expectConformant, plugfest } from "@plugfest/client"
      const client = plugfest({ url: "http://127.0.0.1:3000", key: "k" })
      const run = await client.journeyRuns.start({ body: { connectionId: "c", templateId: "remote-start" } })`
    const good = `${head}
      for await (const event of client.followRun(run.runId)) console.log(event.sequence, event.type)
      const { verdict } = await client.endOfRun(run.reportId)
      const page: string = await client.testing.exportRun({ path: { id: run.reportId }, query: { format: "html" } })
      await expectConformant(client, { connectionId: "c", suiteId: verdict === "pass" ? page : "s" })
      await client.testing.suites()`
    const slips = [
      "run.rumId",
      'await client.journeyRuns.start({ body: { connection: "c" } })',
      "await client.testing.run()",
      'await client.testing.exportRun({ path: { id: "r" }, query: { format: "pdf" } })'
    ]
    const said = compile({
      "example.ts": good,
      ...Object.fromEntries(slips.map((slip, index) => [`slip${index}.ts`, `${head}\n${slip}`]))
    })
    assert.notInclude(said, "example.ts")
    for (const [index, slip] of slips.entries())
      assert.match(said, new RegExp(`^slip${index}\\.ts\\(\\d+,\\d+\\): error TS`, "m"), slip)
  }, 60_000)
})
