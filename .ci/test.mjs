// Everything the README's test command runs, in one report: static checks first, then the tests on the built server.
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { proofTotals } from "./proofTotals.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const bin = (name) => join(root, "node_modules", name)
const out = mkdtempSync(join(tmpdir(), "plugfest-test-"))

let passed = 0
let failed = 0
let skipped = 0

/** Runs one tool to its end; counts it as one check. */
function check(title, args) {
  const started = Date.now()
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" })
  say(title, status === 0, started)
}

/** Starts a tool that takes long on one processor beside the others; its words and its result come when they are asked for. */
function beside(title, args, env) {
  const started = Date.now()
  const words = join(out, "beside.txt")
  const file = openSync(words, "w")
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", file, file], env })
  const ended = new Promise((resolve) => child.once("exit", resolve))
  return async () => {
    const status = await ended
    process.stdout.write(readFileSync(words, "utf8"))
    say(title, status === 0, started)
  }
}

function say(title, ok, started) {
  if (ok) passed += 1
  else failed += 1
  process.stdout.write(`${ok ? "ok  " : "FAIL"} ${title} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`)
}

check("type check", [bin("typescript-native/bin/tsc"), "-p", "tsconfig.json"])
check("type check of the console", [bin("typescript-native/bin/tsc"), "-p", "src/console"])
const sampled = { ...sample(), ...process.env, CI: "true" }
const diagnosed = beside(
  "Effect diagnostics",
  ["--max-semi-space-size=64", join(root, ".ci", "effectDiagnostics.mjs")],
  sampled
)
check("lint and format", [bin("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."])
check("build", [join(root, ".ci", "build.mjs")])

/**
 * What takes long is played in part, picked by the commit: one of the tests that take a minute each (all: npm run test:long),
 * one of three that wait as long, a fourth of the Effect diagnostics of tests and measures (all: npm run check),
 * every sixteenth fault of the proof matrix, every tenth of a partner in a journey and every tenth append at which a process dies
 * (all: npm run test:proof), every twelfth file of attacks and of rows of docs/security.md (all: npm run attacks) and of the
 * console in a browser (all: npm run test:console), every tenth one of the built service (all: npm run test:service), every
 * ninth shape of a real system (all: npm run strangers -- --personas), 4 conformant strangers and three single faults of some
 * (all: npm run strangers -- --seeds 500, -- --mutations all), every sixteenth append of two of three runs that are killed (all:
 * KILL_EVERY=1). Each part is of what these commands play, so that what they have shown holds for every commit's part.
 */
function sample() {
  const all = readdirSync(join(root, "test/long")).filter((name) => name.endsWith(".test.ts"))
  const { stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" })
  const turn = Number.parseInt(stdout?.slice(0, 6) ?? "", 16) || 0
  const chosen = all[turn % all.length]
  const strangers = String((turn % 62) * 8)
  process.stdout.write(
    `By its commit (SAMPLE_TURN=${turn}) this plays ${chosen} of ${all.length} long tests, a sixteenth of the proof matrix, a ninth of the personas, a tenth of the faults and crashes of journeys, some kills, every twelfth file of attacks, security and console, every tenth one of the built service, and strangers from ${strangers}\n`
  )
  return {
    LONG_TESTS: chosen,
    SAMPLE_TURN: String(turn),
    STRANGERS_FROM: strangers
  }
}

const report = join(out, "vitest.json")
spawnSync(
  process.execPath,
  [
    bin("vitest/vitest.mjs"),
    "run",
    "--config",
    "test/vitest.config.ts",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...process.argv.slice(2)
  ],
  { cwd: root, stdio: "inherit", env: sampled }
)
try {
  const result = JSON.parse(readFileSync(report, "utf8"))
  passed += result.numPassedTests
  // A file that could not be loaded, or an error outside of any test, counts as one failure.
  const broken = result.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0
  )
  failed += result.numFailedTests + broken.length
  skipped = result.numPendingTests
  if (!result.success && failed === 0) failed += 1
  const totals = proofTotals(result.testResults.flatMap((file) => file.assertionResults))
  if (totals !== undefined) process.stdout.write(`\n${totals}\n\n`)
} catch {
  failed += 1
  process.stdout.write("FAIL the test runner left no report\n")
}
await diagnosed()
rmSync(out, { recursive: true, force: true })

if (skipped > 0)
  process.stdout.write(
    `SKIPPED ${skipped} tests: those in a browser are, where there is no Chromium (set CHROMIUM to its path)\n`
  )
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
