import { createHash, randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { apiKeyOf } from "../../src/store/secrets/apiKey.ts"
import { weaknessOf } from "../../src/store/secrets/keyStrength.ts"

/** Bytes that look random and are the same each time. */
const bytes = (seed: string, length: number) =>
  createHash("shake256", { outputLength: length }).update(seed).digest()
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

describe("how hard a key is to guess", () => {
  it("is judged by its length first", () => {
    assert.strictEqual(weaknessOf("aaaaaaaaaaaaaaaa"), "has 16 characters, of at least 32")
    assert.strictEqual(
      weaknessOf(bytes("short", 31).toString("latin1").slice(0, 31)),
      "has 31 characters, of at least 32"
    )
  })

  it.each([
    "a".repeat(64),
    "ab".repeat(40),
    "0123456789abcdef".repeat(4),
    "deadbeef".repeat(8),
    "abcdefghijklmnopqrstuvwxyz0123456789",
    "zyxwvutsrqponmlkjihgfedcba9876543210",
    "qwertyuiopasdfghjklzxcvbnm1234567890",
    "00000000-0000-0000-0000-000000000000",
    "password".repeat(5),
    "changeme-changeme-changeme-changeme",
    "p@ssw0rd-p4ssw0rd-passw0rd-Passw0rd!",
    "pf_test_only_for_this_job_0123456789",
    "my-super-secret-bootstrap-key-for-plugfest",
    "MY_SUPER_SECRET_BOOTSTRAP_KEY_FOR_PLUGFEST",
    "correct-horse-battery-staple-and-more",
    "CorrectHorseBatteryStapleAndMore1234",
    "plugfest.production.bootstrap.key.2026",
    apiKeyOf("a".repeat(33))
  ])("sees that nobody drew lots for %s", (text) => {
    assert.isDefined(weaknessOf(text))
    assert.notInclude(weaknessOf(text), text.slice(0, 8))
  })

  it.each<readonly [string, (seed: string) => string]>([
    ["openssl rand -hex 32", (seed) => bytes(seed, 32).toString("hex")],
    ["openssl rand -hex 16", (seed) => bytes(seed, 16).toString("hex")],
    ["the same in capitals", (seed) => bytes(seed, 16).toString("hex").toUpperCase()],
    ["openssl rand -base64 24", (seed) => bytes(seed, 24).toString("base64")],
    ["24 bytes in base64url", (seed) => bytes(seed, 24).toString("base64url")],
    ["32 letters and digits", (seed) => [...bytes(seed, 32)].map((byte) => base62[byte % 62]).join("")],
    ["40 digits", (seed) => [...bytes(seed, 40)].map((byte) => byte % 10).join("")],
    ["a random UUID", () => randomUUID()],
    [
      "plugfest keys generate",
      (seed) => apiKeyOf([...bytes(seed, 33)].map((byte) => base62[byte % 62]).join(""))
    ]
  ])("accepts %s, two thousand times", (_name, make) => {
    for (let made = 0; made < 2000; made++) {
      const text = make(String(made))
      assert.isUndefined(weaknessOf(text), text)
    }
  })
})
