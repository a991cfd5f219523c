// The speakers of a film whose sound does not fit into a task: found in parts, joined by their voices, and killed at every fifth write of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryFolder } from '#test/support/world/world.ts'
import { all, names, open, recognised } from '../world.ts'
import { killedSpeakers } from './killed.ts'

test('a film whose sound does not fit into a task is identified in parts, and its speakers are joined by their voices', async (t) => {
  const seconds = 2_400
  const voices = [0, 1].map((speaker) => ({ speaker, seconds: 9, vector: speaker === 0 ? [1, 0] : [0, 1] }))
  const parts: unknown[] = []
  const diarise = (request: unknown) => {
    parts.push(request)
    const isFirst = parts.length === 1
    // The second part hears the other speaker first.
    return {
      segments: [
        { start: 0, end: 10, speaker: 0 },
        { start: 10, end: 30, speaker: 1 },
      ],
      voices: isFirst ? voices : voices.map(({ speaker, ...rest }) => ({ ...rest, speaker: 1 - speaker })),
    }
  }
  const recognisePart = async (part: number) => (part === 0 || part === 40 ? recognised() : { ...recognised(), segments: [] })
  const change = { turns: [], recognisePart, diarise, seconds, rate: 1_000 }
  const folder = temporaryFolder(t)
  const { store, events, calls } = await open(t, folder, { change })
  const found = await all(events())
  assert.deepEqual(names(found).filter((name) => name === 'warning').length, 1, JSON.stringify(found.slice(-4)))
  assert.deepEqual(
    parts.map((request) => (request as { params: unknown }).params),
    [
      { num_speakers: null, voices: true },
      { num_speakers: null, voices: true },
    ],
  )
  assert.ok(parts.every((request) => (request as { seconds: number }).seconds <= 2_097))
  assert.equal(calls.filter((name) => name === 'diarize').length, 2)
  const speakers = store.segments.list('one').map(({ startUs, speakerId }) => [Math.round(startUs / 60e6), speakerId])
  assert.deepEqual(speakers, [
    [0, 'Speaker 1'],
    [0, 'Speaker 2'],
    [20, 'Speaker 2'],
    [20, 'Speaker 1'],
  ])
})

test('a kill while the speakers of a long film are found in parts and joined changes none of them', (t) => killedSpeakers(t, 5))
