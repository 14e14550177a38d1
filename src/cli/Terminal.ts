/**
 * What a person sees: progress on stderr, data on stdout. Colour and moving lines only on a terminal, never with
 * NO_COLOR or in CI. Text of partners goes through `plain`, so that no control character reaches the terminal.
 */
import { Context, Effect, Layer } from "effect"

export type Colour = "green" | "red" | "yellow" | "cyan" | "dim" | "bold"
const codes: Readonly<Record<Colour, readonly [number, number]>> = {
  green: [32, 39],
  red: [31, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  dim: [2, 22],
  bold: [1, 22]
}

/** Control characters out, so that neither colours nor cursor moves can be smuggled in. */
export const plain = (text: string): string => text.replace(/\p{Cc}/gu, " ")

export class TerminalOutput extends Context.Tag("cli/Terminal")<
  TerminalOutput,
  {
    /** A line of data, to stdout. */
    readonly print: (line: string) => Effect.Effect<void>
    /** A line of progress, to stderr. Replaces a line written by `status`. */
    readonly say: (line: string) => Effect.Effect<void>
    /** A line that the next one replaces; on anything but a terminal it is not written at all. */
    readonly status: (line: string) => Effect.Effect<void>
    /** Takes away the line that `status` wrote. */
    readonly clear: Effect.Effect<void>
    readonly paint: (colour: Colour, text: string) => string
  }
>() {
  static readonly layer = Layer.sync(TerminalOutput, () => {
    const live = process.stderr.isTTY === true && process.env["CI"] === undefined
    const coloured = live && process.env["NO_COLOR"] === undefined
    let open = false
    const clear = () => {
      if (open) process.stderr.write("\r\u001b[2K")
      open = false
    }
    return TerminalOutput.of({
      print: (line) =>
        Effect.sync(() => {
          clear()
          process.stdout.write(`${line}\n`)
        }),
      say: (line) =>
        Effect.sync(() => {
          clear()
          process.stderr.write(`${line}\n`)
        }),
      status: (line) =>
        Effect.sync(() => {
          if (!live) return
          clear()
          process.stderr.write(line.slice(0, Math.max(20, (process.stderr.columns ?? 80) - 1)))
          open = true
        }),
      clear: Effect.sync(clear),
      paint: (colour, text) =>
        coloured ? `\u001b[${codes[colour][0]}m${text}\u001b[${codes[colour][1]}m` : text
    })
  })
}
