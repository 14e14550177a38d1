import { rows } from "./0001-0020/0001_rows.ts"
import { ledger } from "./0001-0020/0002_ledger.ts"
import { runStart } from "./0001-0020/0003_run_start.ts"
import { scenario } from "./0001-0020/0004_scenario.ts"
import { sharedLimits } from "./0001-0020/0005_shared_limits.ts"
import { idempotentTries } from "./0001-0020/0006_idempotent_tries.ts"
import { runTombstone } from "./0001-0020/0007_run_tombstone.ts"
import { audit } from "./0001-0020/0008_audit.ts"
import { simulated } from "./0001-0020/0009_simulated.ts"
import { exchangeAge } from "./0001-0020/0010_exchange_age.ts"
import { refusedCall } from "./0001-0020/0011_refused_call.ts"
import { writeProbe } from "./0001-0020/0012_write_probe.ts"
import { tokenLookup } from "./0001-0020/0013_token_lookup.ts"
import { boundReplays } from "./0001-0020/0014_bound_replays.ts"
import { refusedCalls } from "./0001-0020/0015_refused_calls.ts"
import { personalRead } from "./0001-0020/0016_personal_read.ts"
import { objectOrder } from "./0001-0020/0017_object_order.ts"
import { expectedResult } from "./0001-0020/0018_expected_result.ts"
import { tokenRemoved } from "./0001-0020/0019_token_removed.ts"
import { session } from "./0001-0020/0020_session.ts"
import { processLag } from "./0021_process_lag.ts"
import { runHolder } from "./0022_run_holder.ts"
import { monthlyPartitions } from "./0023_monthly_partitions.ts"
import { runArchive } from "./0024_run_archive.ts"
import { shardLock } from "./0025_shard_lock.ts"
import { runOfConnection } from "./0026_run_of_connection.ts"
import type { Migration } from "./Migration.ts"

/** Every migration, in the order of their numbers. One that was released is never edited: add another. */
export const migrations: ReadonlyArray<Migration> = [
  rows,
  ledger,
  runStart,
  scenario,
  sharedLimits,
  idempotentTries,
  runTombstone,
  audit,
  simulated,
  exchangeAge,
  refusedCall,
  writeProbe,
  tokenLookup,
  boundReplays,
  refusedCalls,
  personalRead,
  objectOrder,
  expectedResult,
  tokenRemoved,
  session,
  processLag,
  runHolder,
  monthlyPartitions,
  runArchive,
  shardLock,
  runOfConnection
]
