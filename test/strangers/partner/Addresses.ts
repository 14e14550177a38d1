/** Where a stranger's versions, details and endpoints are: the URLs that it gives away, and what a URL that comes in means. */
import { type StrangerRole, type StrangerVersion, strangerVersions } from "./Freedoms.ts"
import { isIn } from "./objects/classes.ts"
import type { Self } from "./Self.ts"

/** An interface of a module, as version details list it. */
export interface Endpoint {
  readonly identifier: string
  readonly role: "SENDER" | "RECEIVER"
}

const modulesOf: Readonly<
  Record<StrangerRole, ReadonlyArray<readonly [string, Endpoint["role"], versions?: string]>>
> = {
  CPO: [
    ["locations", "SENDER"],
    ["sessions", "SENDER"],
    ["cdrs", "SENDER"],
    ["tariffs", "SENDER"],
    ["tokens", "RECEIVER"],
    ["commands", "RECEIVER"],
    ["chargingprofiles", "RECEIVER", "2.2+"],
    ["payments", "RECEIVER", "2.3.0"]
  ],
  EMSP: [
    ["locations", "RECEIVER"],
    ["sessions", "RECEIVER"],
    ["cdrs", "RECEIVER"],
    ["tariffs", "RECEIVER"],
    ["tokens", "SENDER"],
    ["commands", "SENDER"],
    ["chargingprofiles", "SENDER", "2.2+"]
  ]
}

const isUnlisted = (version: StrangerVersion, role: StrangerRole, identifier: string) =>
  version === "2.1.1" && role === "EMSP" && identifier === "commands"

/** The addresses of a stranger, once it listens. */
export class Addresses {
  readonly #self: Self
  #front = ""
  #back = ""

  constructor(self: Self) {
    this.#self = self
  }

  /** It listens there; `back`: where modules are served. */
  open(front: string, back: string): void {
    this.#front = front
    this.#back = back
  }

  get versionsPath(): string {
    return `${this.#self.freedoms.root}/versions`
  }

  get versionsUrl(): string {
    return `${this.#front}${this.versionsPath}`
  }

  /** Those of its version details; `isServed`: with what is reached by URLs that it gives away alone. */
  endpoints(version: StrangerVersion, isServed = false): ReadonlyArray<Endpoint> {
    const { freedoms, role } = this.#self
    const usual = modulesOf[role].filter(([, , versions]) => isIn(version, versions))
    // In 2.1.1 an EMSP offers no commands: it names a response_url with each (mod_commands).
    const own = usual.filter(
      ([identifier]) =>
        !freedoms.leftOut.includes(identifier) && (isServed || !isUnlisted(version, role, identifier))
    )
    const more: ReadonlyArray<Endpoint> =
      freedoms.moreModules && version !== "2.1.1" ? [{ identifier: "hubclientinfo", role: "RECEIVER" }] : []
    const all = [
      { identifier: "credentials", role: freedoms.credentialsRole },
      ...own.map(([identifier, side]) => ({ identifier, role: side })),
      ...more
    ]
    return freedoms.listedBackwards ? all.toReversed() : all
  }

  /** The URL of an endpoint. */
  urlOf(version: StrangerVersion, endpoint: Endpoint): URL {
    const { freedoms } = this.#self
    const host = endpoint.identifier === "credentials" ? this.#front : this.#back
    const url = new URL(`${host}${this.#pathOf(version, endpoint)}${freedoms.endpointSlash ? "/" : ""}`)
    if (freedoms.endpointQuery) url.searchParams.set("tenant", "7")
    return url
  }

  detailsPath(version: StrangerVersion): string {
    const { freedoms } = this.#self
    return freedoms.paths === "version first" || freedoms.paths === "role first"
      ? `${freedoms.root}/${version}`
      : `${freedoms.root}/details-${version.replaceAll(".", "-")}`
  }

  detailsUrl(version: StrangerVersion): string {
    return `${this.#front}${this.detailsPath(version)}`
  }

  /** Its versions, in the order in which it lists them. */
  get versions(): ReadonlyArray<StrangerVersion> {
    const { freedoms, version } = this.#self
    const all = strangerVersions.filter((one) => one === version || freedoms.otherVersions.includes(one))
    return freedoms.listedBackwards ? all.toReversed() : all
  }

  /** The decoded segments below an endpoint; undefined when the URL is not below it. */
  below(url: URL, version: StrangerVersion, endpoint: Endpoint): ReadonlyArray<string> | undefined {
    const { freedoms } = this.#self
    const path = this.#pathOf(version, endpoint)
    if (freedoms.endpointQuery && url.searchParams.get("tenant") !== "7") return undefined
    if (url.pathname === (freedoms.endpointSlash ? `${path}/` : path)) return []
    if (!url.pathname.startsWith(`${path}/`)) return undefined
    const below = url.pathname.slice(path.length + 1).split("/")
    try {
      return below.map(decodeURIComponent)
    } catch {
      return undefined
    }
  }

  #pathOf(version: StrangerVersion, { identifier, role: side }: Endpoint): string {
    const { freedoms, role } = this.#self
    const own = version === this.#self.version
    const name = role.toLowerCase()
    const below = {
      "version first": `/${version}/${identifier}`,
      "role first": `/${name}/${version}/${identifier}`,
      "no version": own ? `/${identifier}` : `/v${version.replaceAll(".", "")}/${identifier}`,
      opaque: `/x${Buffer.from(`${version}${identifier}${side}`).toString("hex")}`
    }[freedoms.paths]
    return `${freedoms.root}${below}${freedoms.suffix}`
  }
}
