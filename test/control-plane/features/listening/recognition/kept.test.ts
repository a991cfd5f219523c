// Transcripts that are projects: their words, the files that are written of them, and the recordings beside them.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keptTranscriptOf } from '#control-plane/features/listening/recognition/kept/kept-transcript.schema.ts'
import { createKeptTranscripts } from '#control-plane/features/listening/recognition/kept/kept-transcripts.service.ts'
import { createKeptSounds } from '#control-plane/features/listening/recognition/kept/sounds.ts'
import { keptWordsOf } from '#control-plane/features/listening/recognition/kept/words.rules.ts'
import { writtenTranscript } from '#control-plane/features/listening/recognition/kept/written.rules.ts'
import type { Transcript } from '#control-plane/features/listening/recognition/transcript/assemble.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const transcript = (segments: Transcript['segments']): Transcript => ({
  ...{ task: 'transcribe', temperature: 0, text: '', language: 'en', segments, seconds: 60, engine: 'whisper', notice: null },
})
const FACTS = { job: 'job1', file: 'Board.mp3', took: 3 }

test('words keep the text of the segment and the times of the recogniser, in scripts with and without blanks', () => {
  const word = (start: number, end: number, text: string) => ({ start, end, word: text })
  const said = {
    start: 1,
    end: 3,
    text: '  Hello,  big\nworld. ',
    words: [word(1, 1.4, 'Hello'), word(1.5, 2, ' big'), word(2, 3, 'world')],
  }
  assert.deepEqual(keptWordsOf(said), [
    [1, 1.4, 'Hello,'],
    [1.5, 2, ' big'],
    [2, 3, ' world.'],
  ])
  assert.deepEqual(keptWordsOf({ start: 0, end: 2, text: '你好。', words: [word(0, 1, '你'), word(1, 2, '好')] }), [
    [0, 1, '你'],
    [1, 2, '好。'],
  ])
  // Words that are not in the text, and none at all: the time is divided by the letters.
  for (const words of [[word(5, 6, 'other')], []])
    assert.deepEqual(keptWordsOf({ start: 10, end: 20, text: 'ab cd efgh', words }), [
      [10, 13, 'ab'],
      [13, 16, ' cd'],
      [16, 20, ' efgh'],
    ])
  assert.deepEqual(keptWordsOf({ start: 0, end: 1, text: ' \n ' }), [])
})

test('files have cues that can be read, lines of 42 characters, names of speakers, and no text that ends a cue', () => {
  const long = 'We have heard the figures for the summer and I would like to take the pier first because the contractor needs an answer.'
  const kept = keptTranscriptOf(
    transcript([
      { start: 0, end: 12, text: long, speaker: 'Chair' },
      { start: 12, end: 13, text: '--> <b>no & yes</b>', speaker: 'Dana' },
    ]),
    FACTS,
  )
  const srt = writtenTranscript(kept, 'srt').text
  for (const line of srt.split('\n')) assert.ok(line.length <= 46, line)
  assert.match(srt, /^1\n00:00:00,000 --> 00:00:0\d,\d{3}\nChair: We have/)
  assert.ok(!srt.includes('--> <b>'))
  assert.match(writtenTranscript(kept, 'vtt').text, /Dana: -&gt; &lt;b&gt;no &amp; yes/)
  assert.equal(writtenTranscript(kept, 'txt').text, `Chair: ${long}\n\nDana: --> <b>no & yes</b>\n`)
  const json = JSON.parse(writtenTranscript(kept, 'json').text)
  assert.equal(json.segments[0].words.length, long.split(' ').length)
  assert.equal(json.segments[0].text, long)
})

