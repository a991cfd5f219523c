// The check of a dub whose film has speech in which the recogniser found no words: in the answer of the studio, and on the page.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plantedWhisper, stamp } from '#test/agent/engine/runtimes/transformers/planted.ts'
import { folder, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { eventsOfTask, preparedDub } from '#test/scenarios/dubbing/dub-client.ts'
import { recording, SENTENCES, spoken } from '#test/support/audio/round-trip.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

const skip = NO_BROWSER || withPrograms.skip
type Place = { readonly start: number; readonly end: number }
type Line = Place & { readonly id: string; readonly text: string }

/** About 7 s of speech with hardly a pause. */
async function talk(): Promise<string> {
  const pieces = await Promise.all(SENTENCES.slice(8, 11).map(async (sentence) => (await spoken(sentence)).pcm))
  const path = join(folder, 'talk-without-words.wav')
  writeFileSync(path, recording(Buffer.concat(pieces)).get('audio')!)
  return path
}

test('speech without words is named by each check, until a line covers it', { skip }, async (t) => {
  const dataDir = temporaryFolder(t)
  // It recognises a word in the first second and one from 3.6 s on, however often it is asked.
  const chain = [stamp(0), 'Ġhello', stamp(1), stamp(3.6), 'Ġagain', stamp(5), '<|endoftext|>']
  const planted = [...plantedWhisper(t, { chain })].map(([name, path]): [string, Buffer] => [name, readFileSync(path)])
  placeModel(join(dataDir, 'local-agent/models'), 'faster-whisper', 'tiny', Object.fromEntries(planted))
  const world = await openWorld(t, { fixedPort: true, env: { STUDIO_DATA_DIR: dataDir } })
  const { id } = await preparedDub(world, await talk(), 'talk.wav', { input_type: 'audio' })
  const transcribed = await world.post(`/dub/transcribe/${id}`)
  assert.equal(transcribed.status, 200, transcribed.body.toString())
  const lines = transcribed.json().segments as Line[]
  const stored = async () => JSON.parse((await world.get(`/dub/history/${id}`)).json().job_data)
  const named = (await stored()).speech_without_words as Place[]
  assert.ok(named.length > 0 && named.every(({ start, end }) => end - start >= 0.5), JSON.stringify(named))

  const asked = { segments: lines, language: 'English', language_code: 'en', num_step: 4 }
  const { task_id: task } = (await world.post(`/dub/generate/${id}`, asked)).json()
  assert.equal((await eventsOfTask(world, task)).at(-1)!.type, 'done')
  const check = async (): Promise<Place[]> => {
    const reply = await world.post(`/dub/qc/${id}?words=optional`)
    assert.equal(reply.status, 200, reply.body.toString())
    return reply.json().speech_without_words
  }
  const found = await check()
  assert.ok(found.length > 0, JSON.stringify({ named, lines }))
  for (const { start, end } of found) {
    assert.ok(
      named.some((place) => place.start <= start && end <= place.end),
      JSON.stringify({ named, found }),
    )
    assert.ok(!lines.some((line) => line.start < end && start < line.end), JSON.stringify({ lines, found }))
  }
  assert.deepEqual(await check(), found)
  await world.restart('SIGKILL')
  assert.deepEqual(await check(), found, 'it is stored')

  const { page, complaints } = await openPage(t, `${world.url}/#/dub/${id}?lang=en`)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  await button('Check').click()
  const note = page.getByRole('region', { name: 'Check' })
  await note.getByText('no words were recognised').waitFor()
  assert.equal(await page.locator('.check .good').count(), 0)
  await button(/^Play 0:0\d\.\d to 0:0\d\.\d$/)
    .first()
    .click()
  await eventually(() => page.evaluate(`document.querySelector('audio').currentTime >= ${found[0]!.start} - 0.1`))
  await button('Close the check').click()
  await note.waitFor({ state: 'detached' })

  const added = found.map(({ start, end }, at) => ({ id: `n${at}`, start, end, text: 'Added.', speaker_id: 'Speaker 1' }))
  const kept = lines.map(({ id: line, start, end, text }) => ({ id: line, start, end, text, speaker_id: 'Speaker 1' }))
  const replaced = await world.put(`/dub/segments/${id}`, { segments: [...kept, ...added].sort((one, other) => one.start - other.start) })
  assert.equal(replaced.status, 200, replaced.body.toString())
  assert.deepEqual(await check(), [])
  assert.deepEqual((await stored()).speech_without_words, named, 'what was found stays')
  assert.deepEqual(complaints, [])
})
