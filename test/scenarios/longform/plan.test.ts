// POST /audiobook/plan over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld()

test('a manuscript is planned without synthesis', async () => {
  const world = await open()
  const text = '# One\n[voice:Ann]Hello. [pause 1s]\n[slow]World[/slow]\n\n# 二\n東京 😀'
  const plan = await world.post('/audiobook/plan', { text, default_voice: 'narrator', other: 1 })
  assert.equal(plan.status, 200)
  assert.deepEqual(plan.json(), {
    chapters: [
      {
        title: 'One',
        char_count: 11,
        spans: [
          { voice_id: 'Ann', text: 'Hello.', pause_ms_after: 1000, speed: null },
          { voice_id: 'Ann', text: 'World', pause_ms_after: 0, speed: 0.85 },
        ],
      },
      { title: '二', char_count: 4, spans: [{ voice_id: 'narrator', text: '東京 😀', pause_ms_after: 0, speed: null }] },
    ],
    chapter_count: 2,
    char_count: 15,
  })
  assert.deepEqual((await world.post('/audiobook/plan', { text: '' })).json(), { chapters: [], chapter_count: 0, char_count: 0 })
})

test('limits are answered with 422 and the number', async () => {
  const world = await open()
  const many = await world.post('/audiobook/plan', { text: '# a\n'.repeat(10_001) })
  assert.equal(many.status, 422)
  assert.match(many.body.toString(), /more than 10000 chapters/)
  assert.equal((await world.post('/audiobook/plan', { text: '# a\nb\n'.repeat(10_000) })).json().chapter_count, 10_000)
  assert.equal((await world.post('/audiobook/plan', { text: 'a'.repeat(8 * 1024 * 1024 + 1) })).status, 422)
  assert.equal((await world.post('/audiobook/plan', { text: 'a\u0000' })).status, 422)
  assert.equal((await world.post('/audiobook/plan', {})).status, 422)
})

test('a chapter without a title is numbered, a heading without text is no chapter, and a leading pause is planned', async () => {
  const world = await open()
  const planOf = async (text: string) =>
    (await world.post('/audiobook/plan', { text }))
      .json()
      .chapters.map(({ title, pause_ms_before, spans }: { title: string; pause_ms_before?: number; spans: unknown[] }) => [
        title,
        pause_ms_before ?? 0,
        spans.length,
      ])
  assert.deepEqual(await planOf('No heading here.'), [['Chapter 1', 0, 1]])
  assert.deepEqual(await planOf('Before.\n# Part I\n\n# The mill\n[pause 750ms]\nWater.\n#  \nMore.\n# End\n* * *'), [
    ['Chapter 1', 0, 1],
    ['The mill', 750, 1],
    ['Chapter 3', 0, 1],
  ])
})

test('a manuscript in SSML is one chapter with the voices, speeds and pauses of its elements', async () => {
  const world = await open()
  const plan = async (text: string) => await world.post('/audiobook/plan', { text, default_voice: 'narrator' })
  const ssml =
    '<speak><break time="1s"/><p>One.</p><voice name="Ann">Two <prosody rate="slow">three</prosody></voice><break/><x/>Four</speak>'
  const reply = (await plan(ssml)).json()
  const span = (voice_id: string, text: string, pause_ms_after = 0, speed: number | null = null) => ({
    voice_id,
    text,
    pause_ms_after,
    speed,
  })
  assert.deepEqual(reply.chapters, [
    {
      title: 'Chapter 1',
      char_count: 16,
      pause_ms_before: 1000,
      spans: [span('narrator', 'One.'), span('Ann', 'Two'), span('Ann', 'three', 500, 0.85), span('narrator', 'Four')],
    },
  ])
  assert.match(reply.notices.join(' '), /not part of SSML 1.1: x/)
  const refused = await plan('<speak>One & two</speak>')
  assert.equal(refused.status, 422)
  assert.match(refused.body.toString(), /XML is damaged/)
  assert.equal((await plan('<speak/>')).json().chapter_count, 0)
})
