import { Context, Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { SharedTime } from "../../src/database/SharedTime.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerPostgres } from "../../src/ledger/postgres/LedgerPostgres.ts"
import { feedContract } from "../contracts/feed.ts"
import { inMemory } from "../support/runs/feedFixture.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

feedContract("on LedgerMemory", inMemory)

feedContract(
  "on LedgerPostgres",
  Effect.flatMap(Layer.build(TestDatabase), (context) => {
    const { pool } = Context.get(context, Database)
    const ledger = LedgerPostgres.layer({ pool: Effect.succeed(pool), owner: "a", leaseSeconds: 60 })
    const open = Effect.map(Layer.build(Layer.provide(Layer.fresh(ledger), SharedTime.layer)), (built) =>
      Context.get(built, Ledger)
    )
    return Effect.all({ here: open, elsewhere: open })
  })
)
