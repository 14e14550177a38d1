/** Picks a free port for port 0, before the start, because every URL that the service hands out contains it. */
import { createServer } from "node:net"
import { Effect } from "effect"
import type { Settings } from "../../Settings.ts"

/** The settings with a port other than 0. */
export const withRealPort = (settings: Settings): Effect.Effect<Settings> =>
  settings.port === 0
    ? Effect.map(freePort(settings.host), (port) => ({ ...settings, port, portWasPicked: true }))
    : Effect.succeed(settings)

const freePort = (host: string) =>
  Effect.async<number>((resume) => {
    const server = createServer()
    server.once("error", (error) => resume(Effect.die(error)))
    server.listen(0, host, () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resume(Effect.succeed(port)))
    })
  })
