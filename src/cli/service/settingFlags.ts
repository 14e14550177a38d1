/** Settings as optional flags; their help shows variable and default. */
import { Options } from "@effect/cli"
import { Effect, identity, Option } from "effect"
import {
  flagOf,
  readSettings,
  type SettingSources,
  type Settings,
  type SettingsInvalid,
  settings,
  sourcesOf
} from "../../Settings.ts"
import { onOff } from "../../settingForms.ts"

type Name = keyof typeof settings

const flag = (name: Name) => {
  const of: { readonly value?: string } & (typeof settings)[Name] = settings[name]
  const value = of.value ?? (of.form === onOff ? "on|off" : undefined)
  const fallback = of.fallback ?? of.fallbackText
  return Options.text(flagOf(of)).pipe(
    value === undefined ? identity : Options.withPseudoName(value),
    Options.withDescription(`${of.meaning} (${of.variable}; default: ${fallback})`),
    Options.optional
  )
}

/** The settings that select the database and its logins. */
export const databaseSettings = [
  "databaseUrl",
  "databaseAdminUrl",
  "databaseAllowSuperuser",
  "dataDir"
] as const satisfies ReadonlyArray<Name>

/** The settings that say where ended runs are archived. */
export const archiveSettings = [
  "archiveUrl",
  "awsRegion",
  "awsEndpointUrlS3",
  "awsAccessKeyId",
  "awsSecretAccessKey",
  "awsSessionToken"
] as const satisfies ReadonlyArray<Name>

/** Flags of these settings, by default of all. Flags take precedence over the environment. */
export function settingFlags(names: ReadonlyArray<Name> = Object.keys(settings) as ReadonlyArray<Name>) {
  return Options.all(
    Object.fromEntries(names.map((name) => [name, flag(name)])) as Record<Name, ReturnType<typeof flag>>
  )
}

type Flags = Readonly<Partial<Record<Name, Option.Option<string>>>>

/** The settings of this process, in order of precedence: flags, `preset`, environment, defaults. */
export function settingsFrom(
  flags: Flags,
  preset: Readonly<Partial<Record<Name, string>>> = {}
): Effect.Effect<Settings, SettingsInvalid> {
  return Effect.suspend(() => readSettings(process.env, { ...preset, ...givenIn(flags) }))
}

/** Which settings of this process are from its flags, and which from its environment. */
export const settingSources = (flags: Flags): Effect.Effect<SettingSources> =>
  Effect.sync(() => sourcesOf(process.env, givenIn(flags)))

const givenIn = (flags: Flags): Readonly<Partial<Record<Name, string>>> =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]) =>
      Option.isSome(value) ? [[name, value.value] as const] : []
    )
  )
