import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const FOLDER = join(import.meta.dirname, '../../../../shared/text/normalise')
const importsOf = (file: string) =>
  [...readFileSync(join(FOLDER, file), 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, path]) => path!)

test('each part of the spelling of numbers is loaded after what it imports, and no language is left to the last one', () => {
  const parts = importsOf('parts.ts').map((path) => path.slice(2))
  const files = readdirSync(join(FOLDER, 'languages')).filter((name) => name.endsWith('.ts'))
  const languages = files.map((name) => `languages/${name}`)
  assert.deepEqual(
    languages.filter((name) => !parts.includes(name)),
    [],
  )
  assert.equal(parts.at(-1), 'normalise.ts')
  for (const [at, part] of parts.entries())
    for (const path of importsOf(part)) {
      const needed = join(part, '..', path)
      if (parts.includes(needed)) assert.ok(parts.indexOf(needed) < at, `${part} needs ${needed}`)
    }
})
