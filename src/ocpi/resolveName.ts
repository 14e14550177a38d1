/**
 * The addresses of a partner's name. The system's resolver (getaddrinfo) knows everything about names of this machine and
 * its network, but Node runs it in two threads for the whole process and cannot stop it. A partner whose name servers do not answer
 * could make the look-ups of all other partners wait, and they would be told as unreachable. So names are asked for over
 * sockets first, with a limit, and the system's resolver is left with those that are not found there, one at a time.
 */
import dns, { type LookupAddress } from "node:dns"
import { readFile } from "node:fs/promises"
import { isIP } from "node:net"

/** All addresses of a name; rejects with an error that has a `code`, `ENOTFOUND` for instance. */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<LookupAddress>>

/** What a resolver may be given in place of what the machine has. */
export interface ResolveOptions {
  /** Name servers, `127.0.0.1:5353`. Default: those of the system. */
  readonly servers?: ReadonlyArray<string>
  /** Default: the system's resolver. */
  readonly system?: Resolve
  /** Names that the operator gave addresses to, like the lines of /etc/hosts. Default: those. */
  readonly hosts?: () => Promise<string>
}

/** A first try is this long; a second one, and other name servers, have what is left of the limit. */
const tryMillis = 1500
/** Less than the limit of a connection, which a look-up is part of. */
const limitMillis = 4000
/** When the addresses of one family are there, those of the other are waited for so long. */
const otherFamilyMillis = 300
/** Look-ups of the system's resolver under way at once; one thread is left for the look-ups of everything else. */
const systemAtOnce = 1
/** A look-up waits so long for its turn at the system's resolver. */
const turnMillis = 3000

/**
 * No such name, or nothing of that kind: the system may know of another (a search domain, a name of the local network). Or no
 * name server can be reached this way.
 */
const systemMayKnow = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED", "EREFUSED", "EBADNAME"])

/** A resolver; each has its own turns at the system's. */
export const makeResolve = (options: ResolveOptions = {}): Resolve => {
  const { hosts = hostsFile, servers, system = getaddrinfo } = options
  const inTurn = makeTurns(systemAtOnce, turnMillis)
  return async (hostname) => {
    const name = hostname.replace(/\.$/, "").toLowerCase()
    const given = addressesIn(await hosts(), name)
    if (given.length > 0) return given
    const asked = await overSockets(name, servers)
    if ("found" in asked) return asked.found
    // Their name servers must not be asked again by the system's resolver, which would wait for them in its turn.
    if (name.includes(".") && !asked.codes.some((code) => systemMayKnow.has(code)))
      throw failure(hostname, asked.codes.includes("ETIMEOUT") ? "EAI_AGAIN" : "ESERVFAIL")
    return inTurn(hostname, () => system(hostname))
  }
}

function getaddrinfo(hostname: string): Promise<ReadonlyArray<LookupAddress>> {
  return dns.promises.lookup(hostname, { all: true, verbatim: true })
}

type Asked =
  | { readonly found: ReadonlyArray<LookupAddress> }
  /** Of both families. */
  | { readonly codes: ReadonlyArray<string> }

/** Asks for the absolute name, as those of partners are. */
function overSockets(name: string, servers: ReadonlyArray<string> | undefined): Promise<Asked> {
  const resolver = new dns.promises.Resolver({ timeout: tryMillis, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return new Promise((resolve) => {
    const found: Array<LookupAddress> = []
    const codes: Array<string> = []
    let open = 2
    // What comes later changes nothing.
    const end = () => {
      resolver.cancel()
      // Those of IPv4 first, which every machine can reach.
      const sorted = found.toSorted((one, other) => one.family - other.family)
      resolve(found.length > 0 ? { found: sorted } : { codes: open > 0 ? [...codes, "ETIMEOUT"] : codes })
    }
    after(limitMillis, end)
    const ask = (addresses: Promise<ReadonlyArray<string>>, family: 4 | 6) =>
      addresses
        .then(
          (all) => {
            found.push(...all.map((address) => ({ address, family })))
            after(otherFamilyMillis, end)
          },
          (error: NodeJS.ErrnoException) => codes.push(error.code ?? "")
        )
        .finally(() => {
          open -= 1
          if (open === 0) end()
        })
    void ask(resolver.resolve4(name), 4)
    void ask(resolver.resolve6(name), 6)
  })
}

/** Does that so many milliseconds later, whatever has happened by then. */
const after = (millis: number, act: () => void) =>
  AbortSignal.timeout(millis).addEventListener("abort", act, { once: true })

const failure = (hostname: string, code: string) =>
  Object.assign(new Error(`${code} ${hostname}`), { code, hostname })

const hostsFile = () => readFile("/etc/hosts", "utf8").catch(() => "")

/** The addresses that the lines of a hosts file give to a name. */
function addressesIn(text: string, name: string): ReadonlyArray<LookupAddress> {
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.some((one) => one.toLowerCase() === name) ? [{ address, family }] : []
  })
}

/** At most so many at once; rejects with `EAI_AGAIN` what waits longer than `millis` for its turn. */
function makeTurns(atOnce: number, millis: number) {
  let open = 0
  const waiting: Array<() => void> = []
  const free = () => {
    const next = waiting.shift()
    if (next === undefined) open -= 1
    else next()
  }
  const turn = (hostname: string): Promise<void> => {
    if (open < atOnce) {
      open += 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      waiting.push(resolve)
      after(millis, () => {
        const place = waiting.indexOf(resolve)
        if (place < 0) return
        waiting.splice(place, 1)
        reject(failure(hostname, "EAI_AGAIN"))
      })
    })
  }
  return async <A>(hostname: string, work: () => Promise<A>): Promise<A> => {
    await turn(hostname)
    try {
      return await work()
    } finally {
      free()
    }
  }
}
