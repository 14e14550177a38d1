import { Context, Effect, Layer } from "effect"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerMemory, memoryStore } from "../../src/ledger/LedgerMemory.ts"
import { ledgerContract } from "../contracts/ledger.ts"

ledgerContract("LedgerMemory", (leaseSeconds) =>
  Effect.suspend(() => {
    const store = memoryStore()
    const open = (owner: string) =>
      Effect.map(Layer.build(LedgerMemory.layer({ owner, store, leaseSeconds })), (context) =>
        Context.get(context, Ledger)
      )
    return Effect.all({ a: open("a"), b: open("b") })
  })
)
