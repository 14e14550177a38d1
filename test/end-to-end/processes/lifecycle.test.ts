/** Births and deaths of the built process: first start, kills, signals, a database that comes late, wrong settings. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plugfest } from "../../support/service/command.ts"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import { type PrivatePostgres, privatePostgres } from "../../support/service/PrivatePostgres.ts"
import {
  connectSandbox,
  freePort,
  key,
  type Service,
  sleep,
  startProcess,
  startService,
  until
} from "../../support/service/Service.ts"
import { refused, succeeded } from "../../support/service/shapes.ts"
import { openSocket } from "../support/rawHttp.ts"

const api = "/api/v1"

/** A directory that the account of an embedded Postgres can reach, also when the tests run as root. */
async function dataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "plugfest-life-"))
  await chmod(directory, 0o711)
  return directory
}

describe("the embedded database", () => {
  let directory: string
  beforeAll(async () => {
    directory = await dataDirectory()
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  it("is made at the first start, survives a kill -9, and is found by the second", async () => {
    const env = { DATA_DIR: directory, PORT: String(await freePort()) }
    const first = await startService(env)
    const { connectionId } = await connectSandbox(first)
    const made = await plugfest(["keys", "create"], { DATA_DIR: directory })
    assert.strictEqual(made.code, 0, made.stderr)
    const headers = { authorization: `Bearer ${made.stdout.trim()}` }
    succeeded(await first.call("GET", `${api}/connections/${connectionId}`, undefined, headers))
    assert.strictEqual(await first.kill("SIGKILL"), "SIGKILL")

    const second = await startService(env)
    const path = `${api}/connections/${connectionId}`
    const view = succeeded(await second.call("GET", path, undefined, headers))
    assert.strictEqual(view.status, "registered")
    // The secrets are there as well: the partner takes the token that was kept.
    const command = { connectionId, command: "UNLOCK_CONNECTOR" }
    assert.strictEqual(
      succeeded(await second.call("POST", `${api}/testing/command`, command)).httpStatus,
      200
    )
    assert.strictEqual(await second.kill("SIGTERM"), 0)
    const left = await readdir(join(directory, "postgres", "data"))
    assert.include(left, "PG_VERSION")
    assert.notInclude(left, "postmaster.pid", "the database was stopped with the last process")
  }, 60_000)

  it("is stopped when the terminal is closed, which the shell and the system both tell", async () => {
    const service = await startService({ DATA_DIR: directory, PORT: String(await freePort()) })
    service.process.kill("SIGHUP")
    service.process.kill("SIGHUP")
    assert.strictEqual(await service.gone, 0)
    assert.notInclude(await readdir(join(directory, "postgres", "data")), "postmaster.pid")
  }, 60_000)
})

it("npm start ends with a signal to npm, which tells its shell alone", async () => {
  const directory = await dataDirectory()
  const port = await freePort()
  const root = fileURLToPath(new URL("../../..", import.meta.url))
  const env = { ...process.env, DATA_DIR: directory, PORT: String(port), HOST: "127.0.0.1" }
  const npm = spawn("npm", ["start"], { cwd: root, env, stdio: "ignore" })
  const isThere = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined)
    return answer?.ok === true
  }
  try {
    await until("the service to listen", async () => (await isThere()) || undefined)
    npm.kill("SIGTERM")
    await until("the service to be gone", async () => !(await isThere()) || undefined)
    const data = join(directory, "postgres", "data")
    await until(
      "its database to be stopped",
      async () => !(await readdir(data)).includes("postmaster.pid") || undefined
    )
  } finally {
    npm.kill("SIGKILL")
    await rm(directory, { recursive: true, force: true })
  }
}, 90_000)

