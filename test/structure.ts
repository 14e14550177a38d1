/** The tree as its imports draw it, type imports among them: what `architecture.test.ts` judges and `npm run structure` prints. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Array, Graph as EffectGraph } from "effect"
import ts from "typescript"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")

export interface SourceFile {
  /** From the root of the repository. */
  readonly path: string
  readonly lines: number
  /** Paths of the files that it imports, types and what it imports when it is called included. */
  readonly imports: ReadonlyArray<string>
  readonly exports: ReadonlyArray<Exported>
}

export interface Exported {
  readonly name: string
  readonly isType: boolean
  readonly isDocumented: boolean
}

export const filesUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    // The peers of the measures are installed in their folder.
    if (entry.name === "node_modules") return []
    if (entry.isDirectory()) return filesUnder(join(folder, entry.name))
    return /\.tsx?$/.test(entry.name) ? [join(folder, entry.name)] : []
  })

export const readSource = (path: string): SourceFile => {
  const text = readFileSync(join(root, path), "utf8")
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const named = file.statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)
    const name = isImport ? statement.moduleSpecifier : undefined
    return name !== undefined && ts.isStringLiteral(name) ? [name.text] : []
  })
  const imports = [...named, ...importedWhenCalled(file)]
    .filter((name) => name.startsWith("."))
    .map((name) => relative(root, resolve(root, dirname(path), name)))
  return { path, lines: text.split("\n").length - 1, imports, exports: file.statements.flatMap(exportsOf) }
}

/** What `import("…")` names, of a value or a type. */
const importedWhenCalled = (node: ts.Node): ReadonlyArray<string> => {
  const name =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
      ? node.arguments[0]
      : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
        ? node.argument.literal
        : undefined
  const here = name !== undefined && ts.isStringLiteral(name) ? [name.text] : []
  const below: Array<string> = []
  ts.forEachChild(node, (child) => {
    below.push(...importedWhenCalled(child))
  })
  return [...here, ...below]
}

const exportsOf = (statement: ts.Statement): ReadonlyArray<Exported> => {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  if (!isExported) return []
  const isDocumented = ts.getJSDocCommentsAndTags(statement).length > 0
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
  const names = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) => name)
    : ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || isType
      ? [statement.name]
      : []
  return names.flatMap((name) =>
    name !== undefined && ts.isIdentifier(name)
      ? [{ name: name.text, isType: isType || ts.isClassDeclaration(statement), isDocumented }]
      : []
  )
}

export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** The arrows between groups of files (a folder, or the file itself), without those within one. */
export const graphOf = (
  files: ReadonlyArray<SourceFile>,
  groupOf: (path: string) => string | undefined
): Graph => {
  const graph = new Map<string, Set<string>>()
  for (const { imports, path } of files) {
    const from = groupOf(path)
    if (from === undefined) continue
    const arrows = graph.get(from) ?? new Set()
    graph.set(from, arrows)
    for (const target of imports) {
      const to = groupOf(target)
      if (to !== undefined && to !== from) arrows.add(to)
    }
  }
  return graph
}

const components = (graph: Graph): ReadonlyArray<ReadonlyArray<string>> => {
  const names = [...new Set([...graph].flatMap(([from, to]) => [from, ...to]))]
  const directed = EffectGraph.directed<string, null>((mutable) => {
    const indices = new Map(names.map((name) => [name, EffectGraph.addNode(mutable, name)]))
    for (const [from, targets] of graph)
      for (const to of targets) EffectGraph.addEdge(mutable, indices.get(from)!, indices.get(to)!, null)
  })
  return EffectGraph.stronglyConnectedComponents(directed).map((one) => one.map((index) => names[index]!))
}

export const circlesOf = (graph: Graph): ReadonlyArray<ReadonlyArray<string>> =>
  components(graph)
    .filter((one) => one.length > 1)
    .map((one) => one.toSorted())

