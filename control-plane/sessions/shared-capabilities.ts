// One object for equal capabilities of all machines. Their voices and languages take 55 KB for each machine, and most machines have the same.
import { createHash } from 'node:crypto'
import type { CapabilityMessage } from '#shared/protocol/messages.ts'

export type ShareCapabilities = (capabilities: readonly CapabilityMessage[]) => CapabilityMessage[]

/** The result must not be changed. Objects that no session uses are collected. */
export function createSharedCapabilities(): ShareCapabilities {
  const single = createShared<CapabilityMessage>()
  // What placement derives from a list is kept for each list, so equal lists are one object as well.
  const lists = createShared<CapabilityMessage[]>()
  return (capabilities) => {
    const keys = capabilities.map((capability) => createHash('sha256').update(JSON.stringify(capability)).digest('base64'))
    return lists(createHash('sha256').update(keys.join()).digest('base64'), () =>
      capabilities.map((capability, index) => single(keys[index]!, () => capability)),
    )
  }
}

function createShared<Value extends object>(): (key: string, make: () => Value) => Value {
  const values = new Map<string, WeakRef<Value>>()
  const collected = new FinalizationRegistry<string>((key) => {
    if (!values.get(key)?.deref()) values.delete(key)
  })
  return (key, make) => {
    const existing = values.get(key)?.deref()
    if (existing) return existing
    const value = make()
    values.set(key, new WeakRef(value))
    collected.register(value, key)
    return value
  }
}
