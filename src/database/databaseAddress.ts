/** Where Postgres is: what node-postgres dials for a URL, and everything that this stands for. The egress guard keeps partners away from it. */
import dns from "node:dns"
import { Data, Effect, Redacted } from "effect"
import pg from "pg"

/** A host name or an address, and a port. */
export interface DatabaseAddress {
  readonly host: string
  readonly port: number
}

/** A URL that does not say where the database is. */
export class AddressUnclear extends Data.TaggedError("AddressUnclear")<{ readonly message: string }> {}

/**
 * What node-postgres dials for this URL, with `?host=`, `?port=`, PGHOST and PGPORT as it reads them. The host is a
 * directory where it is a Unix socket.
 */
export const dialled = (url: Redacted.Redacted<string>): Effect.Effect<DatabaseAddress, AddressUnclear> =>
  Effect.try({
    // Made, and not connected: the driver itself says where it would go.
    try: () => new pg.Client({ connectionString: Redacted.value(url) }),
    catch: (error) =>
      new AddressUnclear({
        message: `The database's URL cannot be read: ${error instanceof Error ? error.message : error}`
      })
  }).pipe(
    Effect.flatMap(({ host, port }) => {
      if (typeof host !== "string" || host === "" || /[,\s]/.test(host)) {
        return new AddressUnclear({
          message: `The database's URL names the host ${JSON.stringify(host)}; one host is dialled, so give one (a load balancer's or a virtual address where there are several)`
        })
      }
      if (!Number.isInteger(port) || port < 1 || port > 65535) {
        return new AddressUnclear({ message: `The database's URL names the port ${port}` })
      }
      return Effect.succeed({ host, port })
    })
  )

/**
 * That address and all that its name stands for now; rejects when it stands for nothing. The server behind a Unix socket
 * is on this machine, and its port is the number of the socket.
 */
export async function everyAddress(place: DatabaseAddress): Promise<ReadonlyArray<DatabaseAddress>> {
  const { host, port } = place
  if (host.startsWith("/")) return [{ host: "localhost", port }]
  const found = await dns.promises.lookup(host, { all: true })
  return [place, ...found.map(({ address }) => ({ host: address, port }))]
}

/** What the server says that it was reached at: behind a balancer or a published port, another address than ours for it. */
export async function serverAddress(client: pg.Client): Promise<ReadonlyArray<DatabaseAddress>> {
  const { rows } = await client.query<{ readonly host: string | null; readonly port: number | null }>(
    "SELECT host(inet_server_addr()) host, inet_server_port() port"
  )
  return rows.flatMap(({ host, port }) => (host === null || port === null ? [] : [{ host, port }]))
}

/** Addresses that were once the database's stay among them: it may come back to any. */
export interface AddressSet {
  readonly all: () => ReadonlyArray<DatabaseAddress>
  readonly add: (more: ReadonlyArray<DatabaseAddress>) => void
}

export function makeAddressSet(first: ReadonlyArray<DatabaseAddress>): AddressSet {
  const known = new Map<string, DatabaseAddress>()
  const add: AddressSet["add"] = (more) => {
    for (const one of more) known.set(`${one.host} ${one.port}`, one)
  }
  add(first)
  return { all: () => [...known.values()], add }
}

/** Writes down where each new connection of the pool went, and what the name stands for by then: a name may move. */
export function noteConnections(pool: pg.Pool, place: DatabaseAddress, addresses: AddressSet): void {
  pool.on("connect", ({ connection }) => {
    const { remoteAddress } = connection.stream as { readonly remoteAddress?: string } // of a socket
    if (remoteAddress !== undefined) addresses.add([{ host: remoteAddress, port: place.port }])
    everyAddress(place).then(addresses.add, () => {}) // the connection stands: what it has gone to is known
  })
}
