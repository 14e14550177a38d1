/** The browser of the tests: one that the machine has, or Debian's, installed where this may be done. */
import type { Browser } from "playwright-core"
import { program } from "./programs.ts"

/** Path of a Chromium, by `CHROMIUM` or its usual names; undefined: there is none, and tests that need it are skipped. */
export const chromium: string | undefined = program({
  names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"],
  paths: [process.env["CHROMIUM"] ?? "", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
  debianPackage: "chromium"
})
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
