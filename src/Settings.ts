/**
 * All settings: environment variables, each also a flag of `plugfest serve`. One table says name, default, meaning and
 * form; a wrong value is refused at boot with its name, the value (unless secret) and what is expected.
 */
import { Data, Effect, Redacted } from "effect"
import {
  choice,
  type Form,
  integer,
  listOf,
  matching,
  number,
  onOff,
  someRange,
  url
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
  /** As text, as if given; undefined = none. */
  readonly fallback?: string
  /** Shown in the help when there is no plain default. */
  readonly fallbackText?: string
  readonly secret?: boolean
  readonly form: Form<A>
}
const setting = <A>(of: Setting<A>): Setting<A> => of

/** The table. The flag of a setting is its variable in kebab case. */
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
    meaning: "root of every URL that we hand out",
    form: url("http:", "https:")
  }),
  databaseUrl: setting({
    variable: "DATABASE_URL",
    fallbackText: "none: the embedded Postgres",
    secret: true,
    meaning: "Postgres 15 or newer, with the login that serves: no superuser",
    form: url("postgres:", "postgresql:")
  }),
  databaseAdminUrl: setting({
    variable: "DATABASE_ADMIN_URL",
    fallbackText: "none: the login of DATABASE_URL migrates too",
    secret: true,
    meaning:
      "the same database, with the login that owns the tables: migrates them, and makes the login of DATABASE_URL where there is none",
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
      "a key of account default with all scopes, accepted from the first request on until it is revoked; where others reach HOST, 32 random characters or more",
    form: matching(/^.{16,200}$/, "16 to 200 characters")
  }),
  encryptionKeys: setting({
    variable: "ENCRYPTION_KEYS",
    fallbackText: "generated into DATA_DIR",
    secret: true,
    meaning: "k2:base64,k1:base64; the first writes, all read",
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
    meaning: "private address ranges that partners may live in, e.g. 127.0.0.0/8",
    form: listOf(someRange, "address ranges such as 127.0.0.0/8,10.1.0.0/16, and none of /0")
  }),
  allowHttp: setting({
    variable: "ALLOW_HTTP",
    fallback: "off",
    meaning:
      "plain http also to partners at public addresses; without it only where EGRESS_ALLOW_CIDRS reaches",
    form: onOff
  }),
  sandbox: setting({
    variable: "SANDBOX",
    fallback: "on",
    meaning: "sandbox partners under /sandbox",
    form: onOff
  }),
  leaseSeconds: setting({
    variable: "LEASE_SECONDS",
    fallback: "15",
    meaning: "how long a run stays ours without a sign of life",
    form: number(0.2, 3600)
  }),
  waitMaxSeconds: setting({
    variable: "WAIT_MAX_SECONDS",
    fallback: "30",
    meaning: "the longest that ?wait= waits",
    form: integer(1, 300)
  }),
  partnerTimeoutSeconds: setting({
    variable: "PARTNER_TIMEOUT_SECONDS",
    fallback: "30",
    meaning: "deadline over one whole exchange with a partner",
    form: number(0.1, 120)
  }),
  partnerConcurrency: setting({
    variable: "PARTNER_CONCURRENCY",
    fallback: "4",
    meaning: "exchanges at once with one partner",
    form: integer(1, 64)
  }),
  simulationSpeed: setting({
    variable: "SIMULATION_SPEED",
    fallback: "60",
    meaning: "simulated seconds per second of the charging simulation",
    form: number(0.001, 100000)
  }),
  plansFile: setting({
    variable: "PLANS_FILE",
    fallbackText: "every account has plan unlimited",
    meaning: "JSON file that gives accounts their plans",
    form: matching(/./, "a file")
  }),
  rateLimits: setting({
    variable: "RATE_LIMITS",
    fallback: defaultLimits,
    meaning:
      "requests and commands a minute a key, commands a minute a connection, open runs, streams and connections an account; of partners: calls and KiB a minute a connection and an account, and calls a minute an address without a token of ours",
    form: listOf(
      new RegExp(`^(${limitNames.join("|")})=\\d{1,9}$`),
      `pairs such as requests=120, of ${limitNames.join(", ")}`
    )
  }),
  maxConnections: setting({
    variable: "MAX_CONNECTIONS",
    fallback: "10000",
    meaning: "connections of one process; one more is answered 503",
    form: integer(1, 1_000_000)
  }),
  maxConnectionsPerAddress: setting({
    variable: "MAX_CONNECTIONS_PER_ADDRESS",
    fallback: "5000",
    meaning: "connections from one address, that of the reverse proxy where there is one",
    form: integer(1, 1_000_000)
  }),
  stalledReaderSeconds: setting({
    variable: "STALLED_READER_SECONDS",
    fallback: "30",
    meaning: "a reader that takes no byte of its answer is cut off within so many seconds",
    form: integer(1, 3600)
  }),
  retentionDays: setting({
    variable: "RETENTION_DAYS",
    fallbackText: "none: all is kept",
    meaning:
      "runs that ended more than so many days ago are purged, and what partners said and heard so long ago",
    form: integer(1, 36500)
  }),
  metricsToken: setting({
    variable: "METRICS_TOKEN",
    fallbackText: "none: whoever reaches the port may read",
    secret: true,
    meaning: "what GET /metrics must be asked with, as a bearer token",
    form: matching(/^[\x21-\x7e]{8,200}$/, "8 to 200 visible characters without spaces")
  }),
  auditDays: setting({
    variable: "AUDIT_DAYS",
    fallback: "90",
    meaning: "how many days the audit log of API keys is kept",
    form: integer(1, 36500)
  }),
  logLevel: setting({
    variable: "LOG_LEVEL",
    fallback: "info",
    meaning: "debug, info, warning, error or none",
    form: choice("debug", "info", "warning", "error", "none")
  }),
  otlpUrl: setting({
    variable: "OTLP_URL",
    fallbackText: "none: no traces",
    meaning: "OpenTelemetry collector (OTLP over HTTP) that gets traces, e.g. http://127.0.0.1:4318",
    form: url("http:", "https:")
  }),
  otlpHeaders: setting({
    variable: "OTLP_HEADERS",
    fallbackText: "none",
    secret: true,
    meaning: "headers that the collector asks for: name=value,name=value",
    form: matching(/^[A-Za-z0-9-]+=[^,=][^,]*(,[A-Za-z0-9-]+=[^,=][^,]*)*$/, "pairs such as x-api-key=abc")
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
  /** PORT was 0: the port is held until the service listens there. */
  readonly portWasPicked?: true
  readonly host: string
  readonly publicUrl: string | undefined
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
  readonly auditDays: number
  readonly retentionDays: number | undefined
  readonly metricsToken: Redacted.Redacted<string> | undefined
  readonly logLevel: "debug" | "info" | "warning" | "error" | "none"
  readonly otlpUrl: string | undefined
  readonly otlpHeaders: Redacted.Redacted<string> | undefined
  readonly logFormat: "pretty" | "json" | undefined
}

/** A setting's flag: its variable in kebab case, without the dashes in front. */
export const flagOf = (of: Setting<unknown>) => of.variable.toLowerCase().replaceAll("_", "-")

/** Flags win over the environment, the environment over the defaults. Every wrong setting is named, not only the first. */
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
      const seen = of.secret === true ? "a value that is not shown" : JSON.stringify(text)
      wrong.push(`${of.variable} (--${flagOf(of)}) is ${seen}; expected ${of.form.expected}`)
    } else {
      values[name] = of.secret === true ? Redacted.make(value) : value
    }
  }
  if (values["databaseAdminUrl"] !== undefined && values["databaseUrl"] === undefined && wrong.length === 0) {
    wrong.push("DATABASE_ADMIN_URL (--database-admin-url) is given; expected DATABASE_URL beside it")
  }
  return wrong.length === 0
    ? Effect.succeed(values as unknown as Settings) // the table has decoded every value above
    : Effect.fail(new SettingsInvalid({ message: wrong.join("\n") }))
}

/** The limits of RATE_LIMITS by name. */
export function limitsOf(current: Settings): Readonly<Record<(typeof limitNames)[number], number>> {
  const given = Object.fromEntries(
    [...defaultLimits.split(","), ...current.rateLimits].map((pair) => {
      const [name, value] = pair.split("=")
      return [name, Number(value)]
    })
  )
  return given as Readonly<Record<(typeof limitNames)[number], number>> // every name stands in the default
}
