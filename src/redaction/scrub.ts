/**
 * Secrets in texts: found by value, in every form in which they can travel, and replaced. The placeholder is stable: the
 * same secret has the same one everywhere.
 */
import { createHash } from "node:crypto"
import { Redacted } from "effect"
import { findForms } from "./findForms.ts"
import { formsOf, tokenForms } from "./forms.ts"
import { unescaped } from "./unescaped.ts"

/** What must not be seen, by name (`tokenA`, `tokenB`, `tokenC`). */
export type Secrets = ReadonlyArray<{ readonly name: string; readonly value: Redacted.Redacted<string> }>

/** A text with the secrets taken out. */
export type Scrub = (text: string) => string

/** Shorter values are parts of words. */
const shortest = 8

/** A value of letters alone is a word unless it is at least so long. */
const shortestOfLetters = 16

/**
 * May the value be looked for anywhere in a text? One of fewer than 8 characters, or of fewer than 16 that are all letters,
 * may be an ordinary word of OCPI: it is replaced only where it stands as a token.
 */
export const isTelling = (value: string): boolean =>
  value.length >= (/^[A-Za-z_]*$/.test(value) ? shortestOfLetters : shortest)

/** `«tokenB:3f2a»`: the name and the first four hex digits of the value's SHA-256. */
export const placeholder = (name: string, value: string): string =>
  `«${name}:${createHash("sha256").update(value).digest("hex").slice(0, 4)}»`

/**
 * Replaces every form of every secret: plain, JSON-escaped, URL-encoded, hexadecimal, Base64 (padded, unpadded, URL-safe,
 * with a line feed encoded in, with the scheme encoded in, or amid a longer encoded text). A value that is exactly the
 * Base64 form becomes `base64(«…»)`, so that evidence still tells how a token was sent. Of values of fewer than 8
 * characters those that stand as a quoted string or after `Token`.
 */
export const scrub = (secrets: Secrets): Scrub =>
  scrubbing(secrets, (plain, mark) =>
    plain.length < shortest
      ? [[JSON.stringify(plain), `"${mark}"`], ...tokenForms(plain, mark)]
      : formsOf(plain, mark)
  )

/** As `scrub`; but words that are no secrets by their form (`isTelling`) only after `Token`: for texts that we work with. */
export const scrubTelling = (secrets: Secrets): Scrub =>
  scrubbing(secrets, (plain, mark) => (isTelling(plain) ? formsOf(plain, mark) : tokenForms(plain, mark)))

function scrubbing(
  secrets: Secrets,
  forms: (plain: string, mark: string) => ReadonlyArray<readonly [string, string]>
): Scrub {
  const replacements = new Map<string, string>()
  for (const { name, value } of secrets) {
    const plain = Redacted.value(value)
    if (plain === "") continue
    for (const [form, replacement] of forms(plain, placeholder(name, plain))) {
      if (!replacements.has(form)) replacements.set(form, replacement)
    }
  }
  if (replacements.size === 0) return (text) => text
  const replaced = findForms(replacements)
  return (text) => {
    const plainly = unescaped(text)
    // Written as it is where it holds nothing: evidence is kept word for word.
    const clean = plainly === text ? text : replaced(plainly)
    return clean === plainly ? replaced(text) : clean
  }
}
