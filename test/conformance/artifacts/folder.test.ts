// The folder as a store of artifacts, against the suite that every body has to pass.
import assert from 'node:assert/strict'
import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createFolderArtifacts } from '#control-plane/store/files/folder-artifacts.ts'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { type ArtifactsUnderTest, artifactsSuite, refusingSuite, sha256 } from './suite.ts'

function opened(folder: string): ArtifactsUnderTest {
  const artifacts = createFolderArtifacts(folder)
  return {
    artifacts,
    folder,
    keptAt: async (digest, at) => utimesSync(artifacts.pathOf(digest), at / 1000, at / 1000),
    names: async () => readdirSync(join(folder, 'artifacts')),
  }
}

artifactsSuite('folder', async (t) => opened(temporaryFolder(t)))
refusingSuite(
  'full disk',
  async (t) => ({ ...opened(smallDisk(t, 'size=64k')), codes: ['ENOSPC'] }),
  mayMount ? false : 'mounting is not permitted here',
)

test('the files of artifacts are private', async (t) => {
  const folder = temporaryFolder(t)
  const artifacts = createFolderArtifacts(folder)
  await artifacts.keep(sha256('a'), { chunks: [Buffer.from('a')] })
  assert.equal(statSync(artifacts.pathOf(sha256('a'))).mode & 0o777, 0o600)
  assert.equal(statSync(join(folder, 'artifacts')).mode & 0o777, 0o700)
})
