/** Where the processor time of each hot path goes: samples of the built service while the path is played, by module. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { SourceMap, type SourceMapPayload } from "node:module"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { roomy } from "../../test/support/service/crowd.ts"
import { bundle, type Service, startService, until } from "../../test/support/service/Service.ts"
import { loadAverage, say, textOption } from "../measure.ts"
import { type HotPath, hotPaths } from "./paths.ts"

/** How long a path is played before it is sampled, and while it is. */
const warmUpSeconds = 4
const sampledSeconds = 8

/** A part of the table: in its order, the first that fits has the sample. */
const modules: ReadonlyArray<readonly [string, RegExp]> = [
  ["collector of garbage", /^\(garbage collector\)$/],
  ["writes to sockets", /^(writev|writeUtf8String|writeLatin1String|writeBuffer|shutdown)$/],
  ["Effect", /node_modules\/(effect|@effect)\//],
  ["driver of the database", /node_modules\/(pg|pg-protocol|pg-pool|pg-types|postgres-bytea)\//],
  ["client of HTTP", /node_modules\/undici\//],
  ["state machines", /node_modules\/xstate\/|machines\//],
  ["other libraries", /node_modules\//],
  ["Node's HTTP, sockets and streams", /^node:(_http|http|net|internal\/streams|internal\/stream_base)/],
  ["other parts of Node", /^(node:|\()/],
  ["ledger", /src\/ledger\//],
  ["journeys and runs", /src\/(journeys|runs|placement)\//],
  ["checks and findings", /src\/(conformance|findings|reports)\//],
  ["parties, OCPI and stores", /src\/(party|ocpi|store|redaction|database)\//],
  ["the rest of ours", /src\/|schema\//]
]
const native = "native functions"

/** The parts of a profile that are read. */
interface Profile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: {
      readonly functionName: string
      readonly url: string
      readonly lineNumber: number
      readonly columnNumber: number
    }
  }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** Loaded into the service: SIGUSR2 begins a profile, and again it ends and is written to this file. */
const samplesInto = (file: string) =>
  `data:text/javascript,${encodeURIComponent(`
import { writeFileSync, renameSync } from "node:fs"
import { Session } from "node:inspector"
let session
process.on("SIGUSR2", () => {
  if (session === undefined) {
    session = new Session()
    session.connect()
    session.post("Profiler.enable")
    session.post("Profiler.setSamplingInterval", { interval: 250 })
    session.post("Profiler.start", () => process._rawDebug("PROFILE begins"))
    return
  }
  session.post("Profiler.stop", (_, { profile }) => {
    session.disconnect()
    session = undefined
    writeFileSync(${JSON.stringify(file)} + ".part", JSON.stringify(profile))
    renameSync(${JSON.stringify(file)} + ".part", ${JSON.stringify(file)})
    process._rawDebug("PROFILE ends")
  })
})`)}`

/** Prints a table: the percentages of each path, or with `--only` of those whose name has that text. */
export async function benchProfile(): Promise<void> {
  const only = textOption("only")
  const folder = mkdtempSync(join(tmpdir(), "plugfest-profile-"))
  chmodSync(folder, 0o711) // started by root, the database runs under another account
  const file = join(folder, "profile.json")
  const us = await startService({ ...roomy, DATA_DIR: join(folder, "us") }, ["--import", samplesInto(file)])
  try {
    const { close, paths } = await hotPaths(us)
    const whereOf = sources()
    const table = new Map<string, ReadonlyMap<string, number>>()
    for (const path of paths) {
      if (only !== undefined && !path.name.includes(only)) continue
      await playFor(path, warmUpSeconds)
      await signal(us, "begins")
      await playFor(path, sampledSeconds)
      await signal(us, "ends")
      table.set(path.name, sharesOf(JSON.parse(readFileSync(file, "utf8")), whereOf))
    }
    close()
    print(table)
  } finally {
    await us.kill("SIGTERM")
    rmSync(folder, { recursive: true, force: true })
  }
}

async function playFor({ abreast, once }: HotPath, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  let next = 0
  const lane = async () => {
    while (performance.now() < end) await once(next++)
  }
  await Promise.all(Array.from({ length: abreast }, lane))
}

async function signal(us: Service, answer: string): Promise<void> {
  const from = us.output().length
  us.process.kill("SIGUSR2")
  await until(`the profile ${answer}`, async () =>
    us.output().slice(from).includes(`PROFILE ${answer}`) ? true : undefined
  )
}

/** Finds the source of a place in the bundle. */
function sources(): (frame: Profile["nodes"][number]["callFrame"]) => string {
  const maps = new Map<string, SourceMap | undefined>()
  const mapOf = (name: string) => {
    if (!maps.has(name)) {
      const read = () => JSON.parse(readFileSync(join(dirname(bundle), `${name}.map`), "utf8"))
      let map: SourceMap | undefined
      try {
        map = new SourceMap(read() as SourceMapPayload)
      } catch {
        map = undefined // a file without a map says its own name
      }
      maps.set(name, map)
    }
    return maps.get(name)
  }
  return ({ columnNumber, functionName, lineNumber, url }) => {
    if (url === "") return functionName
    if (url.startsWith("node:")) return url
    const entry = mapOf(basename(url))?.findEntry(lineNumber, columnNumber)
    return entry !== undefined && "originalSource" in entry ? entry.originalSource : url
  }
}

/** Per cent of the time in which the process was not idle, by module. */
function sharesOf(
  { nodes, samples, timeDeltas }: Profile,
  whereOf: (frame: Profile["nodes"][number]["callFrame"]) => string
): ReadonlyMap<string, number> {
  const named = new Map(
    nodes.map(({ callFrame, id }) => {
      const { functionName } = callFrame
      const where = functionName === "(idle)" ? functionName : whereOf(callFrame)
      return [id, functionName === "(idle)" ? undefined : moduleOf(where)] as const
    })
  )
  const times = new Map<string, number>()
  let all = 0
  for (const [at, sample] of samples.entries()) {
    const name = named.get(sample)
    if (name === undefined) continue
    all += timeDeltas[at]!
    times.set(name, (times.get(name) ?? 0) + timeDeltas[at]!)
  }
  return new Map([...times].map(([name, time]) => [name, (100 * time) / all]))
}

const moduleOf = (where: string): string => modules.find(([, fits]) => fits.test(where))?.[0] ?? native

/** As Markdown. */
function print(table: ReadonlyMap<string, ReadonlyMap<string, number>>): void {
  const line = (cells: ReadonlyArray<string>) => say(`| ${cells.join(" | ")} |`)
  say("\nWhere the processor time of the service's process goes, per cent\n")
  line(["", ...table.keys()])
  line(["---", ...[...table].map(() => "---:")])
  for (const name of [...modules.map(([name]) => name), native])
    line([name, ...[...table.values()].map((shares) => (shares.get(name) ?? 0).toFixed(0))])
  say(`\n${loadAverage()}`)
}
