/**
 * Where Postgres is: the address that node-postgres dials for a URL, and all that its name resolves to. The egress guard
 * keeps partners away from them.
 */
import dns from "node:dns"
import { Data, Effect, Redacted } from "effect"
import pg from "pg"
import { type DatabaseDown, downOrDefect } from "./DatabaseDown.ts"

/** A host name or an address, and a port. */
export interface DatabaseAddress {
  readonly host: string
  readonly port: number
}

/** The URL does not name one host and one valid port. */
class AddressUnclear extends Data.TaggedError("AddressUnclear")<{ readonly message: string }> {}

/**
 * The address that node-postgres dials for this URL, with `?host=`, `?port=`, PGHOST and PGPORT as it reads them. For a
 * Unix socket the host is a directory.
 */
export const dialled = (url: Redacted.Redacted<string>): Effect.Effect<DatabaseAddress, AddressUnclear> =>
  Effect.try({
    // The driver itself says where it would connect; it is not connected.
    try: () => new pg.Client({ connectionString: Redacted.value(url) }),
    catch: (error) =>
      new AddressUnclear({
        message: `The database's URL cannot be read: ${error instanceof Error ? error.message : error}`
      })
  }).pipe(
    Effect.flatMap(({ host, port }) => {
      if (typeof host !== "string" || host === "" || /[,\s]/.test(host)) {
        return new AddressUnclear({
          message: `The database's URL names the host ${JSON.stringify(host)}; give exactly one host: with several servers, that of their load balancer or their virtual address`
        })
      }
      if (!Number.isInteger(port) || port < 1 || port > 65535) {
        return new AddressUnclear({ message: `The database's URL names the port ${port}` })
      }
      return Effect.succeed({ host, port })
    })
  )

/**
 * That address and all that its name resolves to now; rejects when it resolves to nothing. A server behind a Unix socket
 * is on this machine, and its port is the number in the socket's name.
 */
export async function everyAddress(place: DatabaseAddress): Promise<ReadonlyArray<DatabaseAddress>> {
  const { host, port } = place
  if (host.startsWith("/")) return [{ host: "localhost", port }]
  const found = await dns.promises.lookup(host, { all: true })
  return [place, ...found.map(({ address }) => ({ host: address, port }))]
}

/**
 * The address that the server itself was reached at: behind a balancer or a published port it differs from the one that
 * we dial.
 */
export async function serverAddress(client: pg.Client): Promise<ReadonlyArray<DatabaseAddress>> {
  const { rows } = await client.query<{ readonly host: string | null; readonly port: number | null }>(
    "SELECT host(inet_server_addr()) host, inet_server_port() port"
  )
  return rows.flatMap(({ host, port }) => (host === null || port === null ? [] : [{ host, port }]))
}

/** Every address that has been the database's; none is ever removed, because the database may return to it. */
export interface AddressSet {
  readonly all: () => ReadonlyArray<DatabaseAddress>
  readonly add: (more: ReadonlyArray<DatabaseAddress>) => void
}

/** An `AddressSet` that holds `first`, each address once. */
export function makeAddressSet(first: ReadonlyArray<DatabaseAddress>): AddressSet {
  const known = new Map<string, DatabaseAddress>()
  const add: AddressSet["add"] = (more) => {
    for (const one of more) known.set(`${one.host} ${one.port}`, one)
  }
  add(first)
  return { all: () => [...known.values()], add }
}

/**
 * Adds where a new connection leads: its address, all that the database's name resolves to now, and the server behind it,
 * which another one may have taken the place of.
 */
export async function noteConnection(
  client: pg.Client,
  place: DatabaseAddress,
  addresses: AddressSet
): Promise<void> {
  const { remoteAddress } = client.connection.stream as { readonly remoteAddress?: string } // of a socket
  if (remoteAddress !== undefined) addresses.add([{ host: remoteAddress, port: place.port }])
  everyAddress(place).then(addresses.add, () => {}) // the connection stands, so its own address is known
  // A connection that has just been lost fails the caller's statement too.
  await serverAddress(client).then(addresses.add, () => {})
}

/** The address of this machine at which a connection to the database begins; 127.0.0.1 for a Unix socket. */
export const ownAddressOf = (pool: pg.Pool): Effect.Effect<string, DatabaseDown> =>
  Effect.tryPromise({
    try: async () => {
      const client = await pool.connect()
      const { localAddress } = (client as pg.PoolClient & Pick<pg.Client, "connection">).connection
        .stream as { readonly localAddress?: string } // of a socket
      client.release()
      return localAddress ?? "127.0.0.1"
    },
    catch: (cause) => cause
  }).pipe(Effect.catchAll(downOrDefect))
