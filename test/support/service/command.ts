/** The built command line, run to its end. */
import { spawn } from "node:child_process"
import { bundle, environmentOf } from "./Service.ts"

export interface Ended {
  readonly code: number | NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export const plugfest = (args: ReadonlyArray<string>, env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle, ...args], {
      env: environmentOf({ NO_COLOR: "1", ...env }),
      stdio: ["ignore", "pipe", "pipe"]
    })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk) => {
      stdout += chunk
    })
    child.stderr.on("data", (chunk) => {
      stderr += chunk
    })
    child.once("error", reject)
    child.once("close", (code, signal) => resolve({ code: code ?? signal, stdout, stderr }))
  })

/** A key of this account, with all scopes. */
export async function makeKey(database: Record<string, string>, account: string): Promise<string> {
  const made = await plugfest(["keys", "create", "--account", account], database)
  if (made.code !== 0) throw new Error(`keys create: ${made.code} ${made.stderr}`)
  return made.stdout.trim()
}
