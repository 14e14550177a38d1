/**
 * After each test a turn of the event loop. Tests on a clock that jumps never wait: a file of hundreds of them kept its worker from
 * answering vitest for a minute, which then reported an error though every test had passed.
 */
import { afterEach } from "vitest"

afterEach(() => new Promise<void>((done) => void setImmediate(done)))
