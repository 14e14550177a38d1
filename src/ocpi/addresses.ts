/** Which addresses and ports a partner may have. Pure: the rules of the egress guard. */
import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Addresses of cloud metadata services: denied even inside an allowed range, unless listed alone (/32, /128). */
const metadata: ReadonlySet<string> = new Set(
  ["169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "fd00:ec2::254"].map((text) =>
    ipaddr.process(text).toNormalizedString()
  )
)

/** Ranges that are unicast by registry but unfit for a partner, or that embed another address. */
const deniedRanges = [
  "192.0.0.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "240.0.0.0/4",
  "::/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "5f00::/16",
  "fec0::/10"
].map((text) => ipaddr.parseCIDR(text))

/** Today's global unicast space of IPv6. */
const globalIpv6 = ipaddr.parseCIDR("2000::/3")

/** Ports below 1024 that serve HTTP. */
const lowPorts = new Set([80, 443])

/**
 * Ports above 1023 of well-known services that are no web servers: databases, brokers, control planes, remote desktops.
 */
const servicePorts = new Set([
  1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 5984, 5985, 5986, 6000,
  6379, 6443, 9042, 9092, 9200, 9300, 10250, 11211, 27017
])

/** May a partner use this port? 80, 443, and those from 1024 on that no other well-known service uses. */
export const portAllowed = (port: number): boolean =>
  lowPorts.has(port) || (port >= 1024 && port <= 65535 && !servicePorts.has(port))

/** The address of a literal host (`127.0.0.1`, `[::1]`), IPv4-mapped ones unwrapped; undefined for names. */
export const literalAddress = (host: string): Address | undefined => {
  const bare = host.replace(/^\[|\]$/g, "")
  // ipaddr.js also reads octal and short forms; WHATWG URL has folded those already.
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined
}

/** Is this a literal loopback address? False for names. */
export const isLoopback = (address: string): boolean => literalAddress(address)?.range() === "loopback"

/** Is it a host of this machine? Names other than localhost count as other machines, because they may resolve to any address. */
export const isThisMachine = (host: string): boolean => host.toLowerCase() === "localhost" || isLoopback(host)

/** By list, because the guard asks for each URL. */
const parsed = new WeakMap<ReadonlyArray<string>, ReadonlyArray<[Address, number]>>()

/** Parses CIDRs, each list once; throws a `RangeError` that names the first invalid one. */
export const parseCidrs = (cidrs: ReadonlyArray<string>): ReadonlyArray<[Address, number]> => {
  const known = parsed.get(cidrs)
  if (known !== undefined) return known
  const ranges = cidrs.map((text): [Address, number] => {
    if (!ipaddr.isValidCIDR(text)) throw new RangeError(`not a CIDR range: ${text}`)
    return ipaddr.parseCIDR(text)
  })
  parsed.set(cidrs, ranges)
  return ranges
}

/**
 * Why a partner may not have this address: the class of its range, e.g. `loopback`, `private`, `metadata`; undefined when
 * it may.
 */
export const deniedAddress = (
  text: string,
  allowed: ReadonlyArray<readonly [Address, number]>
): string | undefined => {
  const address = literalAddress(text)
  if (address === undefined) return "unreadable"
  const isMetadata = metadata.has(address.toNormalizedString())
  const whole = address.kind() === "ipv4" ? 32 : 128
  if (allowed.some(([net, bits]) => (!isMetadata || bits === whole) && inside(address, net, bits)))
    return undefined
  if (isMetadata) return "metadata"
  const range = address.range()
  if (range !== "unicast") return range
  if (deniedRanges.some(([net, bits]) => inside(address, net, bits))) return "reserved"
  return address.kind() === "ipv6" && !inside(address, ...globalIpv6) ? "reserved" : undefined
}

function inside(address: Address, net: Address, bits: number): boolean {
  if (address.kind() === "ipv4" && net.kind() === "ipv4")
    return (address as ipaddr.IPv4).match(net as ipaddr.IPv4, bits) // same kind, tested
  if (address.kind() === "ipv6" && net.kind() === "ipv6")
    return (address as ipaddr.IPv6).match(net as ipaddr.IPv6, bits) // same kind, tested
  return false
}
