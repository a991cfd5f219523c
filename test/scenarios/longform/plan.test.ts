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
        place: 0,
        included: true,
        words: 2,
        // 11 letters at the pace of English, one of them slower, and a second of silence.
        minutes: 0.03,
        spans: [
          { voice_id: 'Ann', text: 'Hello.', pause_ms_after: 1000, speed: null, kinds: ['verse'] },
          { voice_id: 'Ann', text: 'World', pause_ms_after: 0, speed: 0.85, kinds: ['verse'] },
        ],
      },
      {
        ...{ title: '二', char_count: 4, place: 1, included: true, words: 2, minutes: 0.01 },
        spans: [{ voice_id: 'narrator', text: '東京 😀', pause_ms_after: 0, speed: null }],
      },
    ],
    ...{ chapter_count: 2, char_count: 15, included_count: 2, words: 4, minutes: 0.04, left_out: [] },
  })
  const empty = { chapters: [], chapter_count: 0, char_count: 0, included_count: 0, words: 0, minutes: 0, left_out: [] }
  assert.deepEqual((await world.post('/audiobook/plan', { text: '' })).json(), empty)
})

test('limits are answered with 422 and the number', async () => {
  const world = await open()
  const many = await world.post('/audiobook/plan', { text: '# a\n'.repeat(10_001) })
  assert.equal(many.status, 422)
  assert.match(many.body.toString(), /more than 10000 chapters/)
  assert.equal((await world.post('/audiobook/plan', { text: '# a\nb\n'.repeat(10_000) })).json().chapter_count, 10_000)
  for (const text of ['a\n'.repeat(300_001), 'a\n\n'.repeat(300_001), '| a |\n'.repeat(300_001), '|a|a|a|\n'.repeat(100_001)]) {
    const lines = await world.post('/audiobook/plan', { text })
    assert.equal(lines.status, 422)
    assert.match(lines.body.toString(), /more than 300000 lines/)
  }
  const span = { text: 'a\n'.repeat(300_001) }
  assert.equal((await world.post('/longform/render', { chapters: [{ spans: [span] }] })).status, 422)
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
      ...{ place: 0, included: true, words: 4, minutes: 0.05 },
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

test('a plan says what is spoken, how long it is, what kind its paragraphs are, and what is left out', async () => {
  const world = await open()
  const words = `${'word '.repeat(899)}end.`
  const text = `# [skip] Contents\n\nOne, two.\n\n# Part I\n\n# One\n\n${words}\n\n# Two\n\n## Eggs\n\n- don't\n- well-known\n\n“Yes.”`
  const plan = (await world.post('/audiobook/plan', { text, language: 'en' })).json()
  assert.deepEqual(
    plan.chapters.map(({ title, place, included, words, minutes }: any) => [title, place, included, words, minutes]),
    [
      ['Contents', 0, false, 2, 0.01],
      ['One', 2, true, 900, 5],
      ['Two', 3, true, 4, 0.03],
    ],
  )
  assert.deepEqual([plan.chapter_count, plan.included_count, plan.words, plan.minutes], [3, 2, 904, 5.03])
  assert.deepEqual(plan.left_out, [
    { title: 'Contents', why: 'This chapter is switched off.' },
    { title: 'Part I', why: 'A title without text is no chapter.' },
  ])
  assert.deepEqual(plan.chapters[2].spans[0].kinds, ['heading', 'listItem', 'dialogue'])
  assert.equal('kinds' in plan.chapters[1].spans[0], false)
  // Another language has another pace.
  assert.ok((await world.post('/audiobook/plan', { text, language: 'ru' })).json().minutes > plan.minutes)
})
