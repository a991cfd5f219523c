import assert from 'node:assert/strict'
import type { World } from '#test/support/world/world.ts'

export type DictionaryValue = string

export async function spoken(world: World, text: string, entries: Readonly<Record<string, string>>): Promise<DictionaryValue> {
  const ids: string[] = []
  for (const [term, replacement] of Object.entries(entries)) {
    const reply = await world.post('/pronunciation', { term, replacement })
    assert.equal(reply.status, 200, reply.body.toString())
    ids.push(reply.json().id)
  }
  try {
    return (await world.post('/pronunciation/test', { text })).json().substituted
  } finally {
    for (const id of ids) await world.delete(`/pronunciation/${id}`)
  }
}
