/** The commits of this process, for whoever listens to them. */
import { Cause, Effect } from "effect"
import type { Commit, Ledger } from "./Ledger.ts"

/** The two ends. */
interface Commits {
  /** Tells all listeners, in commit order. What one of them throws is logged, and reaches neither the other ones nor the caller. */
  readonly tell: (commits: ReadonlyArray<Commit>) => Effect.Effect<void>
  readonly onCommit: Ledger["Type"]["onCommit"]
}

/** Nobody listens yet. */
export const makeCommits = (): Commits => {
  const listeners = new Set<(commits: ReadonlyArray<Commit>) => void>()
  return {
    tell: (commits) =>
      Effect.suspend(() => {
        let thrown: Cause.Cause<never> | undefined
        for (const listener of listeners) {
          try {
            listener(commits)
          } catch (error) {
            thrown = Cause.parallel(thrown ?? Cause.empty, Cause.die(error))
          }
        }
        if (thrown === undefined) return Effect.void
        return Effect.logError("A listener to commits failed by an error of ours; its ledger goes on", thrown)
      }),
    onCommit: (listener) =>
      Effect.acquireRelease(
        Effect.sync(() => void listeners.add(listener)),
        () => Effect.sync(() => listeners.delete(listener))
      )
  }
}
