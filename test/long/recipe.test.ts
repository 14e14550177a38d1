/** The recipe of docs/ci.md, step by step as a runner plays it, from an empty folder. */
import { spawn } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, it } from "vitest"
import { parse } from "yaml"
import { freePort, startProcess, until } from "../support/service/Service.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "../..")
const folder = mkdtempSync(join(tmpdir(), "plugfest-recipe-"))
/** The process groups of the steps: what a step leaves running is of its group. */
const groups: Array<number> = []
let partner: Awaited<ReturnType<typeof startProcess>> | undefined

/** How this machine reaches a registry; without it a step waits for minutes, and fails. */
const wayToRegistry = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined &&
    /^(npm_config_(registry|cafile|\w*proxy)|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy)$/i.test(
      name
    )
      ? [[name, value] as const]
      : []
  )
)

interface Step {
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
  readonly run?: string
}

/** As a runner does: a shell that stops at the first error, and goes on to the next step when this one has ended. */
const play = (line: string, env: Readonly<Record<string, string>>) =>
  new Promise<{ readonly code: number | null; readonly output: string }>((resolve) => {
    const shell = spawn("bash", ["-e", "-c", line], {
      cwd: folder,
      detached: true,
      env,
      stdio: ["ignore", "pipe", "pipe"]
    })
    if (shell.pid !== undefined) groups.push(shell.pid)
    let output = ""
    for (const stream of [shell.stdout, shell.stderr])
      stream.on("data", (chunk) => {
        output += chunk
      })
    shell.once("exit", (code) => resolve({ code, output }))
  })

const isRunning = (group: number): boolean => {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

afterAll(async () => {
  for (const group of groups.filter(isRunning)) process.kill(-group, "SIGTERM")
  await until("the steps to end", async () => (groups.some(isRunning) ? undefined : true))
  partner?.child.kill("SIGTERM")
  rmSync(folder, { recursive: true, force: true })
}, 120_000)

it("docs/ci.md: every step ends well, and the reports are there", async () => {
  const page = readFileSync(join(root, "docs/ci.md"), "utf8")
  const [, file = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const steps: ReadonlyArray<Step> = parse(file).jobs.ocpi.steps
  partner = await startProcess(["sandbox", "--ocpi-version", "2.2.1"], { LOG_FORMAT: "json" }, /tokenA/)
  const { tokenA, versionsUrl } = JSON.parse(/^\{.*tokenA.*\}$/m.exec(partner.output())![0])
  const port = String(await freePort())
  const ofJob = join(folder, "github.env")
  writeFileSync(ofJob, "")
  const given = {
    ...wayToRegistry,
    PATH: [join(folder, "global/bin"), process.env["PATH"]].join(delimiter),
    HOME: process.env["HOME"] ?? folder,
    GITHUB_ENV: ofJob,
    PARTNER_TOKEN: tokenA,
    PORT: port,
    PLUGFEST_URL: `http://127.0.0.1:${port}`,
    // What this machine has is taken from it, and "global" is this folder.
    npm_config_prefer_offline: "true",
    npm_config_prefix: join(folder, "global")
  }
  mkdirSync(join(folder, "global"))
  let played = 0
  for (const { run, uses = "", with: options } of steps) {
    if (uses.startsWith("actions/checkout@") && options?.["path"] !== undefined)
      for (const name of readdirSync(root))
        if (!["node_modules", "dist", ".git", ".plugfest"].includes(name))
          cpSync(join(root, name), join(folder, options["path"], name), { recursive: true })
    // The backend under test is here already.
    if (run === undefined || run.startsWith("./start-backend.sh")) continue
    const own = Object.fromEntries(
      readFileSync(ofJob, "utf8")
        .split("\n")
        .filter((line) => line.includes("="))
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)])
    )
    const here = run
      .replaceAll("http://127.0.0.1:9000/ocpi/versions", versionsUrl)
      .replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`)
    const { code, output } = await play(here, { ...given, ...own })
    assert.strictEqual(code, 0, `${run}\n${output}`)
    played += 1
  }
  assert.isAtLeast(played, 8)
  for (const name of ["junit.xml", "report.html"]) assert.isTrue(existsSync(join(folder, name)), name)
}, 600_000)