test('a job becomes one project however often it ends, its recording goes with it, and the id of another project is left alone', async (t) => {
  const dataDir = temporaryFolder(t)
  const rows = new Map<string, any>([['aaaaaaaa', { name: 'Other', kind: 'speech', state: {} }]])
  const projects = {
    isKnown: (id: string) => rows.has(id),
    freeId: () => 'bbbbbbbb',
    read: (id: string) => rows.get(id) ?? assert.fail(),
    keep: (id: string, body: object) => void (rows.has(id) || rows.set(id, body)),
  }
  const kept = createKeptTranscripts({ projects, dataDir })
  const path = join(dataDir, 'artifact')
  writeFileSync(path, 'sound')
  const digest = 'd'.repeat(64)
  const job = {
    ...{ id: 'job1', project: 'aaaaaaaa', madeBy: OWNER_ID, filename: 'Board / Nov.mp3', took: 3, sound: { digest, path } },
    transcript: transcript([{ start: 0, end: 1, text: 'Hello there.', speaker: 'A' }]),
  }
  const id = await kept.keep(job)
  assert.notEqual(id, 'aaaaaaaa')
  assert.equal(await kept.keep(job), id)
  assert.equal(rows.size, 2)
  assert.equal(rows.get(id).name, 'Board / Nov')
  assert.equal(rows.get(id).duration, 60)
  assert.deepEqual(await kept.facts(id), { sound: { bytes: 5, name: 'Board / Nov.mp3' } })
  assert.equal((await kept.sound(id)).type, 'audio/mpeg')
  assert.equal(kept.written(id, 'srt').name, 'Board _ Nov.srt')
  const lent = await kept.lend(id, join(dataDir, 'lent'))
  assert.deepEqual(lent.lines, [{ start: 0, end: 1, text: 'Hello there.', speaker: 'A' }])
  assert.ok(existsSync(join(dataDir, 'lent')))

  // What a browser saved may have any form.
  rows.get(id).state = { job: 'job1', segments: 'none' }
  assert.equal(await kept.keep(job), id, 'no second project')
  assert.throws(
    () => kept.written(id, 'txt'),
    (error) => Failure.from(error).code === 'CONFLICT',
  )
  assert.throws(
    () => kept.written('aaaaaaaa', 'txt'),
    (error) => Failure.from(error).code === 'NOT_FOUND',
  )

  rows.delete(id)
  await kept.sweep()
  assert.deepEqual(readdirSync(join(dataDir, 'transcripts')), [])
})

test('recordings beyond their disk space go, the oldest first', async (t) => {
  const dataDir = temporaryFolder(t)
  const sounds = createKeptSounds({ dataDir, isKnown: () => true, mostBytes: 10 })
  for (const [at, project] of ['one', 'two', 'three'].entries()) {
    const path = join(dataDir, project)
    writeFileSync(path, 'x'.repeat(5))
    await sounds.keep(project, String(at), path)
  }
  assert.equal(readdirSync(join(dataDir, 'transcripts')).length, 2)
  assert.equal((await sounds.find('three'))?.bytes, 5)
  await sounds.keep('four', '4', join(dataDir, 'gone'))
  assert.equal(await sounds.find('four'), null)
})

test('the oldest is the one that came first, also after its job has left the disk', async (t) => {
  const dataDir = temporaryFolder(t)
  const sounds = createKeptSounds({ dataDir, isKnown: () => true, mostBytes: 10 })
  const keep = async (project: string, at: number) => {
    writeFileSync(join(dataDir, project), 'x'.repeat(5))
    utimesSync(join(dataDir, project), at, at)
    await sounds.keep(project, 'd', join(dataDir, project))
  }
  await keep('old', 1_000)
  await keep('new', 2_000)
  rmSync(join(dataDir, 'old'))
  await keep('newest', 3_000)
  assert.deepEqual(readdirSync(join(dataDir, 'transcripts')).sort(), ['new.d', 'newest.d'])
})

test('a project has one recording: the newest, after a kill and after two browsers', async (t) => {
  const dataDir = temporaryFolder(t)
  const sounds = createKeptSounds({ dataDir, isKnown: () => true })
  const folder = join(dataDir, 'transcripts')
  for (const [at, digest] of ['b', 'a', 'c'].entries()) {
    writeFileSync(join(folder, `one.${digest}`), digest)
    utimesSync(join(folder, `one.${digest}`), 1_000 + at, 1_000 + at)
  }
  assert.equal((await sounds.find('one'))?.digest, 'c')
  await sounds.sweep()
  assert.deepEqual(readdirSync(folder), ['one.c'])
  const sent = ['d', 'e'].map((digest) => {
    writeFileSync(join(dataDir, digest), digest)
    return sounds.replace('one', digest, join(dataDir, digest))
  })
  await Promise.all(sent)
  assert.deepEqual(readdirSync(folder), ['one.e'])
})
