import { archivingContract } from "../../contracts/archiving.ts"
import { groundInMemory } from "../../support/runs/archives.ts"

archivingContract("Archiving in memory", groundInMemory)
