/** Looks for what is in the way of a service with the settings of this process, and says what to do about it. */
import { existsSync } from "node:fs"
import { access, constants, stat, statfs } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname, resolve } from "node:path"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { publicUrlOf } from "../../layers.ts"
import { databaseFacts, mayCall } from "../../operator.ts"
import type { Settings } from "../../Settings.ts"
import { egressRemedy } from "../connecting/egressRemedy.ts"
import { settingFlags, settingsFrom } from "../service/settingFlags.ts"
import { exitWith } from "../terminal/exitCode.ts"
import { besideTheAnswer } from "../terminal/logging.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"

/** What was looked at, how it is, and what to do where it is not ok. */
interface Finding {
  readonly name: string
  readonly state: "ok" | "warn" | "fail"
  readonly said: string
  readonly fix?: string
}

const leastNode = [20, 19] as const
const leastDisk = 1024 ** 3
const mostApartMillis = 5_000
const patience = "5 seconds"
/** The embedded database may have to be made first. */
const databasePatience = "20 seconds"

/** `plugfest doctor`: one line for each thing that a service needs. Exit code 2 when something is in the way. */
export const doctorCommand = Command.make(
  "doctor",
  {
    flags: settingFlags(),
    json: Options.boolean("json").pipe(Options.withDescription("print the findings as JSON")),
    partner: Args.text({ name: "partner-url" }).pipe(
      Args.withDescription("a URL of a partner: may the service call it?"),
      Args.optional
    )
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      const settings = yield* settingsFrom(given.flags)
      const serving = yield* servesAt(publicHere(settings))
      const found: ReadonlyArray<Finding> = [
        node(process.versions.node),
        yield* dataDirectory(settings),
        yield* disk(settings),
        yield* port(settings, serving),
        ...(yield* database(settings)),
        yield* publicUrl(settings, serving),
        yield* egress(settings, given.partner)
      ]
      if (given.json) yield* terminal.print(JSON.stringify(found))
      for (const { fix, name, said, state } of given.json ? [] : found) {
        const colour = ({ ok: "green", warn: "yellow", fail: "red" } as const)[state]
        yield* terminal.print(
          `${terminal.paintData(colour, state.padEnd(4))}  ${name.padEnd(14)}  ${plain(said)}`
        )
        if (fix !== undefined) yield* terminal.print(`${" ".repeat(22)}fix: ${plain(fix)}`)
      }
      yield* exitWith(found.some(({ state }) => state === "fail") ? 2 : 0)
    })
).pipe(Command.provide(besideTheAnswer))

/** Is this version of Node one that the service runs on? */
export function node(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const isOld = major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1])
  return isOld
    ? {
        name: "Node",
        state: "fail",
        said: version,
        fix: `install Node 24, or ${leastNode.join(".")} at least`
      }
    : { name: "Node", state: "ok", said: version }
}

/** The folder, or the nearest one above it that exists. */
function standing(folder: string): string {
  let path = resolve(folder)
  while (!existsSync(path) && dirname(path) !== path) path = dirname(path)
  return path
}

const dataDirectory = ({ dataDir }: Settings) =>
  Effect.tryPromise(async () => {
    const nearest = standing(dataDir)
    if (!(await stat(nearest)).isDirectory()) throw new Error("no folder")
    await access(nearest, constants.W_OK)
  }).pipe(
    Effect.match({
      onSuccess: (): Finding => ({ name: "data directory", state: "ok", said: resolve(dataDir) }),
      onFailure: (): Finding => ({
        name: "data directory",
        state: "fail",
        said: `${resolve(dataDir)} cannot be written`,
        fix: `give this user the right to write ${dirname(resolve(dataDir))}, or choose another: DATA_DIR=… npx plugfest serve`
      })
    })
  )

const disk = ({ dataDir }: Settings) =>
  Effect.tryPromise(() => statfs(standing(dataDir))).pipe(
    Effect.match({
      onSuccess: ({ bavail, bsize }): Finding => {
        const free = bavail * bsize
        const said = `${(free / leastDisk).toFixed(1)} GiB free`
        return free < leastDisk
          ? { name: "disk", state: "fail", said, fix: "free 1 GiB at least, or choose another DATA_DIR" }
          : { name: "disk", state: "ok", said }
      },
      onFailure: (): Finding => ({ name: "disk", state: "warn", said: "its free space cannot be read" })
    })
  )