it("three processes that boot at once on one empty database all serve it", async () => {
  const database = await migratedDatabase(inject("pgUrl"))
  const env = { DATABASE_URL: database, ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 3).toString("base64")}` }
  const services = await Promise.all([startService(env), startService(env), startService(env)])
  try {
    const { partner, connectionId } = await connectSandbox(services[0]!)
    for (const service of services) {
      succeeded(await service.call("GET", `${api}/connections/${connectionId}`))
      succeeded(await service.call("GET", `${api}/sandbox/partners/${partner._id}`))
    }
    const started = await services[1]!.call("POST", `${api}/testing/journey-runs`, {
      connectionId,
      templateId: "first-reads"
    })
    const { reportId } = succeeded(started, 202)
    // Awaited in a process that does not run it.
    await until("the run to be over", async () => {
      const answer = await services[2]!.call("GET", `${api}/testing/runs/${reportId}?wait=5`)
      return succeeded(answer).verdict ?? undefined
    })
  } finally {
    assert.deepStrictEqual(await Promise.all(services.map((one) => one.kill("SIGTERM"))), [0, 0, 0])
  }
}, 60_000)

describe("a database that is away at boot", () => {
  let postgres: PrivatePostgres
  beforeAll(async () => {
    postgres = await privatePostgres()
    await postgres.start()
    await postgres.stop()
  }, 60_000)
  afterAll(() => postgres?.dispose())

  it("is waited for: one line says so, the process lives but is not ready, and serves when it comes", async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const { child, gone, output } = await startProcess(
      ["serve"],
      { DATABASE_URL: postgres.url(), PORT: String(port), LOG_FORMAT: "json", BOOTSTRAP_API_KEY: key },
      /tries again every second/
    )
    await sleep(2500)
    const ready = await fetch(`${url}/health/ready`)
    assert.strictEqual(ready.status, 503)
    assert.isAbove(Number(ready.headers.get("retry-after")), 0)
    assert.deepStrictEqual(Object.keys((await ready.json()) as object), ["success", "message"])
    assert.strictEqual((await fetch(`${url}/health/live`)).status, 200)
    assert.strictEqual((await fetch(`${url}${api}/testing/suites`)).status, 503)
    const lines = output().trim().split("\n")
    assert.strictEqual(lines.length, 1, output())
    assert.match(JSON.parse(lines[0]!).message, /^Postgres at 127\.0\.0\.1:\d+\/postgres is away/)
    assert.notInclude(output(), new URL(postgres.url()).password)

    await postgres.start()
    await until("it to listen", async () => (/"message":"listening"/.test(output()) ? true : undefined))
    const served = await fetch(`${url}${api}/testing/suites`, { headers: { authorization: `Bearer ${key}` } })
    assert.strictEqual(served.status, 200)
    child.kill("SIGTERM")
    assert.strictEqual(await gone, 0)
  }, 60_000)

  it("does not keep the process from being stopped", async () => {
    await postgres.stop()
    const { child, gone } = await startProcess(
      ["serve"],
      { DATABASE_URL: postgres.url(), PORT: String(await freePort()), LOG_FORMAT: "json" },
      /tries again every second/
    )
    child.kill("SIGTERM")
    assert.strictEqual(await gone, 0)
  }, 30_000)
})

describe("a signal", () => {
  const withRun = async (env: Record<string, string>) => {
    const service = await startService(env)
    const { connectionId } = await connectSandbox(service, { speed: 60 })
    const started = await service.call("POST", `${api}/testing/journey-runs`, {
      connectionId,
      templateId: "remote-start"
    })
    const { reportId, runId } = succeeded(started, 202)
    // For what comes again and again: of a result that is missed, a run can only say that it was away.
    await until("the run to wait for news of the session", async () => {
      const { data } = (await service.call("GET", `${api}/testing/journey-runs/${runId}`)).body as any
      return data.waitingFor !== null && data.stageId === "session-updates" ? true : undefined
    })
    return { service, runId: runId as string, reportId: reportId as string }
  }
  const stream = (service: Service, runId: string) =>
    fetch(`${service.url}${api}/testing/journey-runs/${runId}/stream`, {
      headers: { authorization: `Bearer ${key}` }
    })

  it("SIGTERM ends streams with a comment and retry, exits with 0, and the run goes on at the next boot", async () => {
    const env = {
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      PORT: String(await freePort()),
      LEASE_SECONDS: "2"
    }
    const { reportId, runId, service } = await withRun(env)
    const open = await stream(service, runId)
    const text = open.text()
    await sleep(200)
    const started = performance.now()
    const code = await service.kill("SIGTERM")
    assert.strictEqual(code, 0, service.output())
    assert.isBelow(performance.now() - started, 15_000)
    assert.match(await text, /\n\n: [^\n]+\nretry: \d+\n\n$/)

    const next = await startService(env)
    const verdict = await until("the run to be over", async () => {
      const answer = succeeded(await next.call("GET", `${api}/testing/runs/${reportId}?wait=5`))
      return answer.verdict ?? undefined
    })
    assert.strictEqual(verdict, "pass")
    const events = succeeded(await next.call("GET", `${api}/testing/journey-runs/${runId}/events?limit=1000`))
    const types = events.map((one: any) => one.type)
    assert.include(types, "run.resumed")
    assert.notInclude(types, "recovery.offered", "nobody had to decide")
    assert.strictEqual(types.at(-1), "run.completed")
    assert.strictEqual(await next.kill("SIGTERM"), 0)
  }, 90_000)

  it("SIGTERM ends the waiting of long polls and refuses what is new with 503 until the process is gone", async () => {
    const { reportId, service } = await withRun({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    const { revision } = succeeded(await service.call("GET", `${api}/testing/runs/${reportId}`))
    const poll = service.call("GET", `${api}/testing/runs/${reportId}?wait=30&since=${revision}`)
    await sleep(200)
    // What was asked for before it has begun when this is answered.
    succeeded(await service.call("GET", `${api}/testing/runs/${reportId}`))
    const started = performance.now()
    const gone = service.kill("SIGTERM")
    assert.strictEqual((await poll).status, 200)
    assert.strictEqual(await gone, 0)
    assert.isBelow(performance.now() - started, 15_000)
    assert.strictEqual(
      await service.call("GET", "/health/live").then(
        () => "alive",
        () => "gone"
      ),
      "gone"
    )
  }, 60_000)

  it("serves for DRAIN_SECONDS after SIGTERM, while only the readiness is refused", async () => {
    const service = await startService({
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      DRAIN_SECONDS: "3"
    })
    const gone = service.kill("SIGTERM")
    const began = performance.now()
    await until("the readiness to be refused", async () =>
      (await service.call("GET", "/health/ready")).status === 503 ? true : undefined
    )
    succeeded(await service.call("GET", `${api}/connections`))
    assert.strictEqual(await gone, 0)
    assert.isAtLeast(performance.now() - began, 2900)
  })

  it("SIGTERM twice ends at once", async () => {
    const { service } = await withRun({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    // A request whose body never comes holds the end up.
    const half = openSocket(service.url)
    half.write(
      `POST ${api}/connections HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
    )
    await once(half, "data")
    const began = performance.now()
    service.process.kill("SIGTERM")
    await until("the readiness to be refused", async () =>
      (await service.call("GET", "/health/ready")).status === 503 ? true : undefined
    )
    assert.strictEqual(await service.kill("SIGTERM"), "SIGTERM")
    half.destroy()
    // Requests have twelve seconds to end.
    assert.isBelow(performance.now() - began, 11_000)
  }, 60_000)

  it("SIGINT (Ctrl-C) ends serve and a lone sandbox in the same good order, with 0", async () => {
    const service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    assert.strictEqual(await service.kill("SIGINT"), 0)
    const sandbox = await startProcess(["sandbox"], {}, /tokenA/)
    sandbox.child.kill("SIGINT")
    assert.strictEqual(await sandbox.gone, 0)
  }, 30_000)
})