/** The longest way down, a circle counted once. */
export const depthOf = (graph: Graph): number => {
  const componentOf = new Map(components(graph).flatMap((one) => one.map((node) => [node, one] as const)))
  const known = new Map<ReadonlyArray<string>, number>()
  const floorOf = (one: ReadonlyArray<string>): number => {
    const below = one.flatMap((node) => [...(graph.get(node) ?? [])]).map((node) => componentOf.get(node)!)
    const floor = known.get(one) ?? 1 + Math.max(0, ...below.filter((other) => other !== one).map(floorOf))
    known.set(one, floor)
    return floor
  }
  return Math.max(0, ...[...componentOf.values()].map(floorOf))
}

/** A room is a folder of `src`, or a folder of its own. */
export const roomOf = (path: string): string => {
  const parts = path.split("/")
  if (parts[0] !== "src") return parts[0]!
  return parts.length > 2 ? `src/${parts[1]}` : "src"
}

/** What stands directly in a folder: a file, or a folder. Undefined of what is elsewhere. */
export const within =
  (folder: string) =>
  (path: string): string | undefined =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/")[0] : undefined

/** What stands directly in a room: a file, or a sub-room. Undefined of other rooms. */
export const withinRoom =
  (room: string) =>
  (path: string): string | undefined =>
    roomOf(path) === room ? path.slice(room.length + 1).split("/")[0] : undefined

const exportsIn = (files: ReadonlyArray<SourceFile>) =>
  files.flatMap(({ exports, path }) => exports.map((one) => ({ ...one, path })))

/** Names of types that more than one file exports, sorted. */
export const typeNamesTwice = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  Object.entries(
    Array.groupBy(
      exportsIn(files).filter(({ isType }) => isType),
      ({ name }) => name
    )
  )
    .filter(([, all]) => new Set(all.map(({ path }) => path)).size > 1)
    .map(([name]) => name)
    .toSorted()

/** How many names are exported, and how many of them have a docstring. */
export const docstringsOf = (
  files: ReadonlyArray<SourceFile>
): { readonly named: number; readonly documented: number } => {
  // A schema and the type of the same name are one export: editors show the docstring of the one at the other.
  const named = Object.values(Array.groupBy(exportsIn(files), ({ name, path }) => `${path} ${name}`))
  const documented = named.filter((all) => all.some(({ isDocumented }) => isDocumented))
  return { named: named.length, documented: documented.length }
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const report = (): string => {
  const files = ["schema", "machines", "src"].flatMap(filesUnder).map(readSource)
  const folders = Object.entries(Array.groupBy(files, ({ path }) => dirname(path)))
  const rooms = [...new Set(files.map(({ path }) => roomOf(path)))].toSorted()
  const rows = rooms.map((room) => {
    const inside = files.filter(({ path }) => roomOf(path) === room)
    const flat = Math.max(
      ...folders.filter(([name]) => roomOf(`${name}/x`) === room).map(([, all]) => all.length)
    )
    const byFile = graphOf(inside, (path) => (roomOf(path) === room ? path : undefined))
    const bySubRoom = graphOf(inside, withinRoom(room))
    return [
      room,
      inside.length,
      inside.reduce((sum, { lines }) => sum + lines, 0),
      flat,
      bySubRoom.size,
      depthOf(bySubRoom),
      circlesOf(bySubRoom).length,
      depthOf(byFile),
      circlesOf(byFile)
        .map((one) => one.length)
        .join(" ")
    ]
  })
  const lines = files.map((one) => one.lines)
  const { documented, named } = docstringsOf(files)
  const twice = typeNamesTwice(files)
  const heads = [
    "room",
    "files",
    "lines",
    "largest folder",
    "sub-rooms",
    "floors",
    "circles",
    "file floors",
    "file circles"
  ]
  return [
    heads.join(" | "),
    heads.map(() => "---").join(" | "),
    ...rows.map((row) => row.join(" | ")),
    "",
    `files ${files.length}, folders ${folders.length}, files a folder ${(files.length / folders.length).toFixed(1)}`,
    `lines ${lines.reduce((a, b) => a + b, 0)}, median file ${median(lines)}, longest ${Math.max(...lines)}`,
    `largest folder ${Math.max(...folders.map(([, all]) => all.length))}`,
    `circles of files ${circlesOf(graphOf(files, (path) => path)).length}`,
    `exports ${named}, documented ${((100 * documented) / named).toFixed(0)} %`,
    `exported type names defined twice ${twice.length}: ${twice.join(" ")}`
  ].join("\n")
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${report()}\n`)
