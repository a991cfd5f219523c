// Spans of speech that are kept with their sound.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOnsets } from '#control-plane/features/dubbing/film/reading/onsets.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Dub } from '#control-plane/features/dubbing/store/dub.ts'
import type { DubFile } from '#control-plane/features/dubbing/store/files/file.store.ts'

const COUNT = 10_000

test('the spans of a film of hours are read in several turns of the event loop', async () => {
  const spans = Array.from({ length: COUNT }, (_, at) => ({ startUs: 3_600_000 * at, endUs: 3_600_000 * at + 2_000_000 }))
  const detail = JSON.stringify({ spans })
  const dub = { id: 'dub', vocals: null, sound: { durationUs: 1, sound: 'a', speech: 'b' } } as unknown as Dub
  const files = { obtain: async () => ({ detail }) as DubFile } as unknown as DubCore['files']
  const onsets = createOnsets({ core: { dub: () => dub, files }, speechSpans: async () => null, requireSound: async () => {} })
  let turns = 0
  let timer: NodeJS.Immediate
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  count()
  const read = await onsets.read('dub', new AbortController().signal)
  clearImmediate(timer!)
  assert.deepEqual([read.onsets.length, read.onsets[1], read.onsets.at(-1)], [COUNT, 3.6, 3.6 * (COUNT - 1)])
  assert.ok(turns > COUNT / 1_000, `${turns} turns`)
})
