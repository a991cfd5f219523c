// Searches of speech without a mark.
import assert from 'node:assert/strict'
import { detectMark } from '#shared/audio/mark/mark-detect.ts'
import { speech } from '../signal.ts'

const KEYS = Array.from({ length: 20 }, (_, i) => new TextEncoder().encode(`key ${i}`))

/** Twenty searches in each recording, of which none may find a mark. */
export function findsNothing(recordings: number): void {
  for (let clip = 0; clip < recordings; clip++) {
    const sound = speech(5, 8000, 100 + clip)
    for (let at = 0; at < KEYS.length; at += 5) {
      const { level, confidence } = detectMark(sound, 8000, KEYS.slice(at, at + 5))
      assert.equal(level, 'none')
      assert.ok(confidence < 0.5)
    }
  }
}
