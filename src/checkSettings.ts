/** Checks combinations of settings before the service listens: insecure ones are refused or logged as warnings. */
import { Effect, Redacted } from "effect"
import { archiveAddress } from "./archive/archiveAddress.ts"
import { isThisMachine } from "./ocpi/addresses.ts"
import { publicUrlOf } from "./publicUrl.ts"
import { flagOf, type Settings, SettingsInvalid, settings as table } from "./Settings.ts"
import { weaknessOf } from "./store/secrets/keyStrength.ts"
import { traced } from "./telemetry/traced.ts"

/** One line for each problem, with what to change. */
interface SettingsProblems {
  readonly refused: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

/** Logs the warnings; fails with `SettingsInvalid` when a combination is refused. */
export const checkSettings = traced("checkSettings")(function* (settings: Settings) {
  const { refused, warnings } = problemsOf(settings)
  for (const warning of warnings) yield* Effect.logWarning(warning)
  if (refused.length > 0) return yield* new SettingsInvalid({ message: refused.join("\n") })
})

/** The problems of these settings; messages show values, but never a secret. */
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
      refused.push(`${key} It is refused because HOST (${host}) lets other machines connect. ${strongKey}`)
    } else warnings.push(`${key} Only this machine can connect and try it at present. ${strongKey}`)
  }

  if (isOpen && metricsToken === undefined) {
    warnings.push(
      `GET /metrics needs no token, and other machines can reach ${host}:${port}. Set METRICS_TOKEN.`
    )
  }
  if (isOpen && settings.databaseUrl === undefined) {
    warnings.push(
      "Other machines can reach this service, but it runs on the embedded Postgres, which is meant for trying it out. Set DATABASE_URL to a Postgres of your own."
    )
  }

  const root = new URL(publicUrlOf(settings))
  const isNear = isThisMachine(root.hostname)
  if (isOpen && isNear && publicUrl === undefined) {
    warnings.push(
      `The URLs that partners get begin with ${root.origin}, which means their own machine. Set PUBLIC_URL to the address at which they reach this service.`
    )
  }
  if (root.protocol === "http:" && !isNear) {
    warnings.push(
      `API keys and partners' tokens travel to ${root.origin} unencrypted. Put a TLS proxy in front and set PUBLIC_URL=https://…`
    )
  }

  const address = settings.archiveUrl === undefined ? undefined : archiveAddress(settings.archiveUrl)
  if (settings.archiveAfterDays !== undefined && address === undefined) {
    refused.push("ARCHIVE_AFTER_DAYS is set without ARCHIVE_URL: say where runs are archived.")
  }
  if (address?.kind === "s3") {
    if (settings.awsAccessKeyId === undefined || settings.awsSecretAccessKey === undefined)
      refused.push("ARCHIVE_URL is a bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, too.")
    const endpoint = settings.awsEndpointUrlS3 === undefined ? undefined : new URL(settings.awsEndpointUrlS3)
    if (endpoint?.protocol === "http:" && !isThisMachine(endpoint.hostname))
      warnings.push(
        `Archived runs travel to ${endpoint.origin} unencrypted. Use https:// if that server has it.`
      )
  }
  const { archiveAfterDays, retentionDays } = settings
  if (archiveAfterDays !== undefined && retentionDays !== undefined && retentionDays <= archiveAfterDays) {
    warnings.push(
      `No run stays in the archive: RETENTION_DAYS (${retentionDays}) purges it no later than ARCHIVE_AFTER_DAYS (${archiveAfterDays}) archives it.`
    )
  }

  if (egressAllowCidrs.length > 0) {
    warnings.push(
      `EGRESS_ALLOW_CIDRS allows partners in private ranges: ${egressAllowCidrs.join(", ")}. List no more ranges than your partners need.`
    )
  }
  return { refused, warnings }
}

const strongKey =
  'Make one with "plugfest keys generate" or "openssl rand -hex 32"; or leave it out and make keys with "plugfest keys create".'
