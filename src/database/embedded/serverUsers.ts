/**
 * Which processes use an embedded server: one file each, named by process id. A command of the CLI adopts the server of
 * a running service, and must not stop it when it ends.
 */
import { randomUUID } from "node:crypto"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Cluster, processState } from "./postgresCluster.ts"

/** Notes one more use by this process; answers its name, for `unregister`. */
export async function register(cluster: Cluster): Promise<string> {
  const name = `${process.pid}-${randomUUID().slice(0, 8)}`
  await mkdir(join(cluster.root, "users"), { recursive: true, mode: 0o700 })
  await writeFile(join(cluster.root, "users", name), "", { mode: 0o600 })
  return name
}

/** Takes that use back. True: nobody else uses the server, so it may be stopped. */
export async function unregister(cluster: Cluster, name: string): Promise<boolean> {
  const directory = join(cluster.root, "users")
  await rm(join(directory, name), { force: true })
  let others = 0
  for (const entry of await readdir(directory)) {
    // A process that was killed left its file behind.
    if ((await processState(Number.parseInt(entry, 10))) === "gone")
      await rm(join(directory, entry), { force: true })
    else others++
  }
  return others === 0
}
