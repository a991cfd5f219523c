// The word error rate of the embedded voice and pocketsphinx over all sentences of the round trip.
import { test } from 'node:test'
import { pocketsphinx } from '#agent/engine/asr/pocketsphinx/engine.ts'
import { errorRateAtMost, SENTENCES } from '../support/audio/round-trip.ts'

const engine = pocketsphinx.create({ path: process.env['PATH'] ?? '' })
const isInstalled = engine.describe().every(({ installed }) => installed)
const skip = isInstalled ? false : 'pocketsphinx is not on this machine; ./studio setup installs it'

test('thirty sentences are transcribed with a word error rate of at most 15 %', { skip }, (t) => errorRateAtMost(t, engine, SENTENCES))