const port = (settings: Settings, serving: boolean) =>
  Effect.map(isFree(settings), (free): Finding => {
    const at = `${settings.host}:${settings.port}`
    if (serving) return { name: "port", state: "ok", said: `plugfest serves at ${at} already` }
    return free
      ? { name: "port", state: "ok", said: `${at} is free` }
      : {
          name: "port",
          state: "fail",
          said: `${at} cannot be listened on; another program may have it`,
          fix: `choose another: PORT=${settings.port + 1} npx plugfest serve`
        }
  })

const isFree = ({ host, port }: Settings) =>
  Effect.async<boolean>((done) => {
    const server = createServer()
    server.once("error", () => done(Effect.succeed(false)))
    server.listen(port, host, () => server.close(() => done(Effect.succeed(true))))
  })

const database = (settings: Settings) =>
  databaseFacts(settings).pipe(
    Effect.disconnect,
    Effect.timeoutFail({
      duration: databasePatience,
      onTimeout: () => new Error(`no answer within ${databasePatience}`)
    }),
    Effect.match({
      onSuccess: ({ aheadMillis, version }): ReadonlyArray<Finding> => {
        const apart = Math.abs(aheadMillis)
        const which = settings.databaseUrl === undefined ? "embedded Postgres" : "Postgres of DATABASE_URL,"
        const clock = `${apart} ms from the database's, which is the time of the service`
        return [
          { name: "database", state: "ok", said: `${which} ${version}` },
          apart > mostApartMillis
            ? {
                name: "clock",
                state: "fail",
                said: clock,
                fix: "synchronise both clocks, for instance with NTP"
              }
            : { name: "clock", state: "ok", said: clock }
        ]
      },
      onFailure: (error): ReadonlyArray<Finding> => [
        {
          name: "database",
          state: "fail",
          said: "message" in error ? String(error.message) : String(error),
          fix:
            settings.databaseUrl === undefined
              ? "choose another DATA_DIR, or set DATABASE_URL to a Postgres 15 or newer of yours"
              : "check host, login and database of DATABASE_URL"
        },
        { name: "clock", state: "warn", said: "not looked at, because the database has the time" }
      ]
    })
  )

const publicHere = ({ host, port }: Settings) =>
  `http://${host.includes(":") ? `[${host}]` : host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`

const servesAt = (url: string) =>
  Effect.tryPromise(() => fetch(`${url}/health/live`)).pipe(
    Effect.timeout(patience),
    Effect.match({ onSuccess: ({ ok }) => ok, onFailure: () => false })
  )

const publicUrl = (settings: Settings, serving: boolean) =>
  Effect.gen(function* () {
    const url = publicUrlOf(settings)
    const name = "public URL"
    const { hostname } = new URL(url)
    const answers = yield* servesAt(url)
    const isHere = /^(127\.|localhost$|\[::1\])/.test(hostname)
    if (isHere)
      return {
        name,
        state: "warn",
        said: `${url} is this machine: a partner elsewhere cannot call back`,
        fix: "PUBLIC_URL=https://ocpi.example.com npx plugfest serve, with a name that the partner reaches"
      } satisfies Finding
    if (answers) return { name, state: "ok", said: `${url} answers` } satisfies Finding
    return serving
      ? ({
          name,
          state: "fail",
          said: `${url} does not answer, though the service is up`,
          fix: "look at DNS, TLS proxy and firewall between that name and this port"
        } satisfies Finding)
      : ({
          name,
          state: "warn",
          said: `${url} is not looked at, because the service is not up`,
          fix: "start it, and call plugfest doctor again"
        } satisfies Finding)
  })

const egress = (settings: Settings, partner: Option.Option<string>) =>
  Option.match(partner, {
    onNone: () => {
      const { egressAllowCidrs: ranges } = settings
      const said =
        ranges.length === 0 ? "public addresses only" : `public addresses, and ${ranges.join(", ")}`
      return Effect.succeed<Finding>({ name: "partners", state: "ok", said })
    },
    onSome: (url) =>
      mayCall(settings, url).pipe(
        Effect.match({
          onSuccess: (): Finding => ({ name: "partner", state: "ok", said: `${url} may be called` }),
          onFailure: ({ message, reason }): Finding => ({
            name: "partner",
            state: "fail",
            said: `${url} may not be called: ${message}`,
            fix:
              reason === "address"
                ? egressRemedy(url)
                : reason === "scheme"
                  ? "use https, or ALLOW_HTTP=on npx plugfest serve"
                  : "use another URL"
          })
        })
      )
  })
