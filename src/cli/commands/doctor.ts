/** Looks for what is in the way of a service with the settings of this process, and says what to do about it; makes and changes nothing. */
import { existsSync } from "node:fs"
import { access, constants, stat, statfs } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname, resolve } from "node:path"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { databaseNow, mayCall } from "../../operator.ts"
import { publicUrlOf } from "../../publicUrl.ts"
import type { Settings } from "../../Settings.ts"
import {
  type DatabaseAnswer,
  type DoctorFinding,
  databaseFindings,
  dataDirectoryFinding,
  diskFinding,
  nodeFinding,
  partnerFinding,
  partnersFinding,
  portFinding,
  publicUrlFinding,
  settingsFinding
} from "../connecting/doctorFindings.ts"
import { settingFlags, settingSources, settingsFrom } from "../service/settingFlags.ts"
import { exitWith } from "../terminal/exitCode.ts"
import { besideTheAnswer } from "../terminal/logging.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"

const patience = "5 seconds"

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
      const found: ReadonlyArray<DoctorFinding> = [
        settingsFinding(yield* settingSources(given.flags), { serving }),
        nodeFinding(process.versions.node),
        yield* dataDirectory(settings),
        yield* disk(settings),
        portFinding(settings, { isFree: yield* isFree(settings), serving }),
        ...(yield* database(settings)),
        yield* publicUrl(settings, { serving }),
        yield* egress(settings, given.partner, { serving })
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
    Effect.isSuccess,
    Effect.map((isWritable) =>
      dataDirectoryFinding(resolve(dataDir), { isThere: existsSync(dataDir), isWritable })
    )
  )

const disk = ({ dataDir }: Settings) =>
  Effect.tryPromise(() => statfs(standing(dataDir))).pipe(
    Effect.match({ onSuccess: ({ bavail, bsize }) => bavail * bsize, onFailure: () => undefined }),
    Effect.map((free) => diskFinding(standing(dataDir), free))
  )

const isFree = ({ host, port }: Settings) =>
  Effect.async<boolean>((done) => {
    const server = createServer()
    server.once("error", () => done(Effect.succeed(false)))
    server.listen(port, host, () => server.close(() => done(Effect.succeed(true))))
  })

const database = (settings: Settings) =>
  databaseNow(settings).pipe(
    Effect.disconnect,
    Effect.timeoutFail({
      duration: patience,
      onTimeout: () => new Error(`no answer within ${patience}`)
    }),
    Effect.match({
      onSuccess: (look): DatabaseAnswer => look,
      onFailure: ({ message }) => ({ failure: message })
    }),
    Effect.map((answer) => databaseFindings(settings, answer))
  )

const publicHere = ({ host, port }: Settings) =>
  `http://${host.includes(":") ? `[${host}]` : host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`

const servesAt = (url: string) =>
  Effect.tryPromise(() => fetch(`${url}/health/live`)).pipe(
    Effect.timeout(patience),
    Effect.match({ onSuccess: ({ ok }) => ok, onFailure: () => false })
  )

/** `serving`: a service of these settings runs. */
interface ServiceHere {
  readonly serving: boolean
}

const publicUrl = (settings: Settings, { serving }: ServiceHere) => {
  const url = publicUrlOf(settings)
  return Effect.map(servesAt(url), (answers) => publicUrlFinding(url, { answers, serving }))
}

const egress = (settings: Settings, partner: Option.Option<string>, { serving }: ServiceHere) =>
  Option.match(partner, {
    onNone: () => Effect.succeed(partnersFinding(settings)),
    onSome: (url) =>
      mayCall(settings, url).pipe(
        Effect.matchEffect({
          onSuccess: () =>
            Effect.map(whyUnreached(url), (unreached) => partnerFinding(url, { serving, unreached })),
          onFailure: (blocked) => Effect.succeed(partnerFinding(url, { serving, blocked }))
        })
      )
  })

/** Undefined: there was an answer, whatever it says to a request without a token. */
const whyUnreached = (url: string) =>
  Effect.tryPromise((signal) => fetch(url, { redirect: "manual", signal })).pipe(
    Effect.timeout(patience),
    Effect.match({
      onSuccess: () => undefined,
      onFailure: (failed) =>
        failed._tag === "TimeoutException" ? `no answer within ${patience}` : networkErrorOf(failed.error)
    })
  )

/** The reason that `fetch` keeps below its own error. */
const networkErrorOf = (error: unknown): string => {
  const { cause } = error instanceof Error ? error : {}
  return cause instanceof Error ? cause.message : String(error)
}
