import { isCommanded } from "../support/scenes.ts"
import { prove } from "./support/prove.ts"

prove("what the CPO does on command", ({ role, scene }) => role === "CPO" && isCommanded(scene))
