/**
 * All settings: environment variables, each also a flag of `plugfest serve`. One table holds name, default, meaning and
 * format. A wrong value ends the boot with the setting's name, the value (unless secret) and what is expected.
 */
import { Data, Effect, Redacted } from "effect"
import { archiveAddress } from "./archive/archiveAddress.ts"
import {
  choice,
  type Form,
  integer,
  listOf,
  logLevel,
  matching,
  number,
  onOff,
  someRange,
  url,
  webRoot,
  withoutUser
} from "./settingForms.ts"

/** One or more settings are wrong; `message` has a line for each. */
export class SettingsInvalid extends Data.TaggedError("SettingsInvalid")<{ readonly message: string }> {}

const limitNames = [
  "requests",
  "commands",
  "connectionCommands",
  "runs",
  "streams",
  "connections",
  "partnerCalls",
  "partnerKilobytes",
  "accountCalls",
  "accountKilobytes",
  "unauthenticatedCalls"
] as const
const defaultLimits =
  "requests=120,commands=30,connectionCommands=6,runs=5,streams=20,connections=100," +
  "partnerCalls=6000,partnerKilobytes=8192,accountCalls=30000,accountKilobytes=32768,unauthenticatedCalls=600"

interface Setting<A> {
  readonly variable: string
  readonly meaning: string
  /** The default as text, read like a given value; undefined: no default. */
  readonly fallback?: string
  /** What the help shows as the default where there is no `fallback`. */
  readonly fallbackText?: string
  readonly secret?: boolean
  /** What the help shows for the value, where the last word of the variable does not say it. */
  readonly value?: string
  readonly form: Form<A>
}
const setting = <A>(of: Setting<A>): Setting<A> => of

