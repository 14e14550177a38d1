// Starts the service, after it has built what is older than its sources.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import "./install.mjs"

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const { status } = spawnSync(process.execPath, [path("build.mjs"), "--if-older"], {
  stdio: ["ignore", 2, "inherit"]
})
if (status !== 0) process.exit(status ?? 1)
// npm passes a signal on to its shell alone: the end of that shell is the signal for us.
const shell = process.ppid
const watch = setInterval(() => {
  if (process.ppid === shell) return
  clearInterval(watch)
  process.kill(process.pid, "SIGTERM")
}, 500).unref()
process.argv.splice(1, 1, path("../dist/plugfest.js"), "serve")
await import("../dist/plugfest.js")
