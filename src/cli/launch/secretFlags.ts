/** Secrets that were given as flags: other users of the machine can read the arguments of a process for as long as it runs. */

/** The flags whose value is a secret, without dashes. `Settings.ts` is not read for them: it is more code than a client needs. */
export const secretFlags: ReadonlySet<string> = new Set([
  "key",
  "database-url",
  "database-admin-url",
  "bootstrap-api-key",
  "encryption-keys",
  "signing-keys",
  "aws-access-key-id",
  "aws-secret-access-key",
  "aws-session-token",
  "metrics-token",
  "otlp-headers"
])

const hidden = "***"

/** The arguments with `***` in place of each secret, and the flags that had one. */
export const withoutSecrets = (
  args: ReadonlyArray<string>
): { readonly shown: ReadonlyArray<string>; readonly flags: ReadonlyArray<string> } => {
  const flags: Array<string> = []
  const shown: Array<string> = []
  let isValue = false
  for (const arg of args) {
    const [, name = "", value] = /^--([^=]+)(=.*)?$/s.exec(arg) ?? []
    const isSecret = secretFlags.has(name.toLowerCase())
    if (isValue) shown.push(hidden)
    else shown.push(isSecret && value !== undefined ? `--${name}=${hidden}` : arg)
    if (!isValue && isSecret) flags.push(name.toLowerCase())
    isValue = !isValue && isSecret && value === undefined
  }
  return { shown, flags }
}

/** Replaces the secrets among the arguments in what the system shows of this process. What its own code reads is unchanged. */
export const hideSecretFlags = (argv: ReadonlyArray<string>): void => {
  const { flags, shown } = withoutSecrets(argv.slice(2))
  if (flags.length > 0) process.title = ["node", argv[1] ?? "", ...shown].join(" ")
}
