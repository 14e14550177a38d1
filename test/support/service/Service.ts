/** The built service as a process of its own, and plain HTTP towards it: shares no code with src/. */
import { type ChildProcess, spawn } from "node:child_process"
import { randomInt } from "node:crypto"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** What is tested: the build, or another one that PLUGFEST_BUNDLE names. */
export const bundle =
  process.env["PLUGFEST_BUNDLE"] ?? join(dirname(fileURLToPath(import.meta.url)), "../../../dist/plugfest.js")

/** A bootstrap key that is hard enough to guess; the same in every end-to-end test. */
export const key = "pf_test_7kQm2xVd9RtL4wZc8nHs3yBf6gJp1aEu"

export interface Answer<A = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly success: boolean; readonly data: A; readonly message?: string }
  readonly text: string
}

export interface Service {
  readonly url: string
  readonly process: ChildProcess
  /** Everything that it wrote so far, stdout and stderr. */
  readonly output: () => string
  readonly call: <A = any>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>
  ) => Promise<Answer<A>>
  /** Resolves when the process is gone, with its exit code or signal. */
  readonly gone: Promise<number | NodeJS.Signals | null>
  readonly kill: (signal?: NodeJS.Signals) => Promise<number | NodeJS.Signals | null>
}

export const sleep = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/**
 * A port for what is to come back at the same one. It lies below those that outgoing connections are given, and no other process
 * of tests gets it for as long as this one lives: a service listens seconds after its port was picked. Else prefer PORT=0, and
 * read what the process says.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000)
    if (reserve(port) && (await isFree(port))) return port
  }
}

/** The process that got each port, by its id. */
const reservations = join(tmpdir(), "plugfest-test-ports")

function reserve(port: number): boolean {
  mkdirSync(reservations, { recursive: true })
  const file = join(reservations, String(port))
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" })
    return true
  } catch {
    // Taken. Those of processes that have ended are given again, to a later caller.
    if (!isRunning(file)) rmSync(file, { force: true })
    return false
  }
}

function isRunning(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, "utf8")), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })

/** Polls until `read` gives a value; fails with what was last seen. */
export async function until<A>(
  what: string,
  read: () => Promise<A | undefined>,
  millis = 30_000
): Promise<A> {
  const end = performance.now() + millis
  for (;;) {
    const value = await read()
    if (value !== undefined) return value
    if (performance.now() > end) throw new Error(`still waiting for ${what}`)
    await sleep(50)
  }
}

/**
 * The environment of a process. A DATABASE_URL of a test cluster is its superuser's: the process gets that for migrations
 * alone, and serves with a login of its own. A test that says something about logins itself is left alone.
 */
export function environmentOf(given: Record<string, string>): NodeJS.ProcessEnv {
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], TZ: "UTC", ...given }
  const { DATABASE_ADMIN_URL, DATABASE_ALLOW_SUPERUSER, DATABASE_URL } = given
  if (DATABASE_URL === undefined || !/^postgres(ql)?:/.test(DATABASE_URL)) return env
  if ((DATABASE_ADMIN_URL ?? DATABASE_ALLOW_SUPERUSER) !== undefined) return env
  return { ...env, DATABASE_ADMIN_URL: DATABASE_URL, DATABASE_URL: servingUrl(DATABASE_URL) }
}

/** The same database, with the login that the processes of tests serve with. */
export function servingUrl(database: string): string {
  const url = new URL(database)
  url.username = "e2e_service"
  url.password = "e2e_service"
  return url.href
}

/** Starts a process of the built service, or of this copy of it, with these arguments and waits for `ready` in its output. */
export async function startProcess(
  args: ReadonlyArray<string>,
  env: Record<string, string>,
  ready: RegExp,
  node: ReadonlyArray<string> = [],
  program = bundle
): Promise<{ child: ChildProcess; output: () => string; gone: Service["gone"] }> {
  const child = spawn(process.execPath, [...node, program, ...args], {
    env: environmentOf(env),
    stdio: ["ignore", "pipe", "pipe"]
  })
  let text = ""
  child.stdout?.on("data", (chunk) => {
    text += chunk
  })
  child.stderr?.on("data", (chunk) => {
    text += chunk
  })
  const gone = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal))
  )
  await until(
    `the process (${args.join(" ")}) to be ready:\n${text}`,
    async () => {
      if (ready.test(text)) return true
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended at once:\n${text}`)
      return undefined
    },
    40_000
  )
  return { child, output: () => text, gone }
}

/**
 * Starts the built service and waits until it listens: on PORT, or on a port that it picks. `env` adds to or replaces
 * settings; who gives PUBLIC_URL gives PORT too.
 */
export async function startService(
  env: Record<string, string>,
  node: ReadonlyArray<string> = [],
  program = bundle
): Promise<Service> {
  const port = env["PORT"] ?? (env["PUBLIC_URL"] === undefined ? "0" : String(await freePort()))
  const { child, output, gone } = await startProcess(
    ["serve"],
    {
      PORT: port,
      BOOTSTRAP_API_KEY: key,
      LOG_FORMAT: "json",
      RATE_LIMITS: "requests=100000,runs=1000,streams=1000",
      ...env
    },
    /"message":"listening".*\n/,
    node,
    program
  )
  const url =
    port === "0" ? /"message":"listening","url":"([^"]+)"/.exec(output())![1]! : `http://127.0.0.1:${port}`
  return {
    url,
    process: child,
    output,
    gone,
    kill: (signal = "SIGKILL") => {
      child.kill(signal)
      return gone
    },
    call: callAt(url)
  }
}

/** Calls with the bootstrap key at that address, e.g. of a balancer. */
export const callAt =
  (url: string): Service["call"] =>
  async (method, path, body, headers = {}) => {
    const response = await fetch(path.startsWith("http") ? path : `${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    let parsed: any
    try {
      parsed = JSON.parse(text)
    } catch {
      parsed = undefined
    }
    return { status: response.status, headers: response.headers, body: parsed, text }
  }

/** A registered connection to a partner at this versions URL. */
export async function connect(
  service: Pick<Service, "call">,
  partner: { readonly partnerBaseUrl: string; readonly tokenA: string },
  theirRole: "CPO" | "EMSP" = "CPO",
  more: { readonly hub?: boolean } = {}
): Promise<string> {
  const created = await service.call("POST", "/api/v1/connections", {
    partnerBaseUrl: partner.partnerBaseUrl,
    tokenA: partner.tokenA,
    ourRole: theirRole === "CPO" ? "EMSP" : "CPO",
    theirRole,
    ocpiVersion: "2.2.1",
    ...more
  })
  if (created.status !== 201) throw new Error(`create: ${created.status} ${created.text}`)
  const shaken = await service.call("POST", `/api/v1/connections/${created.body.data._id}/handshake`)
  if (shaken.body?.data?.status !== "registered")
    throw new Error(`handshake: ${shaken.status} ${shaken.text}`)
  return created.body.data._id
}

/** A sandbox CPO inside the service and a registered connection to it. */
export async function connectSandbox(service: Service, more: Record<string, unknown> = {}) {
  const made = await service.call("POST", "/api/v1/sandbox/partners", {
    theirRole: "CPO",
    ocpiVersion: "2.2.1",
    seed: 1,
    speed: 3600,
    ...more
  })
  if (made.status !== 201) throw new Error(`sandbox: ${made.status} ${made.text}`)
  return { partner: made.body.data, connectionId: await connect(service, made.body.data) }
}
