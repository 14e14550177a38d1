/**
 * Puts a text into the clipboard; false where the browser does not let us. Browsers have `navigator.clipboard` on https and
 * localhost only: elsewhere the text is selected in a field beside `near`, because a dialog makes the rest of the page inert.
 */
export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(text)
      return true
    } catch {
      // The page has no permission: the selection may have one.
    }
  }
  const field = document.createElement("textarea")
  field.value = text
  field.readOnly = true
  field.className = "unseen"
  field.setAttribute("aria-hidden", "true")
  near.after(field)
  const focused = document.activeElement
  field.select()
  try {
    return document.execCommand("copy")
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