/** The table of all settings; `flagOf` gives the flag of each. */
export const settings = {
  port: setting({
    variable: "PORT",
    fallback: "8080",
    meaning: "port to listen on (0 = any free one)",
    form: integer(0, 65535)
  }),
  host: setting({
    variable: "HOST",
    fallback: "127.0.0.1",
    meaning: "address to listen on",
    form: matching(/^[A-Za-z0-9.:_-]+$/, "a host name or an address")
  }),
  publicUrl: setting({
    variable: "PUBLIC_URL",
    fallbackText: "http://HOST:PORT",
    meaning: "root of every URL that is handed out to partners and clients",
    form: webRoot
  }),
  processUrl: setting({
    variable: "PROCESS_URL",
    fallbackText: "http://HOST:PORT, or the address by which this process reaches the database",
    meaning: "where other processes on the same database reach this one, not through a balancer",
    form: webRoot
  }),
  databaseUrl: setting({
    variable: "DATABASE_URL",
    fallbackText: "none: the embedded Postgres",
    secret: true,
    meaning: "Postgres 15 or newer, as the login that serves; a superuser is refused",
    form: url("postgres:", "postgresql:")
  }),
  databaseAdminUrl: setting({
    variable: "DATABASE_ADMIN_URL",
    fallbackText: "none: the login of DATABASE_URL migrates as well",
    secret: true,
    meaning:
      "the same database, as the login that owns the tables: it migrates them, and creates the login of DATABASE_URL where that is missing",
    form: url("postgres:", "postgresql:")
  }),
  databaseAllowSuperuser: setting({
    variable: "DATABASE_ALLOW_SUPERUSER",
    fallback: "off",
    meaning: "serve even when DATABASE_URL logs in as a superuser",
    form: onOff
  }),
  dataDir: setting({
    variable: "DATA_DIR",
    fallback: ".plugfest",
    meaning: "embedded database and generated keys",
    form: matching(/./, "a directory")
  }),
  bootstrapApiKey: setting({
    variable: "BOOTSTRAP_API_KEY",
    fallbackText: "none",
    secret: true,
    meaning:
      "an API key of account default with all scopes, accepted until it is revoked; if other machines can reach HOST, it must be 32 random characters or more",
    form: matching(/^.{16,200}$/, "16 to 200 characters")
  }),
  encryptionKeys: setting({
    variable: "ENCRYPTION_KEYS",
    fallbackText: "generated into DATA_DIR",
    secret: true,
    meaning: "keys that encrypt stored secrets, as k2:base64,k1:base64; the first encrypts, all decrypt",
    form: matching(
      /^[A-Za-z0-9_-]+:[A-Za-z0-9+/=]{40,}(,[A-Za-z0-9_-]+:[A-Za-z0-9+/=]{40,})*$/,
      "name:key pairs, each key 32 bytes in base64"
    )
  }),
  signingKeys: setting({
    variable: "SIGNING_KEYS",
    fallbackText: "generated into DATA_DIR",
    secret: true,
    meaning:
      "Ed25519 keys for signed exports, PKCS#8 (DER) in base64, comma-separated; the first signs, all are published",
    form: matching(/^[A-Za-z0-9+/=]{40,}(,[A-Za-z0-9+/=]{40,})*$/, "PKCS#8 keys in base64")
  }),
  egressAllowCidrs: setting({
    variable: "EGRESS_ALLOW_CIDRS",
    fallbackText: "none",
    meaning: "private address ranges in which partners may be, e.g. 127.0.0.0/8",
    form: listOf(someRange, "address ranges such as 127.0.0.0/8,10.1.0.0/16, and none of /0")
  }),
  allowHttp: setting({
    variable: "ALLOW_HTTP",
    fallback: "off",
    meaning:
      "allow plain http to partners at public addresses; if off, only to addresses in EGRESS_ALLOW_CIDRS",
    form: onOff
  }),
  sandbox: setting({
    variable: "SANDBOX",
    fallback: "on",
    meaning: "serve sandbox partners under /sandbox",
    form: onOff
  }),
  leaseSeconds: setting({
    variable: "LEASE_SECONDS",
    fallback: "15",
    meaning:
      "seconds after which the runs of a process that no longer says that it is alive can be claimed by others",
    form: number(0.2, 3600)
  }),
  waitMaxSeconds: setting({
    variable: "WAIT_MAX_SECONDS",
    fallback: "30",
    meaning: "seconds that a request with ?wait= waits at most",
    form: integer(1, 300)
  }),
  partnerTimeoutSeconds: setting({
    variable: "PARTNER_TIMEOUT_SECONDS",
    fallback: "30",
    meaning: "deadline of one exchange with a partner, in seconds",
    form: number(0.1, 120)
  }),
  partnerConcurrency: setting({
    variable: "PARTNER_CONCURRENCY",
    value: "number",
    fallback: "4",
    meaning: "concurrent exchanges with one partner",
    form: integer(1, 64)
  }),
  simulationSpeed: setting({
    variable: "SIMULATION_SPEED",
    value: "factor",
    fallback: "60",
    meaning: "simulated seconds per real second in the charging simulation",
    form: number(0.001, 100000)
  }),
  plansFile: setting({
    variable: "PLANS_FILE",
    fallbackText: "every account has plan unlimited",
    meaning: "JSON file with the plans of accounts",
    form: matching(/./, "a file")
  }),
  rateLimits: setting({
    variable: "RATE_LIMITS",
    fallback: defaultLimits,
    meaning:
      "requests and commands per minute and key; commands per minute and connection; open runs, streams and connections per account; calls and KiB of partners per minute, by connection and by account; calls per minute and address without a token of ours",
    form: listOf(
      new RegExp(`^(${limitNames.join("|")})=\\d{1,9}$`),
      `pairs such as requests=120, of ${limitNames.join(", ")}`
    )
  }),
  maxConnections: setting({
    variable: "MAX_CONNECTIONS",
    value: "number",
    fallback: "10000",
    meaning: "open sockets of one process; a further one is answered 503",
    form: integer(1, 1_000_000)
  }),
  maxConnectionsPerAddress: setting({
    variable: "MAX_CONNECTIONS_PER_ADDRESS",
    value: "number",
    fallback: "5000",
    meaning: "open sockets from one address, which is that of the reverse proxy where there is one",
    form: integer(1, 1_000_000)
  }),
  stalledReaderSeconds: setting({
    variable: "STALLED_READER_SECONDS",
    fallback: "30",
    meaning: "seconds after which a client that reads nothing of its answer is disconnected",
    form: integer(1, 3600)
  }),
  drainSeconds: setting({
    variable: "DRAIN_SECONDS",
    fallback: "0",
    meaning:
      "for so many seconds after SIGTERM /health/ready is answered 503 and everything else is served, so that a load balancer notices",
    form: number(0, 300)
  }),
  retentionDays: setting({
    variable: "RETENTION_DAYS",
    fallbackText: "none: everything is kept",
    meaning: "days after which ended runs are purged, and exchanges with partners outside of runs",
    form: integer(1, 36500)
  }),
  archiveUrl: setting({
    variable: "ARCHIVE_URL",
    fallbackText: "none: lines stay in the database",
    meaning:
      "where ended runs are archived: a folder (an absolute path or file:///…), or a bucket of S3 or of a server that speaks its protocol (s3://bucket/prefix)",
    form: {
      expected: "an absolute path, file:///path or s3://bucket/prefix",
      read: (text) => (archiveAddress(text) === undefined ? undefined : text)
    }
  }),
  archiveAfterDays: setting({
    variable: "ARCHIVE_AFTER_DAYS",
    fallbackText: "none: runs are archived by plugfest archive alone",
    meaning: "days after which the lines of an ended run move from the database into ARCHIVE_URL",
    form: number(0, 36500)
  }),
  awsRegion: setting({
    variable: "AWS_REGION",
    fallback: "us-east-1",
    meaning: "region of the bucket of ARCHIVE_URL",
    form: matching(/^[A-Za-z0-9-]{1,60}$/, "a region such as eu-central-1")
  }),
  awsEndpointUrlS3: setting({
    variable: "AWS_ENDPOINT_URL_S3",
    value: "url",
    fallbackText: "that of AWS",
    meaning: "root of the server of the bucket, where it is not AWS, e.g. https://s3.example.com",
    form: webRoot
  }),
  awsAccessKeyId: setting({
    variable: "AWS_ACCESS_KEY_ID",
    fallbackText: "none",
    secret: true,
    meaning: "access key that may read, write and delete the objects of ARCHIVE_URL",
    form: matching(/^\S{1,200}$/, "an access key")
  }),
  awsSecretAccessKey: setting({
    variable: "AWS_SECRET_ACCESS_KEY",
    fallbackText: "none",
    secret: true,
    meaning: "the secret of AWS_ACCESS_KEY_ID",
    form: matching(/^\S{1,500}$/, "a secret access key")
  }),
  awsSessionToken: setting({
    variable: "AWS_SESSION_TOKEN",
    fallbackText: "none",
    secret: true,
    meaning: "session token, where the access key is a temporary one",
    form: matching(/^\S{1,10000}$/, "a session token")
  }),
  metricsToken: setting({
    variable: "METRICS_TOKEN",
    fallbackText: "none: GET /metrics needs no token",
    secret: true,
    meaning: "bearer token that GET /metrics requires",
    form: matching(/^[\x21-\x7e]{8,200}$/, "8 to 200 visible characters without spaces")
  }),
  auditDays: setting({
    variable: "AUDIT_DAYS",
    fallback: "90",
    meaning: "days for which the audit log of API keys is kept",
    form: integer(1, 36500)
  }),
  logLevel: setting({
    variable: "LOG_LEVEL",
    fallback: "info",
    meaning: "debug, info, warn, error or none",
    form: logLevel
  }),
  otlpUrl: setting({
    variable: "OTLP_URL",
    fallbackText: "none: no traces",
    meaning: "OpenTelemetry collector (OTLP over HTTP) that traces are sent to, e.g. http://127.0.0.1:4318",
    form: webRoot
  }),
  otlpHeaders: setting({
    variable: "OTLP_HEADERS",
    fallbackText: "none",
    secret: true,
    meaning: "headers that the collector requires: name=value,name=value",
    form: matching(/^[A-Za-z0-9-]+=[^,=][^,]*(,[A-Za-z0-9-]+=[^,=][^,]*)*$/, "pairs such as x-api-key=abc")
  }),
  cell: setting({
    variable: "CELL",
    fallback: "a",
    meaning: "a letter that all new ids begin with: which database they are of, where there are several",
    form: matching(/^[a-z]$/, "one letter from a to z")
  }),
  logFormat: setting({
    variable: "LOG_FORMAT",
    fallbackText: "pretty on a terminal, else json",
    meaning: "pretty or json",
    form: choice("pretty", "json")
  })
} as const

