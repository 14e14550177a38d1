import { Context, Effect, Layer } from "effect"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerMemory, memoryStore } from "../../src/ledger/LedgerMemory.ts"
import { ledgerContract } from "../contracts/ledger.ts"

ledgerContract(
  "LedgerMemory",
  Effect.suspend(() => {
    const store = memoryStore()
    const open = (owner: string) =>
      Effect.map(Layer.build(LedgerMemory.layer({ owner, store, leaseSeconds: 0.3 })), (context) =>
        Context.get(context, Ledger)
      )
    return Effect.all({ a: open("a"), b: open("b") })
  })
)
