import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addressOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const open = sharedWorld({ env: { STUDIO_TTS_BACKEND: 'tone' } })

test('takes are listed, shown, saved and removed', async (t) => {
  const world = await open()
  const cwd = temporaryFolder(t)
  const history = (...words: string[]) => studio(['history', ...words], { env: addressOf(world), cwd })
  assert.equal((await history()).output, 'No takes yet. The page of the studio makes them.\n')
  const made = async (text: string) => (await world.post('/generate', form({ text }))).headers.get('x-audio-id')!
  const [first, second] = [await made('Good mor\u202ening.'), await made('Good evening.')]
  const list = await history()
  assert.equal(list.code, 0, list.errors)
  assert.match(list.output, new RegExp(`^TAKE +MADE +LENGTH +VOICE +TEXT\n${second} .*Good evening\\.\n${first} .*Good mor ?ning\\.\n$`))
  assert.ok(!list.output.includes('\u202e'))
  const newest = jsonIn((await history('--last', '1', '--json')).output)
  assert.deepEqual(
    newest.map(({ id }: { id: string }) => id),
    [second],
  )
  assert.match((await history('show', first)).output, /^Made +\d{4}-\d\d-\d\d .*\nEngine +tone\n[\s\S]*Text +Good mor ?ning\.\n$/)

  const saved = await history('save', first, '-o', 'first.wav')
  assert.deepEqual([saved.code, /^first\.wav, [\d.]+ kB\n$/.test(saved.output)], [0, true], saved.errors + saved.output)
  const { audio_path } = jsonIn((await history('show', first, '--json')).output)
  assert.ok(readFileSync(join(cwd, 'first.wav')).equals((await world.get(`/audio/${audio_path}`)).body))
  writeFileSync(join(cwd, 'first.wav'), 'Mine.')
  for (const [words, code, message] of [
    [['save', first, '-o', 'first.wav'], 1, /first\.wav exists already\. Name another file, or add --force/],
    [['save', first, '-o', 'first.mp3'], 1, /The take is kept as \.wav\. Give the file a name that ends with \.wav\./],
    [['save', first], 2, /Name the file: history save ID -o FILE/],
    [['save', 'nosuch', '-o', 'x.wav'], 5, /There is no take nosuch\. List them with \.\/studio history\./],
    [['show', 'nosuch'], 5, /There is no take nosuch/],
    [['remove', 'nosuch', '--yes'], 5, /There is no take nosuch/],
    [['remove', first], 2, /for good\. This cannot be undone\. If you mean it, add --yes\./],
    [['show'], 2, /Name one take: history show ID/],
    [['shw'], 2, /Did you mean 'show'/],
    [['--last', '0'], 2, /from 1 to 1000/],
  ] as const) {
    const refused = await history(...words)
    assert.deepEqual([refused.code, refused.output], [code, ''], words.join(' '))
    assert.match(refused.errors, message)
  }
  assert.deepEqual([readdirSync(cwd), readFileSync(join(cwd, 'first.wav'), 'utf8')], [['first.wav'], 'Mine.'])
  assert.equal((await history('save', first, '-o', 'first.wav', '--force')).code, 0)
  const removed = await history('remove', first, '--yes')
  assert.deepEqual([removed.code, removed.output], [0, `Deleted take ${first}.\n`], removed.errors)
  assert.deepEqual(
    (await world.get('/history')).json().map(({ id }: { id: string }) => id),
    [second],
  )
})
