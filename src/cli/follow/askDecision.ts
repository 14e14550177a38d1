/** Asks a person how an interrupted run goes on. */
import { createInterface } from "node:readline"
import { Effect } from "effect"
import type { Decision } from "../../../schema/Recovery.ts"
import { nearest } from "../../findings/nearest.ts"
import { plain } from "../terminal/Terminal.ts"

/** Asks until the answer is one of the offered decisions. Undefined without a terminal, and when the input ends. */
export const askDecision = (
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean },
  output: NodeJS.WritableStream,
  offered: ReadonlyArray<Decision>
): Effect.Effect<Decision | undefined> =>
  input.isTTY !== true
    ? Effect.succeed(undefined)
    : Effect.async((done) => {
        const dialogue = createInterface({ input, output })
        const ask = () => dialogue.prompt()
        dialogue.setPrompt(`  ${offered.join(" | ")}? `)
        dialogue.on("line", (line) => {
          const answer = line.trim()
          const meant = offered.find((decision) => decision === answer)
          if (meant === undefined) {
            const near = nearest(answer, offered)
            output.write(
              answer === ""
                ? ""
                : `  "${plain(answer)}" is not offered.${near === undefined ? "" : ` Did you mean ${near}?`}\n`
            )
            return ask()
          }
          done(Effect.succeed(meant))
          dialogue.close()
        })
        // After an answer this changes nothing.
        dialogue.once("close", () => done(Effect.succeed(undefined)))
        // The terminal hands Ctrl-C to the dialogue while it asks.
        dialogue.once("SIGINT", () => done(Effect.interrupt))
        ask()
        return Effect.sync(() => dialogue.close())
      })
