/** Runs rows, and formats their results. */
import { cpus } from "node:os"
import type { Ground, Row } from "./world/Row.ts"
import { none, sum, type Zeros } from "./world/zeros.ts"

/** The result of a row. `broken` lists the requirements that did not hold. */
export interface Played {
  readonly row: Pick<Row, "id" | "fault">
  readonly result: "held" | "broken" | "skipped"
  readonly tried: string
  readonly figure: string
  readonly zeros: Zeros
  readonly broken: ReadonlyArray<string>
  readonly seconds: number
  readonly lines: number
  readonly kills: number
  readonly streams: number
}

/** Runs a row. Never fails: a row that throws counts as broken. */
export async function play(of: Row, ground: Ground): Promise<Played> {
  const { fault, id, run } = of
  const row = { id, fault }
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  const nothing = { tried: "-", figure: "-", zeros: none, lines: 0, kills: 0, streams: 0 }
  try {
    const ended = await run(ground)
    if ("skipped" in ended)
      return { row, ...nothing, result: "skipped", figure: ended.skipped, broken: [], seconds: seconds() }
    const zero = Object.values(ended.zeros).every((value) => value === 0)
    const held = zero && ended.broken.length === 0
    return { row, kills: 0, streams: 0, ...ended, result: held ? "held" : "broken", seconds: seconds() }
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { row, ...nothing, result: "broken", broken: [why], seconds: seconds() }
  }
}

const zeroNames: ReadonlyArray<keyof Zeros> = ["lost", "dup", "gap", "wrongVerdict", "stuck", "zombieWrites"]

/** The results as a Markdown table. */
export function tableOf(played: ReadonlyArray<Played>): string {
  const cells = (all: ReadonlyArray<string | number>) =>
    `| ${all.map((one) => String(one).replaceAll("|", "/")).join(" | ")} |`
  return [
    cells(["row", "fault", "tried", "figure", ...zeroNames, "seconds", "result"]),
    cells(Array.from({ length: 6 + zeroNames.length }, () => "---")),
    ...played.map(({ figure, result, row, seconds, tried, zeros }) =>
      cells([
        row.id,
        row.fault,
        tried,
        figure,
        ...zeroNames.map((name) => (result === "skipped" ? "-" : zeros[name])),
        Math.round(seconds),
        result
      ])
    )
  ].join("\n")
}

/** The totals over all rows, as one line. */
export function totalsOf(played: ReadonlyArray<Played>): string {
  const total = (of: (one: Played) => number) => played.reduce((all, one) => all + of(one), 0)
  const zeros = sum(played.map((one) => one.zeros))
  const count = (result: Played["result"]) => played.filter((one) => one.result === result).length
  return (
    `${played.length} rows: ${count("held")} held, ${count("broken")} broken, ${count("skipped")} skipped; ` +
    `${total(({ kills }) => kills)} kills and restarts, ${total(({ lines }) => lines)} ledger lines, ` +
    `${total(({ streams }) => streams)} streams; ${zeroNames.map((name) => `${name} ${zeros[name]}`).join(", ")}`
  )
}

/** The text of docs/chaos.md. */
export function pageOf(played: ReadonlyArray<Played>, short: boolean, note: string | undefined): string {
  const minutes = Math.round(played.reduce((all, { seconds }) => all + seconds, 0) / 60)
  const broken = played.flatMap((one) => one.broken.map((line) => `- ${one.row.id}: ${line.split("\n")[0]}`))
  return `# The fault matrix

Written by \`npm run chaos -- --write\`; \`--rows F1,F3\` plays single rows, \`--short\` fewer of everything. Each row is played
on the built service as processes of its own, with a real Postgres and, where a partner is needed, honest or rude ones in
other processes. After each row the oracle (\`bench/chaos/world/zeros.ts\`) looks at every run that it made:

- **lost**: told to a client and not there, or otherwise;
- **dup**: an event twice, a request twice at the partner, a write repeated that nobody decided to repeat;
- **gap**: a sequence missing, a broken hash chain, a stream out of turn;
- **wrongVerdict**: state or report unlike the fold of the lines, an honest partner blamed, a run failed for our fault;
- **stuck**: neither over nor asking for a decision three leases later;
- **zombieWrites**: work on a run that waited for a decision, or a request that no line had announced.

Whatever follows a run does so with the published client (\`src/client\`), and what the service sends to it is checked on its way:
an event that either of them misses, doubles or misplaces is counted as lost, dup or gap, and so is a client that gives up or
lacks a run's end.

The rows L1 to L3 send one text after the other that is cheap to send and may be dear to read: to every endpoint of
\`/openapi.json\`, to every path that a registered partner may call (every version that the service lists, both roles),
and as answers of a partner who is asked by handshakes, suites, journeys and commands. The texts are deep, wide, long, of
huge numbers, of globs, of quadratic YAML, of what makes a regular expression try again; and what is valid, as much of it
as fits. An account of its own attacks. Another one works meanwhile: it asks for \`/health/live\` and for a run every 50 ms,
follows a stream, and plays one run after the other. Each attack has these bars: lag of the event loop at most 250 ms, no
other request slower than 1 s, no 5xx, no run of the other account harmed, and over the row a heap that grows by 64 MB at
most. Lag is measured within the service (\`bench/chaos/world/loopWatch.mjs\`) as the processor time of the main thread between
two turns of the loop, so that a busy machine accuses nobody: what others take from the processor is not in it. Likewise,
the time in which the service or the onlooker were ready and had no processor is taken off the other requests' times. What
is over a bar is played once more, unless it was over it four times, and counts if it is over it again; the request before
it is tried then too, because work may go on after an answer. A process that gives no answer at all is killed and begun
anew. Of thousands of texts as many are tried as there is time for, each operation in its turn and in an order that does
not change; \`npm test\` plays a few of them, and always those that were dear in the past and are soon over.

Last ${short ? "short" : "full"} run; its rows took ${minutes} minutes on ${cpus().length} cores, two of them at a time where none measures time or
memory:

**${totalsOf(played)}**
${note === undefined ? "" : `\n${note}\n`}
${tableOf(played)}
${broken.length === 0 ? "" : `\n## What did not hold\n\n${broken.join("\n")}\n`}`
}
