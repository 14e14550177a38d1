/** The programs beside plugfest: installed on demand, each started as a process of its own. */
import { type ChildProcess, fork, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join, resolve } from "node:path"

/** Relative to the folder from which npm runs the bench. */
export const folder = resolve("bench/peers")

/** Installs what the lock file of this folder says, if that is not done. Answers why it cannot be, if so. */
export function install(): string | undefined {
  const lock = join(folder, "package-lock.json")
  const installed = join(folder, "node_modules", ".package-lock.json")
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return undefined
  process.stderr.write("Installing the peers (npm ci in bench/peers) …\n")
  const npm = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", 2, "pipe"],
    encoding: "utf8",
    timeout: 240_000,
    shell: process.platform === "win32"
  })
  return npm.status === 0 ? undefined : `npm ci failed: ${npm.stderr.trim().slice(0, 200)}`
}

/** The version of a package as it is installed. */
export function versionOf(name: string): string {
  try {
    return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version
  } catch {
    return "not installed"
  }
}

/** A program of `programs/`. */
export interface Peer {
  /** Asks it; fails with what it failed with, or when it takes longer than a minute. */
  readonly ask: <A>(question: string, args?: unknown) => Promise<A>
  /** Processor time of its process so far, microseconds. */
  readonly processorMicros: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Starts a program of `programs/` by its name. */
export async function startPeer(program: string): Promise<Peer> {
  const child = fork(join(folder, "programs", `${program}.mjs`), [], { execArgv: [], silent: true })
  let said = ""
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-2000)
    })
  }
  const answer = async <A>(): Promise<A> => {
    const { answer, error } = await within<any>(child, program, () => said)
    if (error !== undefined) throw new Error(`${program}: ${error}`)
    return answer
  }
  await answer()
  const ask = <A>(question: string, args?: unknown) => {
    child.send({ ask: question, args })
    return answer<A>()
  }
  return {
    ask,
    processorMicros: () => ask<number>("processorMicros"),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.disconnect()
      await once(child, "exit")
    }
  }
}

function within<A>(child: ChildProcess, program: string, said: () => string): Promise<A> {
  const ending = new AbortController()
  const { signal } = ending
  const late = new Promise<never>((_, fail) => {
    const timer = setTimeout(() => fail(new Error(`${program} did not answer in a minute`)), 60_000)
    signal.addEventListener("abort", () => clearTimeout(timer))
  })
  return Promise.race([
    once(child, "message", { signal }).then(([message]) => message as A),
    once(child, "exit", { signal }).then(() => Promise.reject(new Error(`${program} ended: ${said()}`))),
    late
  ]).finally(() => {
    child.removeAllListeners("message")
    ending.abort()
  }) as Promise<A>
}
