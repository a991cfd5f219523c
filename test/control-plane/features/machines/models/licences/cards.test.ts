// Licence cards from a server of models, and what they decide: nothing is downloaded whose card was not shown and accepted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARD_BYTES, createCards } from '#control-plane/features/machines/models/licences/cards.ts'
import { createLicences } from '#control-plane/features/machines/models/licences/licences.ts'
import { createOwnerSettings } from '#control-plane/store/setting.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { openModelServer, REVISION } from '#test/support/doubles/model-server.ts'
import { createFakeSettings } from '#test/support/doubles/settings.ts'

const REPO = 'rhasspy/piper-voices'
const [JOE, OTHER] = CATALOGUE.filter(({ engine }) => engine === 'piper')
const PLAIN = CATALOGUE.find(({ engine }) => engine === 'kokoro')!
const { signal } = new AbortController()
const cardsAt = (url: string, token: string | null = null) =>
  createCards({ models: CATALOGUE, source: () => ({ url, token, tokenUrl: 'https://huggingface.co' }), clock, version: '0' })
const licencesWith = (cards: ReturnType<typeof createCards>, settings = createOwnerSettings(createFakeSettings())) =>
  createLicences({ settings, models: CATALOGUE, cards })
const serve = (t: Parameters<typeof openModelServer>[0], text: string) =>
  openModelServer(t, { [REPO]: { [JOE!.card!]: Buffer.from(text) } })

test('the card of the current commit is returned without what commands a terminal', async (t) => {
  const server = await serve(t, '# Card\r\n\r\n* License: \u001b[31mCC0\u202e\r\n')
  const cards = cardsAt(server.url, 'secret')
  assert.equal((await cards.reply(JOE!.id, signal)).card, '# Card\n\n* License:  [31mCC0')
  assert.deepEqual(
    server.asked.map(({ path, headers }) => [path, headers.authorization]),
    [
      [`/api/models/${REPO}/revision/main`, undefined],
      [`/${REPO}/resolve/${REVISION}/${JOE!.card}`, undefined],
    ],
    'the token of the hub stays here',
  )
})

test('a card that cannot be read, is empty or is too long is named, and was not shown', async (t) => {
  for (const [text, model, why] of [
    ['x', OTHER!, /status 404/],
    [' \n', JOE!, /the card is empty/],
    ['x'.repeat(CARD_BYTES + 1), JOE!, /another answer/],
  ] as const) {
    const cards = cardsAt((await serve(t, text)).url)
    await assert.rejects(cards.reply(model.id, signal), { code: 'INPUT_FETCH_FAILED', message: why })
    assert.equal(cards.wasShown(model.id), false)
  }
  await assert.rejects(cardsAt('http://127.0.0.1:9').reply(JOE!.id, signal), { code: 'INPUT_FETCH_FAILED', message: /is not downloaded/ })
  await assert.rejects(cardsAt('http://127.0.0.1:9').reply(PLAIN.id, signal), { code: 'NOT_FOUND' })
  await assert.rejects(cardsAt('http://127.0.0.1:9').reply('x/y', signal), { code: 'NOT_FOUND' })
})

test('a licence is accepted for one model, after its card was shown, and stays accepted', async (t) => {
  const cards = cardsAt((await serve(t, 'CC0')).url)
  const settings = createOwnerSettings(createFakeSettings())
  const licences = licencesWith(cards, settings)
  const refused = { code: 'CONFLICT', detail: { error: 'licence_not_accepted' } }
  const demand = (accepting: boolean, model = JOE!) => licences.demand(model, accepting)
  await assert.rejects(demand(true), (error: typeof refused & Error) => /must be shown first: GET \/models\/card\?repo_id=piper/.test(error.message) && error.code === refused.code) // biome-ignore format: one line
  await cards.reply(JOE!.id, signal)
  await assert.rejects(demand(false), { code: 'CONFLICT', message: /^Read the licence card of Piper: English/ })
  assert.equal(licences.isAccepted(JOE!), false)
  await demand(true)
  await demand(false)
  await assert.rejects(demand(true, OTHER!), { code: 'CONFLICT' })
  assert.deepEqual([licences.isAccepted(JOE!), licences.isAccepted(OTHER!), licences.isAccepted(PLAIN)], [true, false, true])
  assert.ok(!licences.pending().has('piper'))
  await licencesWith(cardsAt('http://127.0.0.1:9'), settings).demand(JOE!, false)
})
