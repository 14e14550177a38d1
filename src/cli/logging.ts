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
    .map((part) => (typeof part === "string" ? part : part instanceof Error ? part.message : jsonOf(part)))
    .join(" ")

/**
 * `{"time", "level", "message", …annotations, "cause"?}`, always one line: JSON escapes line feeds, and here what else
 * some reader takes for the end of a line or for a command to a terminal.
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
      /[\u007f-\u009f\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
    )
)

/** A readable line; only the stack of a failure takes more of them. */
export const prettyLine = Logger.make<unknown, string>(({ annotations, cause, date, logLevel, message }) => {
  const notes = HashMap.toEntries(annotations).map(([name, value]) => ` ${name}=${plain(String(value))}`)
  const time = date.toISOString().slice(11, 23)
  const stack = Cause.isEmpty(cause) ? [] : Cause.pretty(cause, { renderErrorCause: true }).split("\n")
  const failure = stack.map((line) => `\n${plain(line)}`).join("")
  return `${time} ${logLevel.label.padEnd(5)} ${plain(text(message))}${notes.join("")}${failure}`
})

/** What JSON has no word for must not keep a line from being written. */
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

/** For commands whose stdout is their answer. */
export const besideTheAnswer = Logger.replace(Logger.defaultLogger, toStderr)

/** The logger and the lowest level that is written, as the settings say. */
export const logging = (settings: Settings) =>
  Layer.merge(
    Logger.replace(Logger.defaultLogger, logFormatOf(settings) === "json" ? toStdout : toStderr),
    Logger.minimumLogLevel(levels[settings.logLevel])
  )
