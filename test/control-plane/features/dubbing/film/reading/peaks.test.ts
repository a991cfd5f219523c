import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fewer } from '#control-plane/features/dubbing/film/reading/peaks.service.ts'

test('fewer peaks keep the loudest of each part', () => {
  assert.deepEqual(fewer(new Uint8Array([1, 9, 2, 3, 8, 1]), 3), [9, 3, 8])
  assert.deepEqual([fewer(new Uint8Array([1, 2]), 5), fewer(new Uint8Array(), 5)], [[1, 2], []])
})
