/** What every part of a stranger knows of it. */
import type { Bend } from "./Bend.ts"
import type { Freedoms, StrangerRole, StrangerVersion } from "./Freedoms.ts"
import type { Making } from "./objects/Holdings.ts"
import type { StrangerWorld } from "./StrangerWorld.ts"

/** A stranger, as its parts see it. */
export interface Self {
  readonly version: StrangerVersion
  readonly role: StrangerRole
  readonly freedoms: Freedoms
  /** Its clock may be wrong, where a bend says so. */
  readonly world: StrangerWorld
  /** Its parties, and the chance by which it draws ids and tokens. */
  readonly making: Making
  /** What it does wrong from now on; absent: it keeps every rule. */
  bend: Bend | undefined
  isClosed: boolean
}
