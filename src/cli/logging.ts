/** Log lines: one JSON object a line for machines, or a readable line on stderr for a person. */
import { Cause, HashMap, Layer, List, Logger, LogLevel } from "effect"
import type { Settings } from "../Settings.ts"
import { plain } from "./Terminal.ts"

const levels = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None
} as const

/** `json`, unless a person looks at the terminal. */
export const logFormatOf = (settings: Settings): "json" | "pretty" =>
  settings.logFormat ?? (process.stdout.isTTY === true ? "pretty" : "json")

const text = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((part) =>
      typeof part === "string" ? part : part instanceof Error ? part.message : JSON.stringify(part)
    )
    .join(" ")

/** `{"time", "level", "message", …annotations, "cause"?}` on stdout; JSON escapes what a partner may have smuggled in. */
const jsonLogger = Logger.make<unknown, void>(({ annotations, cause, date, logLevel, message, spans }) => {
  const line = {
    time: date.toISOString(),
    level: logLevel.label.toLowerCase(),
    message: text(message),
    ...Object.fromEntries(HashMap.toEntries(annotations)),
    ...(List.isNil(spans) ? {} : { spans: List.toArray(spans).map(({ label }) => label) }),
    ...(Cause.isEmpty(cause) ? {} : { cause: Cause.pretty(cause, { renderErrorCause: true }) })
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
})

const prettyLogger = Logger.make<unknown, void>(({ annotations, cause, date, logLevel, message }) => {
  const notes = HashMap.toEntries(annotations).map(([name, value]) => ` ${name}=${plain(String(value))}`)
  const time = date.toISOString().slice(11, 23)
  const failure = Cause.isEmpty(cause) ? "" : `\n${Cause.pretty(cause, { renderErrorCause: true })}`
  process.stderr.write(
    `${time} ${logLevel.label.padEnd(5)} ${plain(text(message))}${notes.join("")}${failure}\n`
  )
})

/** The logger and the lowest level that is written, as the settings say. */
export const logging = (settings: Settings) =>
  Layer.merge(
    Logger.replace(Logger.defaultLogger, logFormatOf(settings) === "json" ? jsonLogger : prettyLogger),
    Logger.minimumLogLevel(levels[settings.logLevel])
  )
