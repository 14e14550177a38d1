/** `npm run client:contract`: writes what src/client has from our OpenAPI document. */
import { writeFileSync } from "node:fs"
import { contractFiles } from "./support/contractFiles.ts"

for (const [file, text] of Object.entries(await contractFiles())) writeFileSync(file, text)
