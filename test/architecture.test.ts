import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Array } from "effect"
import ts from "typescript"
import { assert, describe, it } from "vitest"
import {
  circlesOf,
  depthOf,
  docstringsOf,
  filesUnder,
  graphOf,
  readSource,
  roomOf,
  typeNamesTwice,
  within,
  withinRoom
} from "./structure.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")

/** Rooms by floor. A room imports from floors below it, and never from its neighbours. */
const floors: ReadonlyArray<ReadonlyArray<string>> = [
  ["schema"],
  ["machines", "src/api", "src/client", "src/findings", "src/redaction", "src/reports", "src/telemetry"],
  ["src/database", "src/ocpi", "src/archive"],
  ["src/placement"],
  ["src/store", "src/ledger"],
  ["src/party"],
  ["src/runs"],
  ["src/conformance", "src/journeys", "src/sandbox"],
  ["src/services"],
  ["src/http", "src/cli", "src/console"],
  ["src"]
]

/** Packages that a room may use, where that is limited. */
const packages: Readonly<Record<string, ReadonlyArray<string>>> = {
  schema: ["effect"],
  machines: ["xstate"],
  "src/findings": ["effect"],
  "src/redaction": ["effect", "node:crypto"],
  "src/reports": ["node:crypto"],
  "src/telemetry": ["effect", "node:crypto"],
  "src/archive": ["effect", "aws4fetch", "node:crypto", "node:fs", "node:path", "node:url"],
  "src/api": ["effect", "@effect/platform"],
  "src/client": [],
  "src/console": [
    ...["react", "react-dom"],
    ...["@tanstack/react-query", "@tanstack/react-router", "@tanstack/react-virtual"]
  ]
}

const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room))

