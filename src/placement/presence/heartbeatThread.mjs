// Where there is no build (tests, `npm run dev`): compiles the thread as it is loaded.
import { register } from "tsx/esm/api"

register()
await import("./heartbeatThread.ts")
