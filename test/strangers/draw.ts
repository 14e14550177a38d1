/** Strangers drawn at random by fast-check. */
import fc from "fast-check"
import {
  type Freedoms,
  type StrangerRole,
  type StrangerVersion,
  strangerRoles,
  strangerVersions
} from "./partner/Freedoms.ts"

/** A stranger to be made. */
export interface Drawn {
  readonly version: StrangerVersion
  readonly role: StrangerRole
  readonly freedoms: Freedoms
}

const bool = fc.boolean()
/** The first of the choices is the plainest: what is drawn shrinks towards it. */
const one = <const A>(...choices: ReadonlyArray<A>) => fc.constantFrom(...choices)

const every: { readonly [K in keyof Freedoms]: fc.Arbitrary<Freedoms[K]> } = {
  contents: fc.integer({ min: 1, max: 1_000_000 }),
  root: one("", "/ocpi", "/api/v2/roaming", "/a%20b", "/ocpi/2.1.1"),
  paths: one("version first", "role first", "no version", "opaque"),
  suffix: one("", "/v1", ".json", "/receiver/emsp"),
  endpointSlash: bool,
  endpointQuery: bool,
  twoPorts: bool,
  otherVersions: fc.subarray([...strangerVersions]),
  listedBackwards: bool,
  moreModules: bool,
  ids: one("plain", "uuid", "marks", "reserved"),
  otherCase: bool,
  parties: one(1, 2, 4),
  moreRoles: bool,
  bareRouting: bool,
  optionals: one("all", "some", "none"),
  nulls: bool,
  unknownFields: bool,
  mixedFields: bool,
  indented: bool,
  escaped: bool,
  digits: one(0, 1, 3),
  zulu: bool.map((none) => !none),
  objects: one(5, 1, 2, 12, 25, 0),
  pageMax: one(100, 1000, 10, 3, 2, 1),
  pageUsual: one(100, 1000, 5, 1),
  link: one("offset", "cursor", "unquoted", "among others"),
  listOrder: one("created", "by id"),
  headerCase: one("usual", "lower", "upper"),
  moreHeaders: bool,
  keepAlive: bool,
  chunked: bool,
  contentType: one(
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'application/json; charset="utf-8"'
  ),
  xLimit: one("of the server", "of the request"),
  openBounds: bool,
  needsDateFrom: bool,
  credentialsRole: one("SENDER", "RECEIVER"),
  needsLocation: bool,
  beginsPending: bool,
  latency: one(3, 40, 400, 1500),
  message: one("none", "text", "null"),
  successCode: one(1000, 1001),
  created: one(200, 201),
  notFound: one("envelope", "empty", "code"),
  refused: one("envelope", "empty"),
  writtenData: one("none", "null", "object", "text"),
  tokenLength: one(36, 12, 64),
  tokenAlphabet: one("uuid", "letters", "all"),
  changesEach: one(0, 7, 3),
  pushes: one("put", "patch", "none"),
  chargePointSeconds: one(1, 0, 12),
  initiative: one("ours", "theirs"),
  gzip: bool,
  needsModules: bool,
  routineSeconds: fc.constant(0),
  meterSeconds: fc.constant(15),
  viaHub: one("broadcast", "each", "open"),
  toldPartiesOnly: bool,
  // Drawn last, so that what is drawn before stays.
  leftOut: one(
    [],
    [],
    [],
    ["tariffs"],
    ["cdrs"],
    ["tokens"],
    ["chargingprofiles"],
    ["commands", "chargingprofiles"],
    ["sessions", "commands", "chargingprofiles"],
    ["sessions", "cdrs", "commands", "chargingprofiles"],
    ["locations", "tariffs", "commands", "chargingprofiles"]
  ),
  lean: bool,
  mixedLists: bool,
  pauses: bool,
  reservedFirst: bool
}

