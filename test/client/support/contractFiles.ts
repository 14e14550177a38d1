/** The files of src/client that are made from our OpenAPI document. */

import openapiTS, { astToString } from "openapi-typescript"
import { openApiDocument } from "../../../src/http/server/documents.ts"

const root = "/api/v1/"

/** By path from the root of the repository: the types of the contract, and the method and path of each operation. */
export async function contractFiles(): Promise<Readonly<Record<string, string>>> {
  const document: any = JSON.parse(JSON.stringify(openApiDocument()), closed)
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith(root)))
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item as object)))
    withoutExamples(operation)
  const types = astToString(await openapiTS({ ...document, paths }, { immutable: true }))
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { readonly operationId: string }>).map(
      ([method, { operationId }]) =>
        `  ${JSON.stringify(operationId)}: [${JSON.stringify(method.toUpperCase())}, ${JSON.stringify(path)}]`
    )
  )
  return {
    "src/client/contract.ts": `/** Types of the HTTP contract. Made by \`npm run client:contract\` from the OpenAPI document. */\n\n${types}`,
    "src/client/operations.ts": `/** Method and path of each operation. Made by \`npm run client:contract\` from the OpenAPI document. */\nexport const operationTable = {\n${rows.join(",\n")}\n} as const\n`
  }
}

/** The page of the documentation shows them; beside types they are noise. */
function withoutExamples({ requestBody, responses }: any): void {
  for (const { content = {} } of [requestBody ?? {}, ...Object.values<any>(responses)])
    for (const media of Object.values<any>(content)) delete media.example
}

/** Answers may have fields that the contract does not name; those have no type. A reviver of JSON. */
function closed(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("properties" in value)) return value
  const { additionalProperties, ...schema } = value as { readonly additionalProperties?: unknown }
  return typeof additionalProperties === "object" && Object.keys(additionalProperties ?? {}).length > 0
    ? value
    : schema
}
