/** The path of a state value as the service names it: `{waiting: "partner"}` is `waiting.partner`. */
export function statePath(value: unknown): string {
  if (typeof value === "string") return value
  if (typeof value !== "object" || value === null) return ""
  const [name, inner] = Object.entries(value)[0] ?? ["", ""]
  const rest = statePath(inner)
  return rest === "" ? name : `${name}.${rest}`
}
