import { Layer } from "effect"
import { Feed } from "../../../src/ledger/feed/feed.ts"
import { LedgerMemory } from "../../../src/ledger/LedgerMemory.ts"
import { RunLogsLive } from "../../../src/ledger/run/RunLogsLive.ts"

/** The room `ledger` in memory, for one process. */
export const ledgerInMemory = () =>
  Feed.layer().pipe(
    Layer.provideMerge(RunLogsLive.layer({ leaseSeconds: 15 })),
    Layer.provideMerge(LedgerMemory.layer())
  )
