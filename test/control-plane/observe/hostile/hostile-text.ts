// Texts that make careless expressions backtrack.
import assert from 'node:assert/strict'
import { ownCpuSeconds } from '#test/support/world/process.ts'

const PIECES = [
  'a:',
  'http://',
  '::',
  'key=',
  '/home/',
  'a.',
  '-----BEGIN A',
  '"token"',
  '--key ',
  '%3A%2F%2F%40',
  '%2Fhome%2F',
  'a@b.',
  '"key":"\\\\',
  '1.',
  'x_-',
  'Bearer ',
  'eyJ.',
]
/** Seconds of processor time for a megabyte. */
const MAX_SECONDS = 2

/** Each piece repeated to this many characters; the time that it may take is in proportion. */
export function scrubsInLinearTime(scrub: (text: string) => string, characters: number): void {
  for (const piece of PIECES) {
    const from = ownCpuSeconds()
    scrub(piece.repeat(characters / piece.length))
    const took = ownCpuSeconds() - from
    assert.ok(took < (MAX_SECONDS * characters) / 1e6, `${piece}: ${took} s`)
  }
}