const importsOf = (file: string) =>
  [...readFileSync(join(root, file), "utf8").matchAll(/(?:^|[\s}*])(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(
    (match) => match[1]!
  )

/** The text without comments, so that a comment may name what the code must not use. */
const codeOf = (file: string) =>
  readFileSync(join(root, file), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")

/** `a/b/c.ts`: `a`, `a/b`. */
const foldersAbove = (path: string): ReadonlyArray<string> => {
  const above = dirname(path)
  return above === "." ? [] : [...foldersAbove(above), above]
}

const sources = ["schema", "machines", "src"].flatMap(filesUnder)

describe("the floor plan", () => {
  it("knows every room", () => {
    const unknown = sources.filter((file) => floorOf(roomOf(file)) < 0)
    assert.deepStrictEqual(unknown, [])
  })

  it("lets imports go down, never up and never sideways", () => {
    const wrong = sources.flatMap((file) => {
      const room = roomOf(file)
      return importsOf(file)
        .filter((name) => name.startsWith("."))
        .map((name) => relative(root, resolve(root, dirname(file), name)))
        .filter((target) => {
          const other = roomOf(target)
          if (other === room) return false
          // The command line starts the service, so it may use the wiring of the roof.
          if (room === "src/cli" && other === "src") return false
          return floorOf(other) >= floorOf(room)
        })
        .map((target) => `${file} imports ${target}`)
    })
    assert.deepStrictEqual(wrong, [])
  })

  /** The folds of a run's events, which the console and the command line use as the service does: there is no second one. */
  const folds = ["machines/runProgress.ts", "machines/runCounts.ts"]

  /** The words for a clause of OCPI, which pages and reports share. */
  const words = "src/reports/clauseInWords.ts"

  it("has folds of a run's events that bring nothing else into a browser", () => {
    const brought = [...folds, words].flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/^import (?!type ).*$/gm)].map(([line]) => line)
    )
    assert.deepStrictEqual(brought, [])
  })

  it("keeps the command line off the inner rooms", () => {
    const allowed = ["src/cli", "src", "src/api", "src/client", "src/reports", "src/findings", "schema"]
    const wrong = filesUnder("src/cli").flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith("."))
        .map((name) => relative(root, resolve(root, dirname(file), name)))
        .filter((target) => !allowed.includes(roomOf(target)) && !folds.includes(target))
        .map((target) => `${file} imports ${target}`)
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("lets the console use the published client, the folds, the words for a clause, and nothing else of ours", () => {
    const wrong = filesUnder("src/console").flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith("."))
        .map((name) => relative(root, resolve(root, dirname(file), name)))
        .filter((target) => roomOf(target) !== "src/console")
        .filter((target) => ![...folds, words, "src/client/plugfest.ts"].includes(target))
        .map((target) => `${file} imports ${target}`)
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("limits the packages of the lower floors", () => {
    const wrong = sources.flatMap((file) => {
      const allowed = packages[roomOf(file)]
      if (allowed === undefined) return []
      return importsOf(file)
        .filter((name) => !name.startsWith("."))
        .filter((name) => !allowed.some((known) => name === known || name.startsWith(`${known}/`)))
        .map((name) => `${file} imports ${name}`)
    })
    assert.deepStrictEqual(wrong, [])
  })
})

/** In the table of sub-rooms: the files that stand directly in the room and are not named. */
const otherFiles = "*.ts"

type Levels = ReadonlyArray<ReadonlyArray<string>>

/**
 * The sub-rooms of each room, from the bottom up, as ARCHITECTURE.md has them. A row is `src/room/`, then names in the order in which
 * they may import: between ` · ` one above the other, between commas beside each other. What stands in brackets says what is in them.
 */
const subRooms: ReadonlyMap<string, Levels> = new Map(
  [
    ...readFileSync(join(root, "docs/ARCHITECTURE.md"), "utf8").matchAll(/^\| `([\w/]+)\/` \| (.*·.*) \|$/gm)
  ].map(([, room = "", cell = ""]) => [
    room,
    cell
      .replace(/\([^)]*\)/g, "")
      .split(" · ")
      .map((level) => [...level.matchAll(/`([^`]+?)\/?`/g)].map(([, name = ""]) => name))
  ])
)

const isOther = (levels: Levels, name: string) => /\.tsx?$/.test(name) && !levels.flat().includes(name)

/** The level of a sub-room or file, from 0; -1: the table does not have it. */
const levelOf = (levels: Levels, name: string) =>
  levels.findIndex((level) => level.includes(isOther(levels, name) ? otherFiles : name))

describe("the rooms within a room", () => {
  const files = sources.map(readSource)
  const rooms = [...new Set(sources.map(roomOf))]

  it("are on eight floors at most", () => {
    const deep = rooms.filter((room) => depthOf(graphOf(files, withinRoom(room))) > 8)
    assert.deepStrictEqual(deep, [])
  })

  it("stand in the table of ARCHITECTURE.md, each room that has folders and all that stands in it", () => {
    const withFolders = rooms.filter((room) =>
      sources.some((path) => roomOf(path) === room && dirname(path) !== room)
    )
    const missing = withFolders.filter((room) => !subRooms.has(room))
    const wrong = [...subRooms].flatMap(([room, levels]) => {
      const named = levels.flat()
      const inside = [...new Set(sources.flatMap((path) => within(room)(path) ?? []))]
      const gone = named.filter((name) => name !== otherFiles && !inside.includes(name))
      const unnamed = inside.filter((name) => levelOf(levels, name) < 0)
      return [...gone.map((name) => `${room} has no ${name}`), ...unnamed.map((name) => `${room}: ${name}`)]
    })
    assert.deepStrictEqual([...missing, ...wrong], [])
  })

  it("import only from those that stand before them in that table", () => {
    const wrong = [...subRooms].flatMap(([room, levels]) =>
      [...graphOf(files, within(room))].flatMap(([from, targets]) =>
        [...targets].flatMap((to) => {
          const [above, below] = [levelOf(levels, from), levelOf(levels, to)]
          const isAmongFiles = above === below && isOther(levels, from) && isOther(levels, to)
          return below < above || isAmongFiles ? [] : [`${room}: ${from} imports ${to}`]
        })
      )
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("hold folders that import each other in one direction, at every depth", () => {
    const folders = new Set(sources.flatMap((path) => foldersAbove(path)))
    const circles = [...folders].flatMap((folder) =>
      circlesOf(graphOf(files, within(folder))).map((one) => `${folder}: ${one.join(" ")}`)
    )
    assert.deepStrictEqual(circles, [])
  })

  it("have no circles of files, types included", () => {
    assert.deepStrictEqual(circlesOf(graphOf(files, (path) => path)), [])
  })

  it("have some twenty files a folder", () => {
    const folders = Object.entries(Array.groupBy(sources, (path) => dirname(path)))
    assert.deepStrictEqual(
      // Each command is a file.
      folders
        .filter(([folder, { length }]) => length > (folder === "src/cli/commands" ? 26 : 23))
        .map(([folder]) => folder),
      []
    )
  })
})

describe("the names", () => {
  const files = sources.map(readSource)

  /** One thing under one name, in two files because the client and the console import nothing of the service. */
  const ofTheContract: ReadonlyArray<readonly [name: string, whereAgain: string]> = [
    ["Assertion", "src/client/types.ts"],
    ["CheckChange", "src/console/reports/compareRuns.ts"],
    ["Connection", "src/console/data/queries.ts"],
    ["Decision", "src/console/machines/decideRuns.ts"],
    ["Exchange", "src/console/data/queries.ts"],
    ["LedgerEvent", "src/client/types.ts"],
    ["RunReport", "src/client/types.ts"]
  ]

  it("of exported types are given once", () => {
    assert.deepStrictEqual(
      typeNamesTwice(files),
      ofTheContract.map(([name]) => name)
    )
    const others = ofTheContract.filter(
      ([name, path]) =>
        !new RegExp(`export type ${name} = \\w+[<[]`).test(readFileSync(join(root, path), "utf8"))
    )
    assert.deepStrictEqual(others, [], "each is what the generated contract says")
  })

  it("that are exported have a docstring, nine of ten at least", () => {
    const { documented, named } = docstringsOf(files)
    assert.isAtLeast(documented / named, 0.9)
  })
})

describe("the invariants", () => {
  const offenders = (files: ReadonlyArray<string>, pattern: RegExp) =>
    files.flatMap((file) =>
      codeOf(file)
        .split("\n")
        .filter((line) => pattern.test(line))
        .map((line) => `${file}: ${line.trim()}`)
    )

  it("machines do no input or output, and know no time and no chance", () => {
    const pattern =
      /\bDate\b|Math\.random|setTimeout|setInterval|fetch\(|fromPromise|fromCallback|fromObservable|invoke:|after:|console\./
    assert.deepStrictEqual(offenders(filesUnder("machines"), pattern), [])
  })

  it("no OCPI version is spelt in src", () => {
    // The client's types are made from the contract.
    const written = filesUnder("src").filter((file) => file !== "src/client/contract.ts")
    assert.deepStrictEqual(offenders(written, /["'`](2\.1\.1|2\.2|2\.2\.1|2\.3\.0)["'`]/), [])
  })

  it("only the OCPI client opens a socket to a partner", () => {
    const others = filesUnder("src").filter((file) => !file.startsWith("src/ocpi/"))
    assert.deepStrictEqual(
      offenders(others, /from "undici"|from "node:(http|https|net|tls|dgram)"/).filter(
        // The server listens, the command line calls our own API: neither speaks to a partner.
        (line) => !/^src\/(http\/|cli\/|database\/embedded\/(EmbeddedPostgres|postgres))/.test(line)
      ),
      []
    )
  })

  it("what is wrong with a value is said by schema/fields/issues.ts, which keeps it short", () => {
    const others = sources.filter((file) => file !== "schema/fields/issues.ts")
    assert.deepStrictEqual(offenders(others, /(Array|Tree)Formatter/), [])
  })

  it("what is shared is shared by src/database/shared.ts, where nobody who leaves takes the others along", () => {
    const others = sources.filter((file) => file !== "src/database/shared.ts")
    assert.deepStrictEqual(offenders(others, /Effect\.(cached|once)\w*\(|\bCache\.make|ScopedCache/), [])
  })

  it("no clock, chance, timer or console away from the edges", () => {
    const edge = /^src\/(cli|client|console)\//
    const pattern = /\bDate\.now\(|new Date\(\)|Math\.random\(|\bsetTimeout\(|\bconsole\./
    assert.deepStrictEqual(
      offenders(
        sources.filter((file) => !edge.test(file)),
        pattern
      ),
      []
    )
  })

  it("the console shows text of partners as text, and asks no other host", () => {
    const pattern =
      /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?:\/\/(?!\w+\.example\.com)/
    assert.deepStrictEqual(offenders(filesUnder("src/console"), pattern), [])
  })

  it("only the command line and the roof run effects", () => {
    const inner = filesUnder("src").filter((file) => roomOf(file) !== "src/cli" && roomOf(file) !== "src")
    assert.deepStrictEqual(offenders(inner, /Effect\.runPromise|Effect\.runFork\(|Effect\.runSync\(/), [])
  })

  it("a function that is one Effect.gen is made by Effect.fnUntraced or traced (decision 39)", () => {
    const found = filesUnder("src").flatMap((file) => {
      const source = ts.createSourceFile(
        file,
        readFileSync(join(root, file), "utf8"),
        ts.ScriptTarget.Latest,
        true
      )
      const named = (node: ts.Node): ReadonlyArray<string> => {
        const inner: Array<string> = []
        ts.forEachChild(node, (child) => void inner.push(...named(child)))
        const isNamed = ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent)
        const [first] = ts.isFunctionDeclaration(node) ? (node.body?.statements ?? []) : []
        const whole =
          ts.isArrowFunction(node) && isNamed
            ? node.body
            : first && ts.isReturnStatement(first) && first.expression
        const isGen = whole && ts.isCallExpression(whole) && whole.expression.getText() === "Effect.gen"
        return isGen
          ? [`${file}: ${(isNamed ? node.parent : node).getText().split("\n")[0]}`, ...inner]
          : inner
      }
      return source.statements.flatMap(named)
    })
    assert.deepStrictEqual(found, [])
  })

  it("there are no barrels and no rooms without a noun", () => {
    const names = sources.filter((file) => /(^|\/)(index|utils|helpers|common)\.ts$/.test(file))
    assert.deepStrictEqual(names, [])
  })

  it("no comment is wider than an editor", () => {
    const files = [...sources, ...["test", "bench"].flatMap(filesUnder)].filter(
      (file) => file !== "src/client/contract.ts"
    )
    const wide = files.flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .filter((line) => line.length > 140 && /^\s*(\/\/|\/?\*)/.test(line))
        .map((line) => `${file}: ${line.trim()}`)
    )
    assert.deepStrictEqual(wide, [])
  })

  it("helpers of tests stand in the nearest folder above all of their users", () => {
    const misplaced = ["test", "bench"].flatMap(filesUnder).flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith("."))
        .map((name) => relative(root, resolve(root, dirname(file), name)))
        .filter((helper) => /\/support\//.test(helper) && !helper.startsWith("test/support/"))
        .filter((helper) => !file.startsWith(helper.split("support/")[0]!))
        .map((helper) => `${helper} is used by ${file}`)
    )
    assert.deepStrictEqual(misplaced, [])
  })

  it("the top level holds what it should and nothing else", () => {
    const allowed = [
      "package.json",
      "package-lock.json",
      "tsconfig.json",
      "src",
      "machines",
      "schema",
      "test",
      "docker-compose.yml",
      "deploy",
      "README.md",
      "LICENSE",
      "bench",
      "docs",
      "node_modules",
      "dist"
    ]
    const found = readdirSync(root).filter((name) => !name.startsWith(".") && !allowed.includes(name))
    assert.deepStrictEqual(found, [])
    assert.isTrue(statSync(join(root, "src")).isDirectory())
  })
})
