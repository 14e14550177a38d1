// Loaded with `node --import` before the bundle, in tests only: what a request with an Idempotency-Key does is done and
// committed, but its answer is neither stored nor given. Each time "held <n>" is said. The test then kills the process:
// that is a crash between commit and answer, for as many requests as were made. HOLD_WORDS, divided by |: what statements
// are held in place of the one that stores an answer.
import { Socket } from "node:net"

const words = (process.env.HOLD_WORDS ?? "idempotency_finish").split("|")
const held = new WeakSet()
let count = 0
const { write } = Socket.prototype
Socket.prototype.write = function (chunk, ...rest) {
  if (held.has(this)) return true
  if (typeof chunk !== "string" && words.some((word) => Buffer.from(chunk).includes(word))) {
    held.add(this)
    count += 1
    process.stderr.write(`held ${count}\n`)
    return true
  }
  return write.call(this, chunk, ...rest)
}
