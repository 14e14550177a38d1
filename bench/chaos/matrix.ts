import { lagRows } from "./attacks/lagging.ts"
import { balancedRows } from "./rows/balanced.ts"
import { databaseRows } from "./rows/database.ts"
import { diskFull } from "./rows/disk.ts"
import { endingRows } from "./rows/endings.ts"
import { failoverRows } from "./rows/failover.ts"
import { killRows } from "./rows/kills.ts"
import { networkRows } from "./rows/network.ts"
import { ownershipRows } from "./rows/ownership.ts"
import { partnerRows } from "./rows/partners.ts"
import { patroniRows } from "./rows/patroni.ts"
import { pooledRows } from "./rows/pooled.ts"
import { processRows } from "./rows/processes.ts"
import { resultRows } from "./rows/results.ts"
import { streamRows } from "./rows/streams.ts"
import type { Row } from "./world/Row.ts"

/** Every row of the fault matrix, in the order of the table. */
export const matrix: ReadonlyArray<Row> = [
  ...killRows,
  ...databaseRows,
  diskFull,
  ...ownershipRows,
  ...processRows,
  ...balancedRows,
  ...failoverRows,
  ...pooledRows,
  ...patroniRows,
  ...networkRows,
  ...partnerRows,
  ...resultRows,
  ...streamRows,
  ...endingRows,
  ...lagRows
]
