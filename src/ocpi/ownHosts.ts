/** Which hosts are ours: this machine by any of its names and addresses, our own listeners, and the database. */
import { isLoopback, literalAddress } from "./addresses.ts"

/** A name or an address, and a port. */
interface HostAndPort {
  readonly host: string
  readonly port: number
}

/** What is ours, and never called as a partner. */
export interface OwnHosts {
  /** Our own listening addresses: never called as a partner, whatever else is allowed. */
  readonly reserved: ReadonlyArray<HostAndPort>
  /**
   * The database's addresses, asked for each URL: never called, not even under a trusted prefix, and on this machine not
   * by any of its addresses.
   */
  readonly database?: () => ReadonlyArray<HostAndPort>
  /**
   * Addresses of this machine, because a listener on a wildcard address has them all. Default: those of its interfaces.
   */
  readonly machine?: ReadonlyArray<string>
}

/** Is this address ours or the database's? A trusted prefix leads to our own listener, never to the database. */
export function isReserved(host: string, port: number, trusted: boolean, own: OwnHosts): boolean {
  const isIt = (one: HostAndPort) => one.port === port && sameHost(host, one.host)
  return (!trusted && own.reserved.some(isIt)) || databaseOf(own).some(isIt)
}

/** What the database's addresses stand for on this machine, and those addresses as one text: they rarely change. */
const expanded = new WeakMap<OwnHosts, { readonly of: string; readonly all: ReadonlyArray<HostAndPort> }>()

function databaseOf(own: OwnHosts): ReadonlyArray<HostAndPort> {
  const { database = () => [], machine = [] } = own
  const given = database()
  const of = given.map(({ host, port }) => `${host} ${port}`).join(" ")
  const known = expanded.get(own)
  if (known?.of === of) return known.all
  const isHere = (name: string) => isOurs(name) || machine.some((address) => sameHost(name, address))
  const all = everywhere(given, isHere, machine)
  expanded.set(own, { of, all })
  return all
}

/**
 * The endpoints; one on a host that stands for all of this machine is expanded to each of its addresses, a container's
 * too.
 */
export function everywhere(
  endpoints: ReadonlyArray<HostAndPort>,
  standsForAll: (host: string) => boolean,
  machine: ReadonlyArray<string>
): ReadonlyArray<HostAndPort> {
  return endpoints.flatMap(({ host, port }) =>
    standsForAll(host)
      ? [host, "localhost", ...machine].map((one) => ({ host: one, port }))
      : [{ host, port }]
  )
}

/** Is it the address that stands for all addresses of a machine? */
export function isWildcard(host: string): boolean {
  return literalAddress(host)?.range() === "unspecified"
}

/** Do both mean the same machine? Loopback and wildcard addresses all mean ours. */
function sameHost(host: string, own: string): boolean {
  const a = literalAddress(host)?.toString() ?? bareHost(host)
  const b = literalAddress(own)?.toString() ?? bareHost(own)
  return a === b || (isOurs(a) && isOurs(b))
}

/** Does it mean this machine, whatever its addresses are? */
function isOurs(host: string): boolean {
  return isLocalName(host) || isLoopback(host) || isWildcard(host)
}

function bareHost(host: string): string {
  return host
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase()
}

/** `localhost` always means this machine, whatever a resolver says. */
export function isLocalName(host: string): boolean {
  return /(?:^|\.)localhost$/.test(bareHost(host))
}
