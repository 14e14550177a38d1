/** The plans of the ledger's statements on lines. */
import type pg from "pg"
import type { RunId } from "../../schema/Ids.ts"
import type { Statement } from "../../src/database/statement.ts"
import { statementFor } from "../../src/ledger/postgres/appendStatement.ts"
import { standing } from "../../src/ledger/postgres/groupCommit.ts"
import { pageStatement } from "../../src/ledger/postgres/pageStatement.ts"
import { insertRun } from "../../src/ledger/postgres/runInsert.ts"
import { makeStarts } from "../../src/ledger/postgres/storedSnapshot.ts"
import { say } from "../measure.ts"
import { appendsOf, newFacts } from "../sampleRun.ts"
import { pageOf, rowsOf } from "./databases.ts"

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}

/** Explains each statement on lines, and says whether all read at most one partition, by an index. */
export async function checkPlans(pool: pg.Pool, runId: RunId): Promise<boolean> {
  const facts = { ...newFacts(), runId }
  const next = appendsOf(facts)
  const [first, second, third] = [next(), next(), next()]
  const starts = makeStarts()
  const statements: Readonly<Record<string, Statement>> = {
    "create a run": insertRun(facts, first, { leaseSeconds: 60, owner: "bench" }),
    "append one line": statementFor([second], starts),
    "append several": statementFor([second, { ...third, runId: newFacts().runId }], starts),
    "was it appended?": standing(runId, second.lines),
    page: pageStatement(runId, 100, pageOf, {}),
    "page of a stage": pageStatement(runId, 100, pageOf, { stageId: "start" }),
    "page of so many bytes": pageStatement(runId, 100, pageOf, { maxBytes: 100_000 }),
    purge: { text: 'delete from ledger_event where run_id = $1 collate "C"', values: [runId] }
  }
  let isRight = true
  say("\nplans: which partitions are read, and how\n")
  for (const [name, { text, values }] of Object.entries(statements)) {
    const [row] = await rowsOf<{ "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(
      pool,
      `explain (format json) ${text}`,
      values
    )
    const read = scansOf(row["QUERY PLAN"][0]!.Plan)
    const isFine = read.length <= 1 && !read.some((one) => one.startsWith("Seq Scan"))
    isRight &&= isFine
    say(`${isFine ? "as it should be" : "WRONG"}: ${name.padEnd(24)}${read.join(", ") || "none"}`)
  }
  return isRight
}

function scansOf(plan: Plan): ReadonlyArray<string> {
  const relation = plan["Relation Name"]
  const own =
    relation?.startsWith("ledger_event_") === true && plan["Node Type"].includes("Scan")
      ? [`${plan["Node Type"]} of ${relation}`]
      : []
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)]
}
