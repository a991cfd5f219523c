// The library is loaded without its image code, which may be missing on a machine.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

/** What a process in which no file of sharp can be loaded says of `statement`. */
function withoutSharp(statement: string): string {
  const script = `
    import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) {
      if (/node_modules\\/(?:sharp|@img)\\//.test(url)) throw new Error('no sharp here')
      return next(url, context)
    } })
    try { ${statement} } catch (error) { console.log(error.message) }`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', cwd: process.cwd() }).trim()
}

test('it needs no image library', () => {
  assert.equal(withoutSharp("await import('@huggingface/transformers'); console.log('loaded')"), 'no sharp here', 'the obstacle is real')
  const ours = `const { loadTransformers } = await import('#agent/engine/runtimes/transformers/library.ts')
    const { env } = await loadTransformers()
    console.log(env.allowRemoteModels, env.useFSCache)`
  assert.equal(withoutSharp(ours), 'false false')
})
