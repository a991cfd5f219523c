// Properties of globalThis that a test replaces. Many files share one process, so a replacement that stays changes the tests of others.
import type { TestContext } from 'node:test'

/** Replaces them until the test ends. */
export function replaceGlobals(t: TestContext, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : Reflect.deleteProperty(globalThis, name)))
  }
}
