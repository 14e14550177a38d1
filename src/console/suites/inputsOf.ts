/** The inputs of a journey as fields of a form. */

/** An input as its JSON Schema describes it. */
export interface InputField {
  readonly name: string
  readonly type: string
  readonly description: string | undefined
  readonly required: boolean
}

/** The fields of a JSON Schema of an object; none for another schema. */
export function fieldsOf(schema: Readonly<Record<string, unknown>>): ReadonlyArray<InputField> {
  const properties = schema["properties"]
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  if (typeof properties !== "object" || properties === null) return []
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: String(field?.type ?? "text"),
    description: typeof field?.description === "string" ? field.description : undefined,
    required: required.includes(name)
  }))
}

/** The part of the page's URL that keeps the text of an input. */
export const inputPart = (templateId: string | undefined, name: string): string => `${templateId}.${name}`

/** Whether a part of the URL keeps an input. */
export const isInput = (part: string): boolean => part.includes(".")

/** The inputs that were filled in; numbers as numbers, and what has another type than text as JSON where it is some. */
export function inputsOf(
  fields: ReadonlyArray<InputField>,
  textOf: (name: string) => string
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.flatMap(({ name, type }) => {
      const text = textOf(name).trim()
      return text === "" ? [] : [[name, type === "string" || type === "text" ? text : valueOf(text)] as const]
    })
  )
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
