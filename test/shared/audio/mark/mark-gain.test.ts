import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chipGains, clarityOf, TILES } from '#shared/audio/mark/mark-gain.ts'
import { seeded } from '../signal.ts'

const FLOOR = 1e-6
const gainsOf = (energies: readonly number[], sign: number, power = 1) => {
  const out = new Float64Array(TILES)
  chipGains(Float64Array.from(energies), sign, power, FLOOR, out)
  return [...out]
}
const changed = (energies: readonly number[], db: readonly number[]) => energies.map((energy, i) => energy * 10 ** (db[i]! / 10))

test('any energies give finite changes of at most 3.5 dB toward the sign, and none below the floor', () => {
  const random = seeded(17)
  for (let round = 0; round < 5000; round++) {
    const energies = Array.from({ length: TILES }, () => (random() < 0.1 ? 0 : 10 ** (-9 + 10 * random())))
    const sign = random() < 0.5 ? 1 : -1
    const gains = gainsOf(energies, sign)
    gains.forEach((db, tile) => {
      assert.ok(Number.isFinite(db) && Math.abs(db) <= 3.5 + 1e-9, `${db} dB for ${energies}`)
      if (energies[tile]! < FLOOR) assert.equal(Math.abs(db), 0)
    })
    const before = clarityOf(Float64Array.from(energies), sign, FLOOR)
    const after = clarityOf(Float64Array.from(changed(energies, gains)), sign, FLOOR)
    assert.ok(after >= before - 1e-9)
    assert.ok(after <= Math.max(before, 8 + 1e-9), 'no more than the margin is spent')
  }
})

test('a chip that has its sign, or is far from it, stays as it is', () => {
  for (const energies of [
    [0.001, 0.0001, 0.0001, 0.001],
    [0.0001, 0.01, 0.01, 0.0001],
  ])
    assert.deepEqual(gainsOf(energies, 1), [0, 0, 0, 0])
})

test('a loud tile changes less than a weak one', () => {
  const [loud, ...weak] = gainsOf([0.5, 0.001, 0.4, 0.001], 1).map(Math.abs)
  assert.ok(loud! < 0.5 && Math.max(...weak) > 2)
})
