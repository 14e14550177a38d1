import { placementContract } from "../contracts/placement.ts"
import { inMemory } from "../support/runs/processes.ts"

placementContract("PlacementMemory", inMemory)
