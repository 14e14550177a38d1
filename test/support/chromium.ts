/** The browser of the tests: one that the machine has, or Debian's, installed where this may be done. */
import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import type { Browser } from "playwright-core"

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const find = (): string | undefined =>
  [
    process.env["CHROMIUM"] ?? "",
    ...(process.env["PATH"] ?? "")
      .split(delimiter)
      .flatMap((folder) => names.map((name) => join(folder, name))),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
  ].find((path) => path !== "" && isProgram(path))

/** Installs Debian's, as root on Debian; several tests may try at once, and apt lets one at a time. */
const install = (): string | undefined => {
  if (process.getuid?.() !== 0 || !isProgram("/usr/bin/apt-get")) return undefined
  const wait = ["-o", "DPkg::Lock::Timeout=120", "-qq"]
  spawnSync("apt-get", ["update", ...wait], { stdio: "ignore" })
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...wait, "chromium"], {
    stdio: "ignore",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  })
  return find()
}

/** Path of a Chromium, by `CHROMIUM` or its usual names; undefined: there is none, and tests that need it are skipped. */
export const chromium: string | undefined = find() ?? install()
if (chromium === undefined)
  process.stderr.write("No Chromium was found (set CHROMIUM to its path): tests in a browser are skipped\n")

/** Starts it. */
export async function launchChromium(): Promise<Browser> {
  const { chromium: launcher } = await import("playwright-core")
  return await launcher.launch({
    ...(chromium === undefined ? {} : { executablePath: chromium }),
    // A machine without a graphics card draws for less without the emulation of one.
    args: ["--no-sandbox", "--disable-gpu"]
  })
}
