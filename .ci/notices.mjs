// The licence texts of npm packages, as one text: what has to go with a bundle that holds them.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The directories of the packages that a file path lies in, of all paths. */
export const packagesOf = (paths) => [
  ...new Set(paths.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))
]

/** One text; throws for packages that have none, with all their names. */
export function noticesOf(root, packages) {
  const without = []
  const sections = packages
    .map((path) => {
      const { license, name, version } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"))
      const text = licenceText(join(root, path))
      if (text === undefined) without.push(`${name} ${version} (${path})`)
      return `${"=".repeat(80)}\n${name} ${version}, ${license}\n${"=".repeat(80)}\n\n${text}\n`
    })
    .sort()
  if (without.length > 0) throw new Error(`no licence text in: ${without.join(", ")}`)
  return `plugfest holds these packages. Each is under the licence that follows its name.\n\n${sections.join("\n")}`
}

/** The package's licence files, with its notice; else the section of its readme that is the licence. */
function licenceText(directory) {
  const names = readdirSync(directory)
  const files = names.filter((name) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(name)).sort()
  if (files.length > 0)
    return files.map((name) => readFileSync(join(directory, name), "utf8").trim()).join("\n\n")
  const readme = join(directory, names.find((name) => /^readme(\.md)?$/i.test(name)) ?? "README.md")
  if (!existsSync(readme)) return undefined
  const section = /^#+ *licen[cs]e *\n([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(readFileSync(readme, "utf8"))?.[1]
  return section !== undefined && /permission/i.test(section) ? section.trim() : undefined
}

// By itself: prints the notices of the packages at these paths, or says which have none.
if (process.argv[1] === import.meta.filename) {
  try {
    process.stdout.write(noticesOf("", process.argv.slice(2)))
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
