/** Names in place of what is personal: the same value has the same name throughout a document, and tells nothing. */
import type { PersonalKind } from "../../../schema/ocpi/personal.ts"

/** Shorter values are replaced only where quotes enclose them: elsewhere they may mean something different. */
const shortest = 5
/** Characters by which a form is looked up; the shortest in its quotes has no more. */
const startLength = 3

export interface Pseudonyms {
  /** `«token:1»`: numbered as they are met, so that a name says nothing about its value, and can be made again. */
  readonly of: (kind: PersonalKind, value: string) => string
  /** A text with every value that has a name by now replaced, and e-mail addresses. In time proportional to the text. */
  readonly within: (text: string) => string
}

export const makePseudonyms = (): Pseudonyms => {
  const names = new Map<string, string>()
  const counts = new Map<PersonalKind, number>()
  /** What is looked for, with the name that takes its place. */
  const forms = new Map<string, string>()
  /** By its first characters: how long those forms are, the longest first, for one may begin with another. */
  const lengths = new Map<string, ReadonlyArray<number>>()
  /** The first two characters of each: most places of a text are no beginning of any. */
  const beginnings = new Uint8Array(1 << 16)

  const note = (form: string, name: string) => {
    forms.set(form, name)
    const start = form.slice(0, startLength)
    const known = lengths.get(start) ?? []
    if (!known.includes(form.length))
      lengths.set(
        start,
        [...known, form.length].sort((a, b) => b - a)
      )
    beginnings[pairAt(form, 0)] = 1
  }

  const of = (kind: PersonalKind, value: string): string => {
    const key = folded(value)
    const known = names.get(key)
    if (known !== undefined) return known
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const name = `«${kind}:${count}»`
    names.set(key, name)
    const written = [value, JSON.stringify(value).slice(1, -1), encoded(value)]
    for (const form of new Set(written.map(folded)))
      if (form.length < shortest) note(`"${form}"`, `"${name}"`)
      else note(form, name)
    return name
  }

  /** What begins there and ends with a word. */
  const formAt = (upper: string, at: number): string | undefined => {
    for (const length of lengths.get(upper.slice(at, at + startLength)) ?? []) {
      const form = upper.slice(at, at + length)
      if (forms.has(form) && !(isWord(upper, at + length - 1) && isWord(upper, at + length))) return form
    }
    return undefined
  }

  const replaced = (text: string): string => {
    const upper = folded(text)
    let result = ""
    let done = 0
    for (let at = 0; at < upper.length; at++) {
      if (beginnings[pairAt(upper, at)] === 0 || (isWord(upper, at - 1) && isWord(upper, at))) continue
      const form = formAt(upper, at)
      if (form === undefined) continue
      result += text.slice(done, at) + forms.get(form)
      done = at + form.length
      at = done - 1
    }
    return result + text.slice(done)
  }

  const within = (text: string): string =>
    replaced(text).replace(/(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, (address) =>
      of("contact", address)
    )

  return { of, within }
}

/** Ids of OCPI are ASCII, and compared without regard to case; no character changes its place. */
const folded = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())

const pairAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 255) << 8) | (at + 1 < text.length ? text.charCodeAt(at + 1) & 255 : 0)

const isWord = (text: string, at: number): boolean => /[A-Za-z0-9]/.test(text.charAt(at))

function encoded(value: string): string {
  try {
    return encodeURIComponent(value)
  } catch {
    return value // half of a surrogate pair has no form in a URL
  }
}
