import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Logger, Redacted } from "effect"
import { RunId } from "../../../schema/Ids.ts"
import { jsonLine, prettyLine } from "../../../src/cli/terminal/logging.ts"
import { ofRun } from "../../../src/telemetry/ofRun.ts"

/** What is written while `work` runs. */
const written = (logger: Logger.Logger<unknown, string>, work: Effect.Effect<unknown>) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const collecting = Logger.map(logger, (line) => void lines.push(line))
    return Effect.as(Effect.provide(work, Logger.replace(Logger.defaultLogger, collecting)), lines)
  })

/** Everything that some reader takes for the end of a line or for a command to a terminal. */
const nasty = 'a\r\nb\u2028c\u2029d\u0085e\u001b[31mf\u009b2Jg\u0000"h\ud800'

describe("a log line as JSON", () => {
  it.effect("is one line, whatever a partner put into it, and reads back as it was", () =>
    Effect.gen(function* () {
      const [line, ...more] = yield* written(
        jsonLine,
        Effect.logError(nasty, Cause.die(new Error(nasty))).pipe(Effect.annotateLogs({ partner: nasty }))
      )
      assert.lengthOf(more, 0)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are looked for
      assert.notMatch(line!, /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
      const read = JSON.parse(line!)
      assert.deepInclude(read, { level: "error", message: nasty, partner: nasty })
      assert.include(read.cause, "a\r\nb")
    })
  )

  it.effect("names the request and the run that it is about", () =>
    Effect.gen(function* () {
      const work = ofRun(RunId.make("run_1"))(Effect.fork(Effect.logInfo("x"))).pipe(
        Effect.flatMap((fiber) => fiber.await)
      )
      const [line] = yield* written(jsonLine, Effect.annotateLogs(work, { requestId: "req" }))
      assert.deepInclude(JSON.parse(line!), { requestId: "req", runId: "run_1" })
    })
  )

  it.effect("is written although a value is none that JSON knows, and hides what is redacted", () =>
    Effect.gen(function* () {
      const circle: Record<string, unknown> = {}
      circle["self"] = circle
      const lines = yield* written(
        jsonLine,
        Effect.all([
          Effect.logInfo("x", { big: 1n }),
          Effect.logInfo("y", circle),
          Effect.logInfo("z", Redacted.make("s3cret")),
          Effect.annotateLogs(Effect.logInfo("w"), { circle })
        ])
      )
      assert.lengthOf(lines, 4)
      for (const line of lines) JSON.parse(line)
      assert.notInclude(lines.join(), "s3cret")
    })
  )
})

describe("a log line for people", () => {
  it.effect("has no control characters but the ends of our own lines", () =>
    Effect.gen(function* () {
      const lines = yield* written(
        prettyLine,
        Effect.logWarning(nasty, Cause.die(new Error(nasty))).pipe(Effect.annotateLogs({ partner: nasty }))
      )
      // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are looked for
      assert.notMatch(lines.join(), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    })
  )
})
