/**
 * Before each test file: `it` with the testers of @effect/vitest. Files share their worker's modules, and `layer()` of
 * @effect/vitest writes testers for its own services into vitest's `it`, where the next file would find them.
 */
import { it, makeMethods } from "@effect/vitest"

makeMethods(it)
