// Installs the dependencies when they are missing or older than the lock file. Needs nothing but Node and npm.
import { spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`plugfest needs Node 20.19 or newer; this is ${process.version}\n`)
  process.exit(2)
}

const lock = join(root, "package-lock.json")
// npm writes this file at the end of every installation: it says what is installed and when.
const installed = join(root, "node_modules", ".package-lock.json")
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  process.stderr.write("Installing the dependencies (npm ci) …\n")
  // No install script of a dependency needs to run, so none may.
  const npm = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, "inherit"],
    shell: process.platform === "win32"
  })
  if (npm.status !== 0) process.exit(npm.status ?? 1)
}
