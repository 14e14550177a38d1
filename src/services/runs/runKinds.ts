import type { RunKind } from "../../../schema/RunReport.ts"
import { suiteRunKind } from "../../conformance/run/suiteRunKind.ts"
import { journeyKind } from "../../journeys/recovery/journeyKind.ts"
import type { RunFacts } from "../../ledger/Ledger.ts"
import type { RunKindOf } from "../../ledger/run/RunKind.ts"

const kinds: Readonly<Record<RunKind, RunKindOf>> = { conformance: suiteRunKind, journey: journeyKind }

/** The kind of a run. */
export const kindOf = ({ kind }: Pick<RunFacts, "kind">): RunKindOf => kinds[kind]
