/** The keys of a service as text, for a backup. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { BackupRefused } from "../../database/backup/BackupRefused.ts"

/** The two settings of keys, and where the keys are without them. */
export interface KeySettings {
  readonly encryptionKeys: Redacted.Redacted<string> | undefined
  readonly signingKeys: Redacted.Redacted<string> | undefined
  readonly dataDir: string
}

/** The text of each file of keys by its name in DATA_DIR, from the setting or that file. None is ever generated here. */
export const keyTexts = ({ dataDir, encryptionKeys, signingKeys }: KeySettings) =>
  Effect.all({
    "encryption-keys": textOf("ENCRYPTION_KEYS", encryptionKeys, join(dataDir, "encryption-keys")),
    "signing-keys": textOf("SIGNING_KEYS", signingKeys, join(dataDir, "signing-keys"))
  })

const textOf = (setting: string, value: Redacted.Redacted<string> | undefined, file: string) =>
  value !== undefined
    ? Effect.succeed(value)
    : Effect.tryPromise({
        try: async () => Redacted.make((await readFile(file, "utf8")).trim()),
        catch: (error) => {
          const { code } = error as NodeJS.ErrnoException
          const why = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`
          return new BackupRefused({
            message: `${file} ${why}: give ${setting} or the DATA_DIR of the service, as the account that it runs as`
          })
        }
      })
