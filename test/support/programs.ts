/** Programs that tests use and the machine may lack: its own, or those of Debian's package, installed where this may be done. */
import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where a program may be found, and what brings it. */
export interface Wanted {
  /** Names on the path, the first one that is there is taken. */
  readonly names: ReadonlyArray<string>
  /** Paths that are tried too; empty ones are left out. */
  readonly paths?: ReadonlyArray<string>
  readonly debianPackage: string
}

/** Path of the program; installs its package as root on Debian. undefined: there is none, and what needs it is skipped. */
export const program = (wanted: Wanted): string | undefined => find(wanted) ?? install(wanted)

/** The folders of a service's programs, too: not every account has them on its path. */
const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"]

const find = ({ names, paths = [] }: Wanted): string | undefined =>
  [...paths, ...folders.flatMap((folder) => names.map((name) => join(folder, name)))].find(
    (path) => path !== "" && isProgram(path)
  )

/** Several tests may try at once, and apt lets one at a time. A service of the package is not started. */
const install = (wanted: Wanted): string | undefined => {
  if (process.getuid?.() !== 0 || !isProgram("/usr/bin/apt-get")) return undefined
  const wait = ["-o", "DPkg::Lock::Timeout=120", "-qq"]
  spawnSync("apt-get", ["update", ...wait], { stdio: "ignore" })
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...wait, wanted.debianPackage], {
    stdio: "ignore",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" }
  })
  return find(wanted)
}
