/** What each hot path sends to the database: its statements, and how often one of the path sends each. */
import { loadAverage, say, textOption } from "../measure.ts"
import { startProbed } from "./ProbedService.ts"
import { type HotPath, hotPaths } from "./paths.ts"

/** Characters of a statement that are printed. */
const shownText = 160

/** Prints the statements of every path, or with `--only` of those whose name has that text, the most frequent first. */
export async function benchStatements(): Promise<void> {
  const only = textOption("only")
  const probed = await startProbed()
  try {
    const { close, paths } = await hotPaths(probed.service)
    try {
      for (const path of paths.filter(({ name }) => only === undefined || name.includes(only))) {
        await playOneByOne(path)
        const before = await probed.calls()
        await playOneByOne(path)
        print(path, before, await probed.calls())
      }
    } finally {
      close()
    }
  } finally {
    await probed.stop()
  }
  say(loadAverage())
}

async function playOneByOne({ once, times }: HotPath): Promise<void> {
  for (let at = 0; at < times; at++) await once(at)
}

function print(
  { name, times }: HotPath,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>
): void {
  const sent = [...after]
    .map(([text, count]) => ({ text, each: (count - (before.get(text) ?? 0)) / times }))
    .filter(({ each }) => each > 0)
    .toSorted((one, other) => other.each - one.each)
  say(`\n${name}: ${sent.reduce((sum, { each }) => sum + each, 0).toFixed(2)} statements`)
  for (const { each, text } of sent)
    say(`${each.toFixed(2).padStart(8)}  ${text.replace(/\s+/g, " ").slice(0, shownText)}`)
}
