import { databaseRows } from "./database.ts"
import { diskFull } from "./disk.ts"
import { endingRows } from "./endings.ts"
import { killRows } from "./kills.ts"
import { lagRows } from "./lagging.ts"
import { ownershipRows } from "./ownership.ts"
import { partnerRows } from "./partners.ts"
import { processRows } from "./processes.ts"
import type { Row } from "./Row.ts"
import { resultRows } from "./results.ts"
import { streamRows } from "./streams.ts"

/** Every row of the fault matrix, in the order of the table. */
export const matrix: ReadonlyArray<Row> = [
  ...killRows,
  ...databaseRows,
  diskFull,
  ...ownershipRows,
  ...processRows,
  ...partnerRows,
  ...resultRows,
  ...streamRows,
  ...endingRows,
  ...lagRows
]
