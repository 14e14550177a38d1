// Builds the console into dist/console: a page and its assets under hashed names, each with its compressed forms beside it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { build } from "vite"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")

/** Answers the paths of all modules that went in. */
export async function buildConsole() {
  const outDir = join(root, "dist/console")
  const modules = new Set()
  await build({
    configFile: false,
    root: join(root, "src/console"),
    logLevel: "error",
    // React leaves out what only a developer needs.
    mode: "production",
    build: {
      outDir,
      emptyOutDir: true,
      target: ["chrome123", "firefox120", "safari17.5"],
      modulePreload: { polyfill: false },
      // A data URL would need a weaker policy.
      assetsInlineLimit: 0,
      reportCompressedSize: false
    },
    plugins: [
      {
        name: "modules",
        generateBundle(_, files) {
          for (const file of Object.values(files))
            for (const id of Object.keys(file.modules ?? {})) modules.add(id.replace(/^\0/, "").split("?")[0])
        }
      }
    ]
  })
  for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    compress(path)
  }
  return [...modules].filter((path) => path.startsWith(root)).map((path) => path.slice(root.length + 1))
}

/** Writes the compressed forms of a file beside it. */
function compress(path) {
  const content = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length
  }
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params }))
}

/** Puts a text that the page About leads to among the console's files. */
export function addText(name, text) {
  const path = join(root, "dist/console/assets", name)
  writeFileSync(path, text)
  compress(path)
}
