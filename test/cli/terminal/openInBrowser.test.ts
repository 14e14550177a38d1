import { assert, describe, it } from "vitest"
import { browserCommand } from "../../../src/cli/terminal/openInBrowser.ts"

describe("the program that opens a link", () => {
  it("is the one that the user names, else what the system has", () => {
    assert.deepStrictEqual(browserCommand({ BROWSER: "firefox", CI: "true" }, "linux"), ["firefox"])
    assert.deepStrictEqual(browserCommand({}, "darwin"), ["open"])
    assert.deepStrictEqual(browserCommand({ DISPLAY: ":0" }, "linux"), ["xdg-open"])
    assert.deepStrictEqual(browserCommand({ WAYLAND_DISPLAY: "wayland-0" }, "linux"), ["xdg-open"])
  })

  it("is none where nobody would see it", () => {
    assert.isUndefined(browserCommand({}, "linux"))
    assert.isUndefined(browserCommand({ CI: "true", DISPLAY: ":0" }, "linux"))
    assert.isUndefined(browserCommand({ BROWSER: "", DISPLAY: "" }, "linux"))
  })
})
