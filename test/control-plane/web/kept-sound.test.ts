// The sound of a dictation over a restart of the studio: what was not used is sent again, in its order and once, and what was dropped is counted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepSound } from '#control-plane/web/pages/transcribe/kept-sound.ts'

const MOST = 12
const piece = (...bytes: number[]) => new Uint8Array(bytes)
/** Everything that can be sent now. */
function drained(sound: ReturnType<typeof keepSound>): number[] {
  const bytes: number[] = []
  while (!sound.isAllSent()) bytes.push(...sound.next()!)
  return bytes
}

test('the next connection has what the one before has not used, from the middle of a piece', () => {
  const sound = keepSound(MOST)
  sound.begin(null)
  sound.add(piece(1, 2))
  sound.add(piece(3, 4))
  assert.deepEqual(drained(sound), [1, 2, 3, 4])
  sound.add(piece(5, 6))
  assert.equal(sound.after(3), 3)
  sound.begin(3)
  sound.add(piece(7, 8))
  assert.deepEqual(drained(sound), [4, 5, 6, 7, 8])
  // One that was never ready has used nothing; one without an answer has used all.
  sound.begin(0)
  assert.deepEqual(drained(sound), [4, 5, 6, 7, 8])
  sound.begin(null)
  sound.add(piece(9))
  assert.deepEqual([drained(sound), sound.missed()], [[9], 0])
})

test('the oldest sound of a long gap is dropped and counted once', () => {
  const sound = keepSound(MOST)
  sound.begin(null)
  sound.add(piece(1, 2, 3, 4))
  drained(sound)
  for (let at = 2; at <= 6; at++) sound.add(piece(at, at, at, at))
  sound.begin(2)
  // Two bytes of the first piece, and two pieces.
  assert.equal(sound.missed(), 10)
  assert.equal(sound.missed(), 0)
  assert.deepEqual(drained(sound), [4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6])
})
