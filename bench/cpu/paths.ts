/** The hot paths, each as something that can be done many times. */
import { spawnSync } from "node:child_process"
import { quietPartner } from "../../test/support/service/QuietPartner.ts"
import { bundle, connectSandbox, type Service } from "../../test/support/service/Service.ts"
import { awaitingPartner, graded, location, partnerOf, played, register } from "../orders.ts"

/** A path through the service. `once` is done `times` times, `abreast` of them at a time. */
export interface HotPath {
  readonly name: string
  readonly times: number
  readonly abreast: number
  readonly once: (index: number) => Promise<void>
}

/** The paths through this service, and what ends their partners. */
export async function hotPaths(
  us: Service
): Promise<{ readonly paths: ReadonlyArray<HotPath>; readonly close: () => void }> {
  const { close: leave, receiver, theirs, versionsUrl } = await partnerOf(us)
  const { connectionId } = await connectSandbox(us, { activity: "quiet" })
  const journey = await played(us, connectionId)
  const suite = await graded(us, connectionId)
  const quiet = await quietPartner()
  const waiting = await awaitingPartner(
    us,
    await register(us, quiet.versionsUrl, "quiet-partner-token_A.0123456789")
  )
  const api = (path: string) => async () => {
    const { status, text } = await us.call("GET", path)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`)
  }
  const read = (name: string, path: string): HotPath => ({ name, times: 2000, abreast: 8, once: api(path) })
  const runs = "/api/v1/testing/journey-runs"
  const paths: ReadonlyArray<HotPath> = [
    read("GET health/live", "/health/live"),
    read("GET journey run, ended", `${runs}/${journey.runId}`),
    read("GET journey runs, list of 20", `${runs}?limit=20`),
    read("GET events of a run, page of 50", `${runs}/${journey.runId}/events?limit=50`),
    { ...read("GET report of a core suite", `/api/v1/testing/runs/${suite}`), times: 500 },
    {
      ...read("GET report of a core suite, HTML", `/api/v1/testing/runs/${suite}/export?format=html`),
      times: 50,
      abreast: 1
    },
    {
      ...read("long poll of a run that waits, 1 s", `/api/v1/testing/runs/${waiting}?wait=1`),
      times: 200,
      abreast: 100
    },
    {
      name: "partner's GET versions",
      times: 1000,
      abreast: 8,
      once: async () => void (await theirs("GET", versionsUrl))
    },
    {
      name: "partner's PUT of a location",
      times: 500,
      abreast: 8,
      once: async (index) =>
        void (await theirs("PUT", `${receiver}/DE/REG/LOC${index % 50}`, location(index)))
    },
    {
      name: "remote-start, both sides",
      times: 12,
      abreast: 1,
      once: async () => void (await played(us, connectionId))
    },
    {
      name: "core suite, both sides",
      times: 6,
      abreast: 1,
      once: async () => void (await graded(us, connectionId))
    }
  ]
  const close = () => {
    leave()
    quiet.close()
  }
  return { paths, close }
}

/** Processor time in microseconds of `plugfest` with these arguments, as a process of its own. */
export function processOf(args: ReadonlyArray<string>): number {
  const say =
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); process._rawDebug('CPU ' + (user + system)) })"
  const { stderr, status } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(say)}`, bundle, ...args],
    { encoding: "utf8" }
  )
  const micros = /^CPU (\d+)$/m.exec(stderr)?.[1]
  if (status !== 0 || micros === undefined) throw new Error(`plugfest ${args.join(" ")}: ${stderr}`)
  return Number(micros)
}
