// The library is loaded without its image code, which is not installed.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

/** Output of a process that runs `statement`. */
function printed(statement: string): string {
  const script = `try { ${statement} } catch (error) { console.log(error.message) }`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', cwd: process.cwd() }).trim()
}

test('it needs no image library', () => {
  const plain = printed("await import('@huggingface/transformers'); console.log('loaded')")
  assert.match(plain, /Cannot find package '[^']*sharp/, 'the obstacle is real')
  const ours = `const { loadTransformers } = await import('#agent/engine/runtimes/transformers/library.ts')
    const { env } = await loadTransformers()
    console.log(env.allowRemoteModels, env.useFSCache)`
  assert.equal(printed(ours), 'false false')
})
