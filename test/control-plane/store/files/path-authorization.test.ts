// One-shot authorizations for paths: used once, for their kind only, from regular small files only.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createPathAuthorizations, writePathAuthorization } from '#control-plane/store/files/path-authorization.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const FORBIDDEN = { code: 'FORBIDDEN' }
function open(t: TestContext) {
  const folder = join(temporaryFolder(t), 'authorizations')
  const authorizations = createPathAuthorizations({ folder })
  const write = (kind: 'models_dir' | 'dub_export', path: string) => writePathAuthorization(folder, { kind, path }, systemRandom)
  return { folder, write, claim: authorizations.claim }
}

test('an authorization yields its path once', (t) => {
  const { write, claim, folder } = open(t)
  const token = write('models_dir', '/srv/models')
  assert.equal(claim(token, 'models_dir'), '/srv/models')
  assert.throws(() => claim(token, 'models_dir'), FORBIDDEN)
  assert.deepEqual(readdirSync(join(folder, '.claimed')), [])
})

test('an authorization of another kind is refused and used up', (t) => {
  const { write, claim } = open(t)
  const token = write('dub_export', '/srv/out.wav')
  assert.throws(() => claim(token, 'models_dir'), FORBIDDEN)
  assert.throws(() => claim(token, 'dub_export'), FORBIDDEN)
})

test('malformed tokens name no file', (t) => {
  const { claim, folder } = open(t)
  writeFileSync(join(folder, 'x.json'), '{}')
  for (const token of ['', 'x', '../x', 'A'.repeat(64), `${'a'.repeat(64)}\0`, `../${'a'.repeat(61)}`])
    assert.throws(() => claim(token, 'models_dir'), FORBIDDEN)
  assert.ok(existsSync(join(folder, 'x.json')))
})

test('links, folders, large files and foreign content are refused and removed', (t) => {
  const { claim, folder, write } = open(t)
  const good = write('models_dir', '/srv/models')
  const token = (digit: string) => digit.repeat(64)
  symlinkSync(join(folder, `${good}.json`), join(folder, `${token('a')}.json`))
  mkdirSync(join(folder, `${token('b')}.json`))
  writeFileSync(join(folder, `${token('c')}.json`), JSON.stringify({ token: token('c'), kind: 'models_dir', path: 'x'.repeat(20_000) }))
  writeFileSync(join(folder, `${token('d')}.json`), JSON.stringify({ token: token('e'), kind: 'models_dir', path: '/srv' }))
  writeFileSync(join(folder, `${token('f')}.json`), '['.repeat(5_000))
  const elsewhere = join(folder, 'elsewhere')
  writeFileSync(elsewhere, JSON.stringify({ token: token('1'), kind: 'models_dir', path: '/srv' }))
  symlinkSync(elsewhere, join(folder, `${token('1')}.json`))
  for (const digit of 'abcdf1') {
    assert.throws(() => claim(token(digit), 'models_dir'), FORBIDDEN)
    assert.ok(!existsSync(join(folder, `${token(digit)}.json`)))
  }
  assert.equal(claim(good, 'models_dir'), '/srv/models')
})