type Name = keyof typeof settings

/** Decoded settings. Secrets are redacted; undefined = not given. */
export interface Settings {
  readonly port: number
  /** PORT was 0, and `port` is the free port that was picked: BootServer holds it until the service listens. */
  readonly portWasPicked?: true
  readonly host: string
  readonly publicUrl: string | undefined
  readonly processUrl: string | undefined
  readonly databaseUrl: Redacted.Redacted<string> | undefined
  readonly databaseAdminUrl: Redacted.Redacted<string> | undefined
  readonly databaseAllowSuperuser: boolean
  readonly dataDir: string
  readonly bootstrapApiKey: Redacted.Redacted<string> | undefined
  readonly encryptionKeys: Redacted.Redacted<string> | undefined
  readonly signingKeys: Redacted.Redacted<string> | undefined
  readonly egressAllowCidrs: ReadonlyArray<string>
  readonly allowHttp: boolean
  readonly sandbox: boolean
  readonly leaseSeconds: number
  readonly waitMaxSeconds: number
  readonly partnerTimeoutSeconds: number
  readonly partnerConcurrency: number
  readonly simulationSpeed: number
  readonly plansFile: string | undefined
  readonly rateLimits: ReadonlyArray<string>
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  readonly stalledReaderSeconds: number
  readonly drainSeconds: number
  readonly auditDays: number
  readonly retentionDays: number | undefined
  readonly archiveUrl: string | undefined
  readonly archiveAfterDays: number | undefined
  readonly awsRegion: string
  readonly awsEndpointUrlS3: string | undefined
  readonly awsAccessKeyId: Redacted.Redacted<string> | undefined
  readonly awsSecretAccessKey: Redacted.Redacted<string> | undefined
  readonly awsSessionToken: Redacted.Redacted<string> | undefined
  readonly metricsToken: Redacted.Redacted<string> | undefined
  readonly logLevel: "debug" | "info" | "warn" | "error" | "none"
  readonly otlpUrl: string | undefined
  readonly otlpHeaders: Redacted.Redacted<string> | undefined
  readonly cell: string
  readonly logFormat: "pretty" | "json" | undefined
}

