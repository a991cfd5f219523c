import assert from 'node:assert/strict'
import { test } from 'node:test'

test('a finished transcript is not replaced by another file, and gets the sound of its own', async (t) => {
  const segment = { start: 0, end: 1, text: 'Words.', speaker: '' }
  const kept = JSON.stringify({ name: 'talk.wav', transcript: { language: 'en', duration: 1, segments: [segment] }, notice: '' })
  const before = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage')
  Object.defineProperty(globalThis, 'sessionStorage', { value: { getItem: () => kept, removeItem: () => {} }, configurable: true })
  Object.defineProperty(globalThis, 'history', { value: { replaceState: () => {} }, configurable: true })
  t.after(() => before && Object.defineProperty(globalThis, 'sessionStorage', before))
  const { choose, clear } = await import('#control-plane/web/pages/transcribe/transcription.ts')
  assert.equal(choose(new File(['x'], 'other.wav')), false)
  assert.equal(choose(new File(['x'], 'talk.wav')), true)
  assert.equal(choose(new File(['x'], 'other.wav')), false, 'the transcript is still there')
  clear()
  assert.equal(choose(new File(['x'], 'other.wav')), true)
})
