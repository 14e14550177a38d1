/** What we build and run from: exact versions, known by their hash, without scripts, under licences that we may ship. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const manifest = JSON.parse(read("package.json"))

interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly license?: string
  readonly hasInstallScript?: boolean
}
const locked = Object.entries<Locked>(JSON.parse(read("package-lock.json")).packages).filter(
  ([path]) => path !== ""
)

const licences = ["MIT", "Apache-2.0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "MIT OR Apache-2.0"]

describe("the packages that we build from", () => {
  it("are pinned to one version each", () => {
    const { dependencies, devDependencies, optionalDependencies, overrides } = manifest
    const wanted = Object.entries<string>({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...overrides
    })
    assert.isAbove(wanted.length, 30)
    for (const [name, version] of wanted)
      assert.match(version, /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, name)
  })

  it("are known by a SHA-512 hash, all of them", () => {
    assert.isAbove(locked.length, 200)
    for (const [path, { integrity }] of locked) assert.match(integrity ?? "", /^sha512-/, path)
  })

  it("are under licences that allow to ship them", () => {
    for (const [path, { license }] of locked) assert.include(licences, license, path)
  })

  it("run no script when they are installed, here and in the container", () => {
    assert.match(read(".ci/install.mjs"), /"--ignore-scripts"/)
    assert.match(read(".docker/Dockerfile"), /npm ci --ignore-scripts/)
    for (const allowed of Object.values(manifest.allowScripts)) assert.isFalse(allowed)
    for (const script of Object.keys(manifest.scripts))
      assert.notMatch(script, /^(pre|post)?install$|^prepare$/)
  })
})

describe("the container", () => {
  const dockerfile = read(".docker/Dockerfile")
  const compose = read("docker-compose.yml")

  it("runs as nobody in particular, without a shell between it and its signals", () => {
    assert.match(dockerfile, /^USER node$/m)
    assert.isAbove(dockerfile.lastIndexOf("USER node"), dockerfile.lastIndexOf("RUN "))
    assert.match(dockerfile, /^CMD \["node", /m)
  })

  it("gets nothing that is not named, and no secret at build time", () => {
    assert.strictEqual(read(".dockerignore").split("\n")[0], "*")
    assert.notMatch(dockerfile, /^(ARG|ENV|LABEL)[^\n]*(KEY|TOKEN|SECRET|PASSWORD)/im)
    assert.notMatch(dockerfile, /^ADD /m)
  })

  it("cannot write to its own files, has no capability, and listens on this machine only", () => {
    const service = compose.slice(compose.indexOf("\n  plugfest:"))
    assert.match(service, /read_only: true/)
    assert.match(service, /cap_drop: \[ALL\]/)
    assert.match(service, /no-new-privileges:true/)
    for (const [, published] of compose.matchAll(/^\s+- "([\d.:]+)"$/gm))
      assert.match(published!, /^127\.0\.0\.1:/)
    const database = compose.slice(compose.indexOf("\n  postgres:"), compose.indexOf("\n  plugfest:"))
    assert.notMatch(database, /ports:/)
  })

  it("is given longer to stop than all that may end first takes together", () => {
    const limits = { requests: 12, errands: 12, journeys: 10, pool: 5, traces: 3, listener: 1 }
    const seconds = Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1])
    assert.isAbove(
      seconds,
      Object.values(limits).reduce((sum, limit) => sum + limit)
    )
  })

  it("has no file of its own that would hold a key", () => {
    const files = readdirSync(join(root, ".docker"))
    assert.deepStrictEqual(files, ["Dockerfile"])
  })
})
