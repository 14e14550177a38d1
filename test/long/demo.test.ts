/** `plugfest demo`, as a newcomer plays it first: installed from its tarball, in a folder of theirs, on the embedded database. */
import { spawn } from "node:child_process"
import { afterAll, assert, beforeAll, it } from "vitest"
import { type Installed, install } from "../support/service/installed.ts"
import { environmentOf } from "../support/service/Service.ts"

let installed: Installed
beforeAll(async () => {
  installed = await install()
}, 240_000)
afterAll(() => installed?.remove())

it("plays the common version, explains its signs once, and ends with two verdicts", async () => {
  installed.withPostgres()
  const child = spawn(installed.program, ["demo"], {
    cwd: installed.folder,
    env: environmentOf({ NO_COLOR: "1" }),
    stdio: ["ignore", "pipe", "pipe"]
  })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (chunk) => {
    stdout += chunk
  })
  child.stderr.on("data", (chunk) => {
    stderr += chunk
  })
  const code = await new Promise((resolve) => child.once("close", resolve))
  assert.strictEqual(code, 0, stderr)
  assert.match(stdout, /^KEY=pf_live_\w+\nconformance rep_\w+ pass\njourney rep_\w+ pass\n$/)
  assert.include(stderr, "sandbox CPO sbx_")
  assert.include(stderr, ", OCPI 2.2.1, at ")
  for (const sign of ["-> we call the partner, <- the partner calls us", "[·>~#x-]: a stage that is"])
    assert.lengthOf(stderr.split(sign), 2, sign)
  const [, report] = /npx plugfest report (rep_\w+)/.exec(stderr) ?? []
  assert.include(stdout, `conformance ${report} pass`)
}, 180_000)
