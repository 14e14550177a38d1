/**
 * Which processes use an embedded server: one file each, named by process id. A CLI command adopts the server of a
 * running service, and must not stop it at its own end.
 */
import { randomUUID } from "node:crypto"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Cluster, processState } from "./postgresCluster.ts"

/** Registers one more use by this process; returns its name, for `unregister`. */
export async function register(cluster: Cluster): Promise<string> {
  const name = `${process.pid}-${randomUUID().slice(0, 8)}`
  await mkdir(join(cluster.root, "users"), { recursive: true, mode: 0o700 })
  await writeFile(join(cluster.root, "users", name), "", { mode: 0o600 })
  return name
}

/** Ends that use. True: no other process uses the server, so it may be stopped. */
export async function unregister(cluster: Cluster, name: string): Promise<boolean> {
  const directory = join(cluster.root, "users")
  await rm(join(directory, name), { force: true })
  let others = 0
  for (const entry of await readdir(directory)) {
    // A killed process leaves its file behind.
    if (processState(Number.parseInt(entry, 10)) === "gone") await rm(join(directory, entry), { force: true })
    else others++
  }
  return others === 0
}
