/** The commits of this process, for whoever listens to them. */
import { Effect } from "effect"
import type { Commit, Ledger } from "./Ledger.ts"

/** The two ends. */
export interface Commits {
  /** Tells all listeners, in commit order. */
  readonly tell: (commits: ReadonlyArray<Commit>) => void
  readonly onCommit: Ledger["Type"]["onCommit"]
}

/** Nobody listens yet. */
export const makeCommits = (): Commits => {
  const listeners = new Set<(commits: ReadonlyArray<Commit>) => void>()
  return {
    tell: (commits) => {
      for (const listener of listeners) listener(commits)
    },
    onCommit: (listener) =>
      Effect.acquireRelease(
        Effect.sync(() => void listeners.add(listener)),
        () => Effect.sync(() => listeners.delete(listener))
      )
  }
}
