import { prove } from "./support/prove.ts"

prove("what the EMSP serves", ({ role, scene }) => role === "EMSP" && scene === "reading")