/** The arbitrary of strangers. */
export const strangers = (
  of: { readonly version?: StrangerVersion; readonly role?: StrangerRole } = {}
): fc.Arbitrary<Drawn> =>
  fc.record({
    version: of.version === undefined ? one(...strangerVersions) : fc.constant(of.version),
    role: of.role === undefined ? one(...strangerRoles) : fc.constant(of.role),
    freedoms: fc.record<Freedoms>(every as { [K in keyof Freedoms]: fc.Arbitrary<Freedoms[K]> })
  })

/** The plainest choices of what a stranger may lack, or have in more than one part. */
const nothingLacking = {
  leftOut: [],
  lean: false,
  mixedLists: false,
  pauses: false,
  reservedFirst: false
} as const satisfies Partial<Freedoms>

/** The same stranger with objects in every list, and with all modules: there is something at which anything can be seen. */
export const lackingNothing = (drawn: Drawn): Drawn => ({
  ...drawn,
  freedoms: { ...drawn.freedoms, ...nothingLacking, objects: Math.max(1, drawn.freedoms.objects) }
})

/** The stranger with the plainest choices. */
export const plainStranger = (version: StrangerVersion, role: StrangerRole): Drawn => ({
  version,
  role,
  freedoms: {
    contents: 1,
    root: "",
    paths: "version first",
    suffix: "",
    endpointSlash: false,
    endpointQuery: false,
    twoPorts: false,
    otherVersions: [],
    listedBackwards: false,
    moreModules: false,
    ids: "plain",
    otherCase: false,
    parties: 1,
    moreRoles: false,
    bareRouting: false,
    optionals: "all",
    nulls: false,
    unknownFields: false,
    mixedFields: false,
    indented: false,
    escaped: false,
    digits: 0,
    zulu: true,
    objects: 5,
    pageMax: 100,
    pageUsual: 100,
    link: "offset",
    listOrder: "created",
    headerCase: "usual",
    moreHeaders: false,
    keepAlive: false,
    chunked: false,
    contentType: "application/json",
    xLimit: "of the server",
    openBounds: false,
    needsDateFrom: false,
    credentialsRole: "SENDER",
    needsLocation: false,
    beginsPending: false,
    latency: 3,
    message: "none",
    successCode: 1000,
    created: 200,
    notFound: "envelope",
    refused: "envelope",
    writtenData: "none",
    tokenLength: 36,
    tokenAlphabet: "uuid",
    changesEach: 0,
    pushes: "put",
    chargePointSeconds: 1,
    initiative: "ours",
    gzip: false,
    needsModules: false,
    routineSeconds: 0,
    meterSeconds: 15,
    viaHub: "broadcast",
    toldPartiesOnly: false,
    ...nothingLacking
  }
})

/** The stranger of a seed. Versions and roles take turns, so that a range of seeds has all of them. */
export const strangerOf = (seed: number): Drawn => drawnOf(strangerVersions, seed)

/** The same, of the versions that have hubs. */
export const hubStrangerOf = (seed: number): Drawn =>
  drawnOf(
    strangerVersions.filter((version) => version !== "2.1.1"),
    seed
  )

/** Version and role of the stranger of a seed, without drawing the rest. */
export const kindOf = (
  seed: number,
  versions: ReadonlyArray<StrangerVersion> = strangerVersions
): Pick<Drawn, "version" | "role"> => ({
  version: versions[seed % versions.length]!,
  role: strangerRoles[Math.floor(seed / versions.length) % strangerRoles.length]!
})

const drawnOf = (versions: ReadonlyArray<StrangerVersion>, seed: number): Drawn =>
  fc.sample(strangers(kindOf(seed, versions)), { seed, numRuns: 1 })[0]!

/** The choices that differ from the plainest, for readers. */
export const differences = ({ freedoms, role, version }: Drawn): Partial<Freedoms> => {
  const plain = plainStranger(version, role).freedoms as unknown as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(freedoms).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(plain[name]))
  )
}
