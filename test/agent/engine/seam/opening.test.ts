import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOnce, openPerModel, placementOf } from '#agent/engine/seam/opening.ts'

function counted(fails = 0) {
  const closed: number[] = []
  let opens = 0
  const opening = openOnce(
    async () => {
      const number = ++opens
      await Promise.resolve()
      if (number <= fails) throw new Error(`no ${number}`)
      return number
    },
    async (number) => void closed.push(number),
  )
  return { opening, closed, opens: () => opens }
}

test('concurrent loads share one result', async () => {
  const { opening, opens } = counted()
  assert.equal(opening.opened(), null)
  assert.deepEqual(await Promise.all([opening.load(), opening.load()]), [1, 1])
  assert.equal(await opening.load(), 1)
  assert.equal(opening.opened(), 1)
  assert.equal(opens(), 1)
})

test('a failed load is repeated and not closed', async () => {
  const { opening, closed } = counted(2)
  await assert.rejects(Promise.all([opening.load(), opening.load()]), /no 1/)
  const second = opening.load()
  await Promise.all([opening.unload(), assert.rejects(second, /no 2/)])
  assert.equal(await opening.load(), 3)
  assert.deepEqual(closed, [])
})

test('it is closed once, even when unload is called during load', async () => {
  const { opening, closed } = counted()
  const first = opening.load()
  await Promise.all([opening.unload(), opening.unload()])
  assert.equal(await first, 1)
  assert.deepEqual(closed, [1])
  assert.equal(opening.opened(), null)
  assert.equal(await opening.load(), 2)
  await opening.unload()
  await opening.unload()
  assert.deepEqual(closed, [1, 2])
})

test('only an open graph has a placement', () => {
  assert.equal(placementOf(undefined), null)
  assert.deepEqual(placementOf({ device: 'cpu', reason: 'nothing else' }), { device: 'cpu', reason: 'nothing else' })
})

test('one of several models is loaded at a time', async () => {
  const told: string[] = []
  const opening = openPerModel(
    async (model) => {
      await Promise.resolve()
      told.push(`opens ${model}`)
      if (model === 'broken') throw new Error('broken')
      return { model }
    },
    async ({ model }) => void told.push(`closes ${model}`),
  )
  assert.equal(opening.opened(), null)
  assert.deepEqual(await Promise.all([opening.load('a'), opening.load('a'), opening.load()]), [
    { model: 'a' },
    { model: 'a' },
    { model: '' },
  ])
  assert.deepEqual(opening.opened(), { model: '' })
  await assert.rejects(opening.load('broken'))
  assert.equal(opening.opened(), null)
  assert.deepEqual(await opening.load('a'), { model: 'a' })
  await opening.unload()
  await opening.unload()
  assert.deepEqual(told, ['opens a', 'closes a', 'opens ', 'closes ', 'opens broken', 'opens a', 'closes a'])
})
