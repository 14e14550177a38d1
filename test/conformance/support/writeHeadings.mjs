/**
 * Writes `headings.json`: the headings of OCPI's documents, by version and document. Its argument is a clone of the text's
 * repository (github.com/ocpi/ocpi), which has a branch of each version. Headings alone: the text is not ours to copy.
 */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"

const [repository] = process.argv.slice(2)
if (repository === undefined) throw new Error("say where the clone of ocpi/ocpi is")

const git = (...args) =>
  execFileSync("git", ["-C", repository, ...args], { encoding: "utf8", maxBuffer: 1e8 })

/** Marks of emphasis, and numbers of sections, which 2.1.1 alone has. */
const plain = (heading) =>
  heading
    .replaceAll(/[_*`]/g, "")
    .replace(/^(\d+\.)+\d*\s+/, "")
    .replace(/^\d+(\.\d+)*\.?\s+/, "")
    .trim()

const headingsOf = (branch, file) =>
  git("show", `${branch}:${file}`)
    .split("\n")
    .flatMap((line) => /^(?:=+|#+)\s+(.+)$/.exec(line)?.[1] ?? [])
    .map(plain)

const versions = ["2.1.1", "2.2", "2.2.1", "2.3.0"]
const all = Object.fromEntries(
  versions.map((version) => {
    const branch = `release-${version}-bugfixes`
    const files = git("ls-tree", "--name-only", branch)
      .split("\n")
      .filter((file) =>
        /^(mod_\w+|credentials|status_codes|terminology|transport_and_format|types|version_information_endpoint)\.(md|asciidoc)$/.test(
          file
        )
      )
    return [
      version,
      Object.fromEntries(
        files.map((file) => [file.replace(/\.\w+$/, ""), [...new Set(headingsOf(branch, file))]])
      )
    ]
  })
)
writeFileSync(new URL("headings.json", import.meta.url), `${JSON.stringify(all, null, 2)}\n`)
