import { placementContract } from "../contracts/placement.ts"
import { inPostgres } from "../support/runs/processes.ts"

placementContract("PlacementPostgres", inPostgres)
