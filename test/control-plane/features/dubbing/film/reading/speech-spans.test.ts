// The detector of speech while the agent of this machine is away, and without one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSpeechSpans } from '#control-plane/features/dubbing/film/reading/speech-spans.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { offer } from '#test/support/doubles/offers.ts'

const segments = [{ start: 0.1, end: 0.4 }]
const inference = { keepInput: async () => ({ name: 'audio' }), run: async () => ({ segments }) } as never
const vad = offer({ engine: 'silero', operation: 'vad' })

/** `offers`: what is offered at each look, the last one from then on. `lookMs`: the time between two looks. */
function spansWith(offers: readonly (readonly Offer[])[], lookMs: number) {
  let [looks, now] = [0, 0]
  const clock = {
    mono: () => now,
    async sleep() {
      now += lookMs
    },
  }
  const offered = () => offers[Math.min(looks++, offers.length - 1)]!
  const recording = { wav: new Uint8Array(), seconds: 1, withinMs: 1, signal: new AbortController().signal, traceparent: '' }
  return createSpeechSpans({ inference, offered, clock })(recording)
}

test('an agent that restarts is waited for: it does not count as a machine without a detector', async () => {
  assert.deepEqual(await spansWith([[], [offer({ workerId: 'w1', operation: 'vad' })], [vad]], 1_000), segments)
  assert.equal(await spansWith([[], [offer()]], 1_000), null)
  await assert.rejects(spansWith([[]], 60_000), { code: 'NOT_READY' })
})
