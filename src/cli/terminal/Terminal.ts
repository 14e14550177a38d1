/**
 * Output of the command line: progress on stderr, data on stdout. Colours and replaced lines only on a terminal, never
 * with CI set; no colours with NO_COLOR. Text of partners must pass `plain`, so that no control character reaches the
 * terminal.
 */
import { Context, Effect, Layer } from "effect"
import { withoutDirections, writtenOut } from "../../reports/directions.ts"
import { fold } from "./fold.ts"

/** The colours and weights that `paint` can apply. */
export type Colour = "green" | "red" | "yellow" | "cyan" | "dim" | "bold"
const codes: Readonly<Record<Colour, readonly [number, number]>> = {
  green: [32, 39],
  red: [31, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  dim: [2, 22],
  bold: [1, 22]
}

/** Columns below which lines are not fitted any more. */
const narrowest = 40

/**
 * Replaces control characters by spaces, so that a text cannot change colours or move the cursor, and writes out those that change the
 * direction of what follows.
 */
export const plain = (text: string): string => withoutDirections(text.replace(/\p{Cc}/gu, " "))

/**
 * A line of data as a terminal may get it: what a terminal takes for a command or for a change of direction is written out as
 * JSON writes it, so that JSON keeps its values. `JSON.stringify` leaves these characters as they are.
 */
export const forTerminal = (line: string): string =>
  withoutDirections(line.replace(/[\u007f-\u009f]/g, writtenOut))

/** Colours are for terminals, and not with CI or a NO_COLOR that is not empty (no-color.org). */
const isColoured = (stream: { readonly isTTY?: boolean }): boolean =>
  stream.isTTY === true && process.env["CI"] === undefined && (process.env["NO_COLOR"] ?? "") === ""

/** Writes to stdout and stderr. */
export class TerminalOutput extends Context.Tag("cli/Terminal")<
  TerminalOutput,
  {
    /** Writes a line of data to stdout. */
    readonly print: (line: string) => Effect.Effect<void>
    /** Writes a line of progress to stderr; replaces a line that `status` wrote. */
    readonly say: (line: string) => Effect.Effect<void>
    /** Writes a line to stderr that the next line replaces; writes nothing unless stderr is a terminal. */
    readonly status: (line: string) => Effect.Effect<void>
    /** Removes the line that `status` wrote. */
    readonly clear: Effect.Effect<void>
    /** Columns of stderr; 100 where it is no terminal. */
    readonly columns: number
    /** Paints a part of a line for stderr. */
    readonly paint: (colour: Colour, text: string) => string
    /** Paints a part of a line for stdout. */
    readonly paintData: (colour: Colour, text: string) => string
  }
>() {
  static readonly layer = Layer.sync(TerminalOutput, () => {
    const live = process.stderr.isTTY === true && process.env["CI"] === undefined
    const painted = (stream: { readonly isTTY?: boolean }) => (colour: Colour, text: string) =>
      isColoured(stream) ? `\u001b[${codes[colour][0]}m${text}\u001b[${codes[colour][1]}m` : text
    /** The line as it fits this terminal; whole elsewhere. */
    const fitted = (stream: NodeJS.WriteStream, line: string) =>
      stream.isTTY === true
        ? fold(forTerminal(line), Math.max(narrowest, stream.columns ?? 80)).join("\n")
        : line
    let open = false
    const clear = () => {
      if (open) process.stderr.write("\r\u001b[2K")
      open = false
    }
    return TerminalOutput.of({
      print: (line) =>
        Effect.sync(() => {
          clear()
          process.stdout.write(`${fitted(process.stdout, line)}\n`)
        }),
      say: (line) =>
        Effect.sync(() => {
          clear()
          process.stderr.write(`${fitted(process.stderr, line)}\n`)
        }),
      status: (line) =>
        Effect.sync(() => {
          if (!live) return
          clear()
          process.stderr.write(line.slice(0, Math.max(20, (process.stderr.columns ?? 80) - 1)))
          open = true
        }),
      clear: Effect.sync(clear),
      columns: process.stderr.isTTY === true ? (process.stderr.columns ?? 80) : 100,
      paint: painted(process.stderr),
      paintData: painted(process.stdout)
    })
  })
}
