/** The files of the build: which of them a command runs, its compiled code, and what a stack names. */
import { execFile } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, beforeEach, describe, inject, it } from "vitest"
import { plugfest } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import { bundle, sleep, startService, until } from "../../support/service/Service.ts"

const run = promisify(execFile)

const commands = readdirSync(new URL("../../../src/cli/commands", import.meta.url)).map((file) =>
  basename(file, ".ts")
)

it.each(commands)(
  "plugfest %s --help tells of that command",
  async (command) => {
    const { code, stderr, stdout } = await plugfest([command, "--help"])
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, new RegExp(`^Usage\\n  plugfest ${command}\\b`, "m"))
  },
  60_000
)

it("plugfest --help lists every command", async () => {
  const { code, stdout } = await plugfest(["--help"])
  assert.strictEqual(code, 0)
  const listed = [...stdout.matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)].map(([, name]) => name!)
  assert.deepStrictEqual([...new Set(listed)].sort(), [...commands].sort())
})

it.each(["bash", "fish", "zsh"])(
  "the completions for %s have the commands with their flags",
  async (shell) => {
    const { code, stdout } = await plugfest(["--completions", shell])
    assert.strictEqual(code, 0)
    for (const command of commands) assert.include(stdout, command)
    assert.include(stdout, "ocpi-version")
  }
)

it("the stack of an error names its source files", async () => {
  const directory = mkdtempSync(join(tmpdir(), "plugfest-stack-"))
  const file = join(directory, "empty.json")
  writeFileSync(file, "{}")
  const breaks = "data:text/javascript,process.stdout.write=()=>{throw new Error('probe')}"
  const args = ["--import", breaks, bundle, "validate", "--ocpi-version", "2.2.1", "location", file]
  const { code, stderr } = await run(process.execPath, args).then(
    () => ({ code: 0, stderr: "" }),
    (error) => error
  )
  rmSync(directory, { recursive: true })
  assert.strictEqual(code, 5)
  assert.match(stderr, /^Error: probe\n(.*\n)* +at .*\/src\/cli\/terminal\/Terminal\.ts:\d+:\d+\n/)
  assert.match(stderr, /\/src\/cli\/commands\/validate\.ts:\d+:\d+/)
  assert.notInclude(stderr, ".cjs:")
})

describe("the compiled code", () => {
  let directory: string
  const compiled = () => join(directory, "compiled")
  const help = async (...node: ReadonlyArray<string>) => {
    const { stdout } = await run(process.execPath, [...node, join(directory, "plugfest.js"), "--help"])
    assert.include(stdout, "journey")
  }
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "plugfest-dist-"))
    const wanted = /^(compiled|(plugfest|heartbeatThread)\.js|(client|service)\.cjs)$/
    cpSync(dirname(bundle), directory, {
      recursive: true,
      filter: (path) => path === dirname(bundle) || wanted.test(basename(path))
    })
  })
  beforeEach(() => rmSync(compiled(), { recursive: true, force: true }))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  it("is there after the build, for both bundles", () => {
    const names = readdirSync(join(dirname(bundle), "compiled")).map((name) => name.split("-")[0])
    assert.includeMembers(names, ["client", "service"])
  })

  it("is kept by a process that has not found any, and used by the next", async () => {
    await help()
    const [name] = readdirSync(compiled())
    assert.isAbove(statSync(join(compiled(), name!)).size, 100_000)
    const { mtimeMs } = statSync(join(compiled(), name!))
    await help()
    assert.deepStrictEqual(readdirSync(compiled()), [name])
    assert.strictEqual(statSync(join(compiled(), name!)).mtimeMs, mtimeMs)
  })

  it("of another version, or cut off, is made anew", async () => {
    await help()
    const [name] = readdirSync(compiled())
    const { size } = statSync(join(compiled(), name!))
    for (const broken of ["", "of another version", "\0".repeat(size)]) {
      writeFileSync(join(compiled(), name!), broken)
      await help()
      assert.closeTo(statSync(join(compiled(), name!)).size, size, size / 10)
    }
  })

  it("of a process with other flags of V8 does not displace it", async () => {
    await help()
    await help("--max-old-space-size=300")
    assert.lengthOf(readdirSync(compiled()), 2)
  })

  it("of a service is kept after its start, and used by the next start", async () => {
    const kept = () => {
      const name = existsSync(compiled())
        ? readdirSync(compiled()).find((file) => file.startsWith("service-serve-"))
        : undefined
      return name === undefined ? undefined : statSync(join(compiled(), name))
    }
    const database = await migratedDatabase(inject("pgUrl"))
    const serve = async (whileItStays: () => Promise<unknown>) => {
      const service = await startService({ DATABASE_URL: database }, [], join(directory, "plugfest.js"))
      await whileItStays()
      await service.kill("SIGTERM")
    }
    await serve(() => until("the compiled code", async () => kept()))
    const first = kept()!
    assert.isAbove(first.size, 1_000_000)
    await serve(() => sleep(2500))
    assert.strictEqual(kept()!.mtimeMs, first.mtimeMs)
    assert.lengthOf(readdirSync(compiled()), 1)
  }, 60_000)

  it("is done without where it cannot be kept", async () => {
    writeFileSync(compiled(), "a file in the place of the directory")
    await help()
  })
})

describe("literals that begin with a spread (decision 39)", async () => {
  const { withNothingFirst }: { withNothingFirst: (text: string, path: string) => string } = await import(
    new URL("../../../.ci/spreads.mjs", import.meta.url).href
  )

  it("give objects that share a hidden class, and mean the same", async () => {
    const sample = `const made = (a) => ({ ...a, b: 2, c: { ...a, ...{ d: 3 } } })
      const { x, ...rest } = { x: 1, y: 2 }
      const one = made({ a: 1 }), other = made({ a: 9, b: 9 })
      const classes = [made({ a: 2 }), made({ a: 3 })]
      console.log(JSON.stringify([one, other, { ...rest }]), %HaveSameMap(classes[0], classes[1]), %HaveSameMap(classes[0].c, classes[1].c))`
    const text = withNothingFirst(sample, "sample.js")
    assert.strictEqual(text.match(/__nothing/g)?.length, 2)
    const { stdout } = await run(process.execPath, [
      "--allow-natives-syntax",
      "-e",
      `const __nothing = null\n${text}`
    ])
    assert.strictEqual(
      stdout.trim(),
      '[{"a":1,"b":2,"c":{"a":1,"d":3}},{"a":9,"b":2,"c":{"a":9,"b":9,"d":3}},{"y":2}] true true'
    )
  })

  it("are bundled so in both bundles", () => {
    const textOf = (name: string) => readFileSync(join(dirname(bundle), name), "utf8")
    assert.isAbove(textOf("service.cjs").split("{...__nothing,").length, 1000)
    // All of the smaller one are looked at, which takes a second.
    const again = withNothingFirst(textOf("client.cjs").replaceAll("__nothing", "nothing"), "client.js")
    assert.isAbove(again.split("...__nothing, ...nothing,").length, 100)
    assert.isNull(again.match(/\.\.\.__nothing, \.\.\.(?!nothing\b)/g))
  })
})
