/** A service that reaches two Postgres through one HAProxy. */
import { rows } from "../../../test/support/service/database.ts"
import { freePort } from "../../../test/support/service/Service.ts"
import { startHaproxy } from "./Haproxy.ts"
import type { Ended, Ground } from "./Row.ts"
import { openWorld, type World, within } from "./World.ts"
import { atPort } from "./witness.ts"

/** Two Postgres servers, by their ports on this machine and the superuser's URL of the first. */
interface ServerPair {
  readonly first: { readonly port: number; readonly url: string }
  readonly second: { readonly port: number }
  readonly dispose: () => Promise<void>
}

/** What HAProxy is started with. */
export interface HaproxyOrder {
  /** Path of HAProxy. */
  readonly program: string
  /** Path relative to the repository; it reads BIND, POSTGRES_1, POSTGRES_2 and `variables`. */
  readonly configuration: string
  readonly variables: Readonly<Record<string, string>>
  readonly pair: ServerPair
}

/** Plays in a world whose database is the address of the HAProxy. Ends HAProxy and both servers afterwards. */
export async function throughHaproxy(
  ground: Ground,
  { configuration, pair, program, variables }: HaproxyOrder,
  play: (world: World) => Promise<Ended>
): Promise<Ended> {
  const port = await freePort()
  const url = atPort(pair.first.url, port)
  const servers = {
    BIND: `127.0.0.1:${port}`,
    POSTGRES_1: `127.0.0.1:${pair.first.port}`,
    POSTGRES_2: `127.0.0.1:${pair.second.port}`
  }
  const answers = () =>
    rows(url, "select 1").then(
      () => true as const,
      () => undefined
    )
  try {
    const haproxy = await startHaproxy(program, configuration, { ...servers, ...variables }, answers)
    try {
      return await within(await openWorld(ground.cluster, { database: url }), play)
    } finally {
      await haproxy.kill()
    }
  } finally {
    await pair.dispose()
  }
}
