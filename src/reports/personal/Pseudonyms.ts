/** Pseudonyms for personal data: the same value gets the same pseudonym throughout a document. */
import type { PersonalKind } from "../../../schema/ocpi/personal.ts"

/** Shorter values are replaced only inside quotes, because elsewhere they may mean something else. */
const shortest = 5
/** Forms are indexed by this many first characters; a value of one character in quotes has no more. */
const startLength = 3

/** The pseudonyms of one document. */
export interface Pseudonyms {
  /** The pseudonym of a value, e.g. `«token:1»`. Numbered in order of first use, so it is reproducible and reveals nothing. */
  readonly of: (kind: PersonalKind, value: string) => string
  /** The text with every value that has a pseudonym, and every e-mail address, replaced. Takes linear time. */
  readonly within: (text: string) => string
}

/** Makes an empty set of pseudonyms. */
export const makePseudonyms = (): Pseudonyms => {
  const names = new Map<string, string>()
  const counts = new Map<PersonalKind, number>()
  /** Form of a value → pseudonym. */
  const forms = new Map<string, string>()
  /** First characters → lengths of the forms that begin so, longest first, because one form may begin with another. */
  const lengths = new Map<string, ReadonlyArray<number>>()
  /** Whether some form begins with a pair of characters; excludes most places of a text quickly. */
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

  /** The longest form that begins at `at` and ends at a word boundary. */
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

/** Upper-cases ASCII letters, because OCPI ids are compared without regard to case; keeps all positions. */
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
