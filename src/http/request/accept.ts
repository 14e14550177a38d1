/** What a request's Accept header allows. */

/** Whether a range of the header is one of these, e.g. `text/html`, and is not refused by `q=0`. */
const isAccepted = (accept: string, ranges: ReadonlyArray<string>): boolean =>
  accept.split(",").some((range) => {
    const [type = "", ...parameters] = range
      .toLowerCase()
      .split(";")
      .map((part) => part.trim())
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return !refused && ranges.includes(type)
  })

/** Whether the client takes JSON; without the header it takes anything. */
export const takesJson = (accept: string | undefined): boolean =>
  accept === undefined ||
  accept === "*/*" ||
  accept.trim() === "" ||
  isAccepted(accept, ["application/json", "application/*", "*/*"])

/** Whether the client asks for a page by name, as browsers do: `*\/*` alone is no browser. */
export const asksForPage = (accept: string | undefined): boolean =>
  accept !== undefined && isAccepted(accept, ["text/html"])