describe("what the command line refuses", () => {
  it("wrong settings: exit code 2, a line for each with name, value and what is expected, and no secret", async () => {
    const ended = await plugfest(["serve", "--port", "http"], {
      LEASE_SECONDS: "-1",
      LOG_LEVEL: "loud",
      ENCRYPTION_KEYS: "canary",
      DATABASE_URL: "mysql://user:canary@localhost/x"
    })
    assert.strictEqual(ended.code, 2)
    assert.strictEqual(ended.stdout, "")
    const lines = ended.stderr.trim().split("\n")
    assert.lengthOf(lines, 5, ended.stderr)
    for (const [name, value] of [
      ["PORT", '"http"'],
      ["LEASE_SECONDS", '"-1"'],
      ["LOG_LEVEL", '"loud"'],
      ["ENCRYPTION_KEYS", "not shown"],
      ["DATABASE_URL", "not shown"]
    ] as const) {
      const line = lines.find((one) => one.startsWith(`${name} `))
      assert.include(line, value)
      assert.include(line, "expected")
    }
    assert.notInclude(ended.stderr, "canary")
  })

  it("a plans file that cannot be read, an unknown flag, an unknown command: exit code 2", async () => {
    const noFile = await plugfest(["serve"], { PLANS_FILE: "/nowhere/plans.json" })
    assert.strictEqual(noFile.code, 2)
    assert.match(noFile.stderr, /^PLANS_FILE is "\/nowhere\/plans\.json": [^\n]+\n$/)
    assert.strictEqual((await plugfest(["serve", "--no-such-flag"])).code, 2)
    assert.strictEqual((await plugfest(["keys", "create", "--expires", "soon"])).code, 2)
  })

  it("a port in use: exit code 5 and one line that names it", async () => {
    const taken = createServer()
    const port = await new Promise<number>((resolve) =>
      taken.listen(0, "127.0.0.1", () => resolve((taken.address() as { port: number }).port))
    )
    const env = { DATABASE_URL: await migratedDatabase(inject("pgUrl")), PORT: String(port) }
    for (const args of [["serve"], ["sandbox", "--port", String(port)]]) {
      const ended = await plugfest(args, env)
      assert.strictEqual(ended.code, 5, ended.stderr)
      assert.match(
        ended.stderr.trim(),
        new RegExp(`^Cannot listen on 127\\.0\\.0\\.1, port ${port}: [^\n]+$`)
      )
    }
    taken.close()
  }, 30_000)

  it("a password that Postgres does not take: exit code 5 and one line without it", async () => {
    const url = new URL(inject("pgUrl"))
    url.password = "canary"
    const ended = await plugfest(["serve"], { DATABASE_URL: url.href, PORT: String(await freePort()) })
    assert.strictEqual(ended.code, 5)
    assert.match(ended.stderr.trim(), /^Postgres at 127\.0\.0\.1:\d+\/postgres: [^\n]+$/)
    assert.notInclude(ended.stderr, "canary")
  }, 30_000)
})

