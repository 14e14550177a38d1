/** The embedded Postgres of one service: other services of the same machine have theirs in the same folders. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Service } from "../../support/service/Service.ts"

/**
 * Port and password of the superuser of the cluster that `service` has, started with `DATA_DIR: directory`. Its log names
 * the folder when the account of Postgres cannot reach `directory`.
 */
export async function embeddedCluster(
  service: Pick<Service, "output">,
  directory: string
): Promise<{ port: number; password: string }> {
  const root = /the data are in ([^"\s]+)/.exec(service.output())?.[1] ?? directory
  const [pidFile, password] = await Promise.all(
    ["postmaster.pid", "plugfest.password"].map((name) => readFile(join(root, "data", name), "utf8"))
  )
  const port = Number(pidFile!.split("\n")[3])
  if (!(port > 0)) throw new Error(`postmaster.pid in ${root} names no port`)
  return { port, password: password!.trim() }
}
