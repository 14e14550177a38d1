import { ledgerContract } from "../contracts/ledger.ts"
import { inMemory } from "../support/runs/processes.ts"

ledgerContract("LedgerMemory", inMemory)
