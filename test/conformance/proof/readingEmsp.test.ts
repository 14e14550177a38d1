import { prove } from "./prove.ts"

prove("what the EMSP serves", ({ role, scene }) => role === "EMSP" && scene === "reading")
