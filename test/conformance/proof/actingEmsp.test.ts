import { prove } from "./support/prove.ts"

prove("what the EMSP does and is told", ({ role, scene }) => role === "EMSP" && scene !== "reading")
