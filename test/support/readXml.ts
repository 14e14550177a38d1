/** A strict reader of the XML that a report may use: it refuses what is not well-formed XML 1.0. */

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<Element>
  readonly text: string
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const token = /<\/([\w.-]+)>|<([\w.-]+)((?:\s+[\w.-]+="[^"<]*")*)(\/?)>|([^<]+)/gy
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

export function readXml(source: string): Element {
  if (!source.startsWith(head)) throw new Error("no XML declaration")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are looked for
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(source))
    throw new Error("an illegal character")
  const xml = source.slice(head.length)
  const root = { name: "", attributes: {}, children: [] as Array<Element>, text: "" }
  const open: Array<typeof root> = [root]
  let at = 0
  for (const match of xml.matchAll(token)) {
    if (match.index !== at) break
    at += match[0].length
    const [, closes, opens, attributes = "", empty, text] = match
    const top = open.at(-1)!
    if (text !== undefined) top.text += unescape(text)
    else if (closes !== undefined) {
      if (top.name !== closes) throw new Error(`</${closes}> closes <${top.name}>`)
      open.pop()
    } else {
      const named = [...attributes.matchAll(/([\w.-]+)="([^"]*)"/g)].map(([, key, value]) => [
        key!,
        unescape(value!)
      ])
      if (new Set(named.map(([key]) => key)).size !== named.length) throw new Error("an attribute twice")
      const element = {
        name: opens!,
        attributes: Object.fromEntries(named),
        children: [] as Array<Element>,
        text: ""
      }
      top.children.push(element)
      if (empty !== "/") open.push(element)
    }
  }
  if (at !== xml.length || open.length !== 1)
    throw new Error(`not well-formed at ${at}: ${xml.slice(at, at + 60)}`)
  if (root.children.length !== 1 || root.text.trim() !== "") throw new Error("not one root")
  return root.children[0]!
}

function unescape(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));|&/g, (found, code, name) => {
    const value = code === undefined ? entities[name] : String.fromCharCode(Number(code))
    if (value === undefined) throw new Error(`${found} is no entity`)
    return value
  })
}
