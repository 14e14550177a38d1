/** Functions with a span of their own, if there is a tracer. */
import { Effect, FiberRef, type Tracer } from "effect"

type Work = Effect.Effect<unknown, unknown, unknown>
type Arguments = ReadonlyArray<unknown>
type Body = (...args: Arguments) => Work
type Pipeable = (work: Work, ...args: Arguments) => Work
type Make = (body: Body, ...pipeables: ReadonlyArray<Pipeable>) => Body

/**
 * As `Effect.fn(name)`, but without a tracer it makes no span and reads no stack, which would cost twelve microseconds a
 * call.
 */
export const traced = ((name: string, options?: Tracer.SpanOptions) => {
  return (body: Body, ...pipeables: ReadonlyArray<Pipeable>) => {
    // Not made before it is needed: `Effect.fn` reads a stack here too, and some are made for each run.
    let made: Body | undefined
    const spanned = () => {
      made ??= (Effect.fn(name, options) as unknown as Make)(body, ...pipeables)
      return made
    }
    const plain = isGenerator(body)
      ? untraced(body, ...pipeables)
      : (...args: Arguments) => pipeables.reduce((work, pipe) => pipe(work, ...args), body(...args))
    return (...args: Arguments) =>
      Effect.withFiberRuntime<unknown, unknown, unknown>((fiber) =>
        fiber.getFiberRef(FiberRef.currentTracerEnabled) ? spanned()(...args) : plain(...args)
      )
  }
}) as unknown as (name: string, options?: Tracer.SpanOptions) => Effect.fn.Gen & Effect.fn.NonGen // loose inside, as the library's own

const untraced = Effect.fnUntraced as unknown as Make

const isGenerator = (body: unknown): boolean =>
  Object.prototype.toString.call(body) === "[object GeneratorFunction]"
