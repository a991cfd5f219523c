// Artifacts may lie in a store without paths. Features of the library work on files of this machine; the rest of the studio may not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allSources, type Source, typescript } from '../source.ts'

const LIBRARY = /^control-plane\/features\/(books|dubbing|listening|speech|voices|base\/library)\//
/** The seam, its body in a folder, and the list of parts from which areas take theirs. */
const SEAM = /^control-plane\/(store\/(artifact|files\/folder-artifacts)|kernel\/platform)\.ts$/
/** Pages, and the bundler of their texts, have paths of other things. */
const OTHERS = /^control-plane\/(web|features\/operate\/system\/pages)\//

const pathsInTheCore = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => path.startsWith('control-plane/') && ![LIBRARY, SEAM, OTHERS].some((allowed) => allowed.test(path)))
    .filter(({ text }) => /\bpathOf\b|\bLocalArtifacts\b/.test(text))
    .map(({ path }) => path)

test('only features of the library use paths of artifacts', () => {
  assert.deepEqual(pathsInTheCore(typescript(allSources())), [])
})

test('a path of an artifact in the core is reported', () => {
  const text = 'readFile(artifacts.pathOf(digest))'
  const paths = ['control-plane/tasks/sweep.ts', 'control-plane/features/machines/tasks/tasks.service.ts', 'control-plane/store/s3/x.ts']
  assert.deepEqual(pathsInTheCore([...paths, 'control-plane/features/voices/x.ts'].map((path) => ({ path, text }))), paths)
})