/** The flag of a setting: its variable in kebab case, without the leading dashes. */
export const flagOf = (of: Setting<unknown>) => of.variable.toLowerCase().replaceAll("_", "-")

/** Flags take precedence over the environment, and the environment over defaults. The error names every wrong setting. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<Name, string>>> = {}
): Effect.Effect<Settings, SettingsInvalid> {
  const wrong: Array<string> = []
  const values: Record<string, unknown> = {}
  for (const [name, of] of Object.entries(settings) as ReadonlyArray<[Name, Setting<unknown>]>) {
    const text = flags[name] ?? (environment[of.variable] || undefined) ?? of.fallback
    if (text === undefined) {
      values[name] = name === "egressAllowCidrs" ? [] : undefined
      continue
    }
    const value = of.form.read(text)
    if (value === undefined) {
      const seen = of.secret === true ? "a value that is not shown" : JSON.stringify(withoutUser(text))
      wrong.push(`${of.variable} (--${flagOf(of)}) is ${seen}; expected ${of.form.expected}`)
    } else {
      values[name] = of.secret === true ? Redacted.make(value) : value
    }
  }
  if (values["databaseAdminUrl"] !== undefined && values["databaseUrl"] === undefined && wrong.length === 0) {
    wrong.push("DATABASE_ADMIN_URL (--database-admin-url) is given without DATABASE_URL; give both")
  }
  return wrong.length === 0
    ? Effect.succeed(values as unknown as Settings) // the table has decoded every value above
    : Effect.fail(new SettingsInvalid({ message: wrong.join("\n") }))
}

/** From where the settings of a process are, by their variables; those that are not named have their defaults. */
export interface SettingSources {
  readonly flags: ReadonlyArray<string>
  readonly environment: ReadonlyArray<string>
}

/** Which settings `readSettings` takes from where. */
export function sourcesOf(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<Name, string>>> = {}
): SettingSources {
  const all = Object.entries(settings) as ReadonlyArray<[Name, Setting<unknown>]>
  const isFlag = ([name]: (typeof all)[number]) => flags[name] !== undefined
  const variables = (some: typeof all) => some.map(([, { variable }]) => variable)
  return {
    flags: variables(all.filter(isFlag)),
    environment: variables(all.filter((each) => !isFlag(each) && Boolean(environment[each[1].variable])))
  }
}

/** The limits by name: RATE_LIMITS over the defaults. */
export function limitsOf(current: Settings): Readonly<Record<(typeof limitNames)[number], number>> {
  const given = Object.fromEntries(
    [...defaultLimits.split(","), ...current.rateLimits].map((pair) => {
      const [name, value] = pair.split("=")
      return [name, Number(value)]
    })
  )
  return given as Readonly<Record<(typeof limitNames)[number], number>> // `defaultLimits` has every name
}
