// The faster resolution of imports finds the files that Node itself finds.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startProgram } from '#test/support/world/process.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const IMPORTS = './shared/runtime/builtin/imports.ts'
// Relative imports and those of rooms, of packages of both kinds, and a text of the program that imports later.
const WITH_MANY = `await import('#agent/connection/enrol.ts'); await import('./shared/link/transport/options.ts')`

async function loaded(t: TestContext, ...preloads: string[]): Promise<string[]> {
  const path = join(temporaryFolder(t), 'modules.json')
  const imports = ['./test/support/starting/list-modules.ts', ...preloads].flatMap((file) => ['--import', file])
  const program = startProgram(t, [...imports, '--input-type=module', '-e', WITH_MANY], { VOICE_STUDIO_TEST_MODULES: path })
  assert.equal(await program.ended, 0, program.output())
  return (JSON.parse(readFileSync(path, 'utf8')) as string[]).map((url) => url.slice(url.indexOf(process.cwd()))).sort()
}

test('imports load the same files as without our resolution, but for the languages of zod', async (t) => {
  const [ours, plain] = await Promise.all([loaded(t, IMPORTS), loaded(t)])
  assert.ok(plain.length > 100)
  const expected = plain.filter((file) => !/\/zod\/v4\/locales\/(?!en\.)/.test(file))
  assert.ok(expected.length < plain.length - 40, 'zod still loads its languages by the import that is left out')
  assert.equal(ours.filter((file) => !file.endsWith('/shared/runtime/builtin/imports.ts')).join('\n'), expected.join('\n'))
})

test('each program imports the rest of itself after our resolution has begun', () => {
  for (const entry of ['cli/main.ts', 'cli/agent-main.ts', 'control-plane/main.ts', 'agent/main.ts', 'agent/engine/host/host.ts']) {
    const text = readFileSync(entry, 'utf8')
    const imports = [...text.matchAll(/^import (?!type )(.*)$/gm)].map(([, what]) => what)
    assert.deepEqual(imports, ["'#shared/runtime/builtin/imports.ts'"], entry)
    assert.match(text, /import\('\./, entry)
  }
})
