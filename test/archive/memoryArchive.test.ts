import { Effect } from "effect"
import { memoryArchive } from "../../src/archive/memoryArchive.ts"
import { archiveStoreContract } from "../contracts/archiveStore.ts"

archiveStoreContract(
  "memoryArchive",
  Effect.sync(() => memoryArchive())
)