it.each(["verify", "test", "journey", "keys list"])("%s --help tells of that command", async (command) => {
  const { code, stdout } = await plugfest([...command.split(" "), "--help"])
  assert.strictEqual(code, 0)
  assert.include(stdout, `  plugfest ${command} `)
})

it("serve --help names every setting that the table in Settings.ts has, with variable and flag", async () => {
  const { code, stdout } = await plugfest(["serve", "--help"])
  assert.strictEqual(code, 0)
  const source = await readFile(new URL("../../../src/Settings.ts", import.meta.url), "utf8")
  const variables = [...source.matchAll(/variable: "([A-Z_]+)"/g)].map((found) => found[1]!)
  assert.isAbove(variables.length, 15)
  const text = stdout.replace(/\s+/g, " ")
  for (const variable of variables) {
    assert.include(text, `(${variable}; default: `)
    assert.include(text, `--${variable.toLowerCase().replaceAll("_", "-")} `)
  }
})

describe("plugfest keys", () => {
  let service: Service
  let env: Record<string, string>
  beforeAll(async () => {
    env = { DATABASE_URL: await migratedDatabase(inject("pgUrl")) }
    service = await startService(env)
  }, 60_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  it("makes a key that is shown once and kept as a hash, lists it without its text, and revokes it", async () => {
    const made = await plugfest(["keys", "create", "--name", "of the test", "--expires", "1d"], env)
    assert.strictEqual(made.code, 0, made.stderr)
    const text = made.stdout.trim()
    assert.match(text, /^pf_live_[A-Za-z0-9]+$/, "alone on stdout")
    const headers = { authorization: `Bearer ${text}` }
    const ask = () => service.call("GET", `${api}/testing/suites`, undefined, headers)
    succeeded(await ask())

    const listed = await plugfest(["keys", "list"], env)
    const line = listed.stdout.split("\n").find((one) => one.includes("of the test"))!
    const id = line.split(" ")[0]!
    assert.match(id, /^key_/)
    assert.include(line, text.slice(-4))
    assert.notInclude(listed.stdout + listed.stderr, text)
    const stored = await rows(env["DATABASE_URL"]!, "select row_to_json(k)::text as row from api_key k")
    assert.notInclude(JSON.stringify(stored), text.slice(12, -4))

    assert.strictEqual((await plugfest(["keys", "revoke", id], env)).code, 0)
    await until(
      "the revoked key to be refused (at most five seconds)",
      async () => {
        const answer = await ask()
        return answer.status === 401 ? refused(answer, 401) : undefined
      },
      15_000
    )
    assert.match((await plugfest(["keys", "list"], env)).stdout, /of the test.*revoked/)
  }, 60_000)

  it("a key with scope read reads, and 403 for the rest; an unknown key cannot be revoked", async () => {
    const made = await plugfest(["keys", "create", "--scope", "read"], env)
    const headers = { authorization: `Bearer ${made.stdout.trim()}` }
    succeeded(await service.call("GET", `${api}/testing/runs`, undefined, headers))
    refused(await service.call("POST", `${api}/testing/command`, {}, headers), 403, /scope/)
    refused(await service.call("POST", `${api}/connections`, {}, headers), 403, /connections:write/)
    const unknown = await plugfest(["keys", "revoke", "key_unknown"], env)
    assert.strictEqual(unknown.code, 2)
    assert.match(unknown.stderr, /key_unknown/)
  }, 30_000)
})
