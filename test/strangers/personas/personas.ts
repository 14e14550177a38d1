/** Shapes of real systems, each with what plugfest has to find in it. */
import { backends } from "./backends.ts"
import { frameworks } from "./frameworks.ts"
import { gateways } from "./gateways.ts"
import { libraries } from "./libraries.ts"
import type { Persona } from "./Persona.ts"

/** All of them. */
export const personas: ReadonlyArray<Persona> = [...frameworks, ...gateways, ...backends, ...libraries]
