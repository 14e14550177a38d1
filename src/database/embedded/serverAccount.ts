/** The account that the embedded Postgres runs as: it refuses to run as root, so root uses another one. */
import { spawnSync } from "node:child_process"

/** Options for `spawn`; empty when we are not root (or on Windows): the server runs as we do. */
export interface ServerAccount {
  readonly uid?: number
  readonly gid?: number
}

/** The account, or undefined when we are root and there is neither `postgres` nor `nobody`. */
export function serverAccount(): ServerAccount | undefined {
  if (process.getuid?.() !== 0) return {}
  for (const name of ["postgres", "nobody"]) {
    const uid = spawnSync("id", ["-u", name], { encoding: "utf8" })
    const gid = spawnSync("id", ["-g", name], { encoding: "utf8" })
    if (uid.status === 0 && gid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  return undefined
}

/** Can that account write here? A parent directory that is closed to it (such as /root) says no. */
export function canWrite(account: ServerAccount, directory: string): boolean {
  if (account.uid === undefined) return true
  return spawnSync("test", ["-w", directory], { ...account, cwd: "/" }).status === 0
}

/** Can that account run this program? */
export function canRun(account: ServerAccount, program: string): boolean {
  return spawnSync(program, ["--version"], { ...account, cwd: "/", env: serverEnvironment() }).status === 0
}

/** The environment of the server's programs: without our secrets. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  if (process.platform === "win32") return process.env // without SystemRoot and TEMP nothing starts there
  return { PATH: process.env["PATH"] ?? "/usr/bin:/bin", TZ: "UTC", LC_ALL: "C" }
}
