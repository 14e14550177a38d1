/** How a command finds the running service: by flags, then the environment, then the default address of `plugfest serve`. */
import { Options } from "@effect/cli"
import { Effect, Option, Redacted } from "effect"
import { UsageError } from "../terminal/UsageError.ts"
import { client, type Service } from "./Service.ts"

const fallbackUrl = "http://127.0.0.1:8080"

/** The flags of all commands that call the service. */
export const serviceFlags = {
  url: Options.text("url").pipe(
    Options.withDescription(`URL of the running service (PLUGFEST_URL; default: ${fallbackUrl})`),
    Options.optional
  ),
  key: Options.redacted("key").pipe(
    Options.withDescription(
      "API key; better given as PLUGFEST_API_KEY, because other users of the machine can see flags"
    ),
    Options.optional
  ),
  json: Options.boolean("json").pipe(Options.withDescription("print the result as JSON"))
}

/** The URL without slashes at its end. */
export const slashless = (url: string): string => url.replace(/\/+$/, "")

/** The service that flags and environment name; UsageError without a valid URL or a key. */
export const serviceOf = Effect.fnUntraced(function* (flags: {
  readonly url: Option.Option<string>
  readonly key: Option.Option<Redacted.Redacted<string>>
}) {
  const given = Option.getOrElse(flags.url, () => process.env["PLUGFEST_URL"] ?? fallbackUrl)
  const url = slashless(given)
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    return yield* new UsageError({ message: "--url (PLUGFEST_URL): expected an http or https URL" })
  const { password, username } = new URL(url)
  if (username !== "" || password !== "")
    return yield* new UsageError({
      message:
        "--url (PLUGFEST_URL): leave out user name and password; the service is called with the API key"
    })
  const key = Option.getOrElse(flags.key, () => Redacted.make(process.env["PLUGFEST_API_KEY"] ?? ""))
  if (!/^[\x21-\x7e]+$/.test(Redacted.value(key)))
    return yield* new UsageError({
      message: "No API key: give PLUGFEST_API_KEY or --key. Make one with: plugfest keys create"
    })
  const service: Service = { url, key, api: yield* client(url, key) }
  return service
})
