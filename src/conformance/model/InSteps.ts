/** A long computation in short steps. */
import type { Stepwise } from "./Check.ts"

/** The value of a generator that pauses by `yield`. Who asks for the value does all the steps that are left, at once. */
export class InSteps<A> implements Stepwise {
  private readonly walk: Iterator<undefined, A, undefined>
  private end: { readonly value: A } | { readonly error: unknown } | undefined

  constructor(walk: Iterator<undefined, A, undefined>) {
    this.walk = walk
  }

  /** Does one step; false: there is none left. A computation that broke is over. */
  step(): boolean {
    if (this.end !== undefined) return false
    try {
      const next = this.walk.next()
      if (next.done !== true) return true
      this.end = { value: next.value }
    } catch (error) {
      this.end = { error }
    }
    return false
  }

  /** Throws what the computation threw. */
  result(): A {
    while (this.end === undefined) this.step()
    if ("error" in this.end) throw this.end.error
    return this.end.value
  }
}
