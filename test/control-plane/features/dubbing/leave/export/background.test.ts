// The background stem: the original without its isolated voice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeBackground } from '#control-plane/features/dubbing/voice/timeline/background.ts'
import { never } from '#test/control-plane/media/film/corpus.ts'
import { channelOf, newPath, stereo, tone } from '#test/control-plane/media/film/sound.ts'

test('the background has nothing of the isolated voice, from its first to its last sample', async () => {
  const seconds = 3
  const music = (time: number) => 0.1 * Math.sin(2 * Math.PI * 220 * time)
  const voice = (time: number) => 0.2 * Math.sin(2 * Math.PI * 900 * time)
  const original = await stereo(tone(seconds, (time) => music(time) + voice(time)))
  const vocals = await stereo(tone(seconds, voice))
  const to = newPath('bed')
  await writeBackground(original, vocals, to, never)
  const expected = tone(seconds, music)
  const worst = (await channelOf(to)).reduce((most, sample, at) => Math.max(most, Math.abs(sample - expected[at]!)), 0)
  assert.ok(worst < 0.001, `${worst}`)
})
