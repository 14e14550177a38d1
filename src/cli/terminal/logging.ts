/** Logging: JSON lines on stdout for machines, or readable lines on stderr for people. */
import { Cause, HashMap, Layer, List, Logger, LogLevel } from "effect"
import type { Settings } from "../../Settings.ts"
import { plain } from "./Terminal.ts"

const levels = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warn: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None
} as const

/** LOG_FORMAT; by default `pretty` if stdout is a terminal, else `json`. */
export const logFormatOf = (settings: Settings): "json" | "pretty" =>
  settings.logFormat ?? (process.stdout.isTTY === true ? "pretty" : "json")

const text = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((part) => (typeof part === "string" ? part : part instanceof Error ? part.message : jsonOf(part)))
    .join(" ")

/**
 * `{"time", "level", "message", …annotations, "cause"?}`, always one line: JSON escapes line feeds, and we escape the other
 * characters that some readers take for the end of a line or for a terminal command.
 */
export const jsonLine = Logger.make<unknown, string>(
  ({ annotations, cause, date, logLevel, message, spans }) =>
    jsonOf({
      time: date.toISOString(),
      level: logLevel.label.toLowerCase(),
      message: text(message),
      ...Object.fromEntries(HashMap.toEntries(annotations)),
      ...(List.isNil(spans) ? {} : { spans: List.toArray(spans).map(({ label }) => label) }),
      ...(Cause.isEmpty(cause) ? {} : { cause: Cause.pretty(cause, { renderErrorCause: true }) })
    }).replace(
      /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
    )
)

/** A readable line; the stack of a failure follows on further lines. */
export const prettyLine = Logger.make<unknown, string>(({ annotations, cause, date, logLevel, message }) => {
  const notes = HashMap.toEntries(annotations).map(([name, value]) => ` ${name}=${plain(String(value))}`)
  const time = date.toISOString().slice(11, 23)
  const stack = Cause.isEmpty(cause) ? [] : Cause.pretty(cause, { renderErrorCause: true }).split("\n")
  const failure = stack.map((line) => `\n${plain(line)}`).join("")
  return `${time} ${logLevel.label.padEnd(5)} ${plain(text(message))}${notes.join("")}${failure}`
})

/** JSON text of any value; a value that JSON cannot express must not prevent the log line. */
function jsonOf(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part)) ?? String(value)
    )
  } catch {
    return JSON.stringify(String(value))
  }
}

const toStdout = Logger.map(jsonLine, (line) => void process.stdout.write(`${line}\n`))
const toStderr = Logger.map(prettyLine, (line) => void process.stderr.write(`${line}\n`))

/** Logs to stderr, for commands whose result is on stdout. */
export const besideTheAnswer = Logger.replace(Logger.defaultLogger, toStderr)

/** The logger and minimum level of the settings. */
export const logging = (settings: Settings) =>
  Layer.merge(
    Logger.replace(Logger.defaultLogger, logFormatOf(settings) === "json" ? toStdout : toStderr),
    Logger.minimumLogLevel(levels[settings.logLevel])
  )
