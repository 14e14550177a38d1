/** HAProxy of Debian's package with a configuration of docs/proxy, and what its log says of each request. */
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { program } from "../../../test/support/programs.ts"
import { until } from "../../../test/support/service/Service.ts"

/** A request as the balancer saw it end. */
export interface Balanced {
  readonly method: string
  readonly path: string
  /** -1: none. */
  readonly status: number
  /** The name of the last process that was asked; `<NOSRV>`: none. */
  readonly server: string
  /** How often it was tried again. */
  readonly retries: number
  /** The process closed the connection before the end of its answer, and the client got that. */
  readonly isCut: boolean
}

/** A running HAProxy. */
export interface Haproxy {
  readonly requests: ReadonlyArray<Balanced>
  /** What it wrote beside its log of requests: servers that go up and down. */
  readonly words: () => string
  readonly kill: () => Promise<void>
}

/** Path of the program, which is installed where that may be done; undefined: there is none. */
export const findHaproxy = (): string | undefined => program({ names: ["haproxy"], debianPackage: "haproxy" })

/** The reason for which a row without HAProxy is skipped. */
export const noHaproxy = {
  skipped: "there is no haproxy, and it cannot be installed here (Debian's package, as root)"
}

// backend/server, times, status, …, retries, queues, request: the format `httplog`.
const logLine = / \S+\/(\S+) [-+\d/]+ (-?\d+) \S+ \S+ \S+ (\S{4}) [\d/]+\/\+?(\d+) \d+\/\d+ "(\S+) ([^" ]+)/

/** Starts it with this configuration (a path relative to the repository) and these variables, and waits until `ready`. */
export async function startHaproxy(
  haproxy: string,
  configuration: string,
  variables: Readonly<Record<string, string>>,
  ready: () => Promise<true | undefined>
): Promise<Haproxy> {
  const requests: Array<Balanced> = []
  let words = ""
  const child: ChildProcess = spawn(haproxy, ["-db", "-f", configuration], {
    env: { PATH: process.env["PATH"], ...variables },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const found = logLine.exec(line)
    if (found === null) words += `${line}\n`
    else {
      const [, server, status, state, retries, method, path] = found
      requests.push({
        method: method!,
        path: path!,
        status: Number(status),
        server: server!,
        retries: Number(retries),
        isCut: /^S[DH]/.test(state!) && Number(status) < 500
      })
    }
  })
  child.stderr!.on("data", (chunk) => {
    words += chunk
  })
  const kill = () => {
    child.kill("SIGKILL")
    return gone
  }
  try {
    await until("haproxy", async () => {
      if (child.exitCode !== null) throw new Error(`haproxy ended at once:\n${words}`)
      return ready()
    })
  } catch (error) {
    await kill()
    throw error
  }
  return { requests, words: () => words, kill }
}
