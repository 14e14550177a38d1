/** Metric labels of OCPI requests. They come from closed lists, because the paths are chosen by callers. */
import { profileOf, versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { unmoved } from "../../../party/wire/roots.ts"
import type { OcpiLabels } from "../../../telemetry/measures.ts"

const versions: ReadonlySet<string> = new Set(versionNumbers)
const modules: ReadonlySet<string> = new Set([
  "versions",
  "credentials",
  ...versionNumbers.flatMap((version) => profileOf(version).modules)
])

/** Version and module of a path below one of our OCPI roots; undefined for any other path. */
export const ocpiLabelsOf = (path: string): OcpiLabels | undefined => {
  const below = /^(?:(?:\/api\/v1)?|\/sandbox\/[^/]+)\/ocpi(\/.*)?$/.exec(path)
  if (below === null) return undefined
  const [first, module = "versions"] = unmoved((below[1] ?? "").split("/").filter((part) => part !== ""))
  if (first === undefined || first === "versions") return { version: "none", module: "versions" }
  return {
    version: versions.has(first) ? first : "other",
    module: modules.has(module) ? module : "other"
  }
}
