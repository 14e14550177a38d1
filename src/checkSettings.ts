/** Checks settings against each other: combinations that leave the service open are refused, or warned of in the log, before it listens. */
import { Effect, Redacted } from "effect"
import { publicUrlOf } from "./layers.ts"
import { isLoopback } from "./ocpi/addresses.ts"
import { flagOf, type Settings, SettingsInvalid, settings as table } from "./Settings.ts"
import { weaknessOf } from "./store/secrets/keyStrength.ts"

/** One line each, with what to do. */
export interface SettingsProblems {
  readonly refused: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

/** Logs the warnings; fails when the service must not listen like that. */
export const checkSettings = Effect.fn("checkSettings")(function* (settings: Settings) {
  const { refused, warnings } = problemsOf(settings)
  for (const warning of warnings) yield* Effect.logWarning(warning)
  if (refused.length > 0) return yield* new SettingsInvalid({ message: refused.join("\n") })
})

/** Names values of settings, but none of a secret. */
export function problemsOf(settings: Settings): SettingsProblems {
  const { egressAllowCidrs, host, metricsToken, port, publicUrl } = settings
  const isOpen = !isThisMachine(host)
  const refused: Array<string> = []
  const warnings: Array<string> = []

  const weakness =
    settings.bootstrapApiKey === undefined ? undefined : weaknessOf(Redacted.value(settings.bootstrapApiKey))
  if (weakness !== undefined) {
    const key = `BOOTSTRAP_API_KEY (--${flagOf(table.bootstrapApiKey)}) can be guessed: it ${weakness}.`
    if (isOpen) {
      refused.push(`${key} It is refused while HOST (${host}) lets others than this machine in. ${strongKey}`)
    } else warnings.push(`${key} Only this machine can try it now. ${strongKey}`)
  }

  if (isOpen && metricsToken === undefined) {
    warnings.push(`GET /metrics answers whoever reaches ${host}:${port}. Set METRICS_TOKEN.`)
  }
  if (isOpen && settings.databaseUrl === undefined) {
    warnings.push(
      "Others than this machine use a service that runs on the embedded Postgres. It is meant for trying things out: set DATABASE_URL to a Postgres of your own."
    )
  }

  const root = new URL(publicUrlOf(settings))
  const isNear = isThisMachine(root.hostname)
  if (isOpen && isNear && publicUrl === undefined) {
    warnings.push(
      `Partners are told to call ${root.origin}, which leads to themselves. Set PUBLIC_URL to where they reach this service.`
    )
  }
  if (root.protocol === "http:" && !isNear) {
    warnings.push(
      `API keys and partners' tokens travel to ${root.origin} unencrypted. Put a TLS proxy in front and set PUBLIC_URL=https://…`
    )
  }

  if (egressAllowCidrs.length > 0) {
    warnings.push(
      `EGRESS_ALLOW_CIDRS lets partners live in private ranges: ${egressAllowCidrs.join(", ")}. Name as few as your partners need.`
    )
  }
  return { refused, warnings }
}

const strongKey =
  'Make one with "plugfest keys generate" or "openssl rand -hex 32"; or leave it out, and make keys with "plugfest keys create".'

/** A name other than localhost may stand for any address. */
const isThisMachine = (host: string): boolean => host.toLowerCase() === "localhost" || isLoopback(host)
