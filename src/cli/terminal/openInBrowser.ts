/** Starts the user's browser. */
import { spawn } from "node:child_process"
import { Effect } from "effect"

/**
 * The program that opens a URL, and its arguments before it: BROWSER where that is set, else what the system has.
 * Undefined: there is nobody to look, as on a server without a display, or in CI.
 */
export function browserCommand(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform
): ReadonlyArray<string> | undefined {
  if (env["BROWSER"]) return [env["BROWSER"]]
  if (env["CI"]) return undefined
  if (platform === "darwin") return ["open"]
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"]
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? ["xdg-open"] : undefined
}

/** Opens the URL; false: there is no browser, or it did not start. */
export const openInBrowser = (url: string): Effect.Effect<boolean> =>
  Effect.async((resume) => {
    const [program, ...args] = browserCommand(process.env, process.platform) ?? []
    if (program === undefined) return resume(Effect.succeed(false))
    const child = spawn(program, [...args, url], { detached: true, stdio: "ignore" })
    child.once("error", () => resume(Effect.succeed(false)))
    child.once("spawn", () => {
      child.unref()
      resume(Effect.succeed(true))
    })
  })
