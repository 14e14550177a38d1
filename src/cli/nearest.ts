/** The name that was probably meant. Pure. */
import { AutoCorrect, CliConfig } from "@effect/cli"

const config = CliConfig.make({ showBuiltIns: false })

/** The name that was probably meant: at most two letters away, or one that begins with what was typed. */
export function nearest(typed: string, names: ReadonlyArray<string>): string | undefined {
  const far = (name: string) => AutoCorrect.levensteinDistance(typed, name, config)
  const [best] = [...names].sort((one, other) => far(one) - far(other))
  if (best === undefined) return undefined
  const allowed = typed.length <= 3 ? 1 : 2
  if (far(best) <= allowed) return best
  return typed.length > 2 ? names.find((name) => name.startsWith(typed)) : undefined
}
