// Libraries that send reports to their makers are loaded by one file each, which turns the reports off first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allSources, type Source, typescript } from '../source.ts'

/** Package -> the file that loads it. */
const LOADED: Readonly<Record<string, string>> = {
  'onnxruntime-node': 'agent/engine/runtimes/onnx/library.ts',
  '@huggingface/transformers': 'agent/engine/runtimes/transformers/library.ts',
}
/** Scripts in texts, in processes of their own: what would happen without our files. */
const QUOTED: readonly string[] = [
  'test/scenarios/silence/every-program.ts',
  'test/agent/engine/runtimes/transformers/library.test.ts',
  'test/architecture/libraries/silence.test.ts',
]

/** Files, tests and benches included, that load a package themselves. Types load nothing. */
function loudImports(sources: readonly Source[]): string[] {
  return Object.entries(LOADED).flatMap(([name, place]) => {
    const loads = new RegExp(
      `^(?:import|export) (?!type\\b)[^'"]*['"]${name}['"]|(?<!typeof )\\bimport\\(\\s*['"]${name}['"]|require\\(['"]${name}['"]`,
      'm',
    )
    return sources
      .filter(({ path, text }) => path !== place && !QUOTED.includes(path) && loads.test(text))
      .map(({ path }) => `${path}: ${name}`)
  })
}

const sources = typescript(allSources())

test('a library that reports to its maker is loaded by one file', () => {
  assert.deepEqual(loudImports(sources), [])
})

test('that file turns the reports off before the import', () => {
  for (const [name, place] of Object.entries(LOADED)) {
    const { text } = sources.find(({ path }) => path === place)!
    assert.match(text, new RegExp(`silenceProcess\\(\\)[\\s\\S]*import\\('${name}'\\)`), place)
    assert.doesNotMatch(text, new RegExp(`^import (?!type\\b)[^'"]*['"]${name}['"]`, 'm'), place)
  }
})

test('an import of such a library elsewhere is reported, however it is written', () => {
  const found = (text: string) => loudImports([{ path: 'bench/x.ts', text }]).length
  for (const text of [
    "import { InferenceSession } from 'onnxruntime-node'",
    "import {\n  Tensor,\n} from 'onnxruntime-node'",
    "const ort = await import('onnxruntime-node')",
    "export * from '@huggingface/transformers'",
    "createRequire(import.meta.url).require('onnxruntime-node')",
  ])
    assert.equal(found(text), 1, text)
  for (const text of ["import type { Tensor } from 'onnxruntime-node'", "type Ort = typeof import('onnxruntime-node')"])
    assert.equal(found(text), 0, text)
})
