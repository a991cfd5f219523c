import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { libraryMessage, withoutFolders } from '#agent/engine/runtimes/without-folders.ts'

test('the folders of files leave a message, whichever separators the library writes', () => {
  const files = [join('/data/models', 'whisper', 'config.json'), join('/data/models', 'whisper', 'onnx', 'encoder.onnx')]
  assert.equal(withoutFolders(`Load model from ${files[1]} failed`, files), 'Load model from encoder.onnx failed')
  assert.equal(
    withoutFolders('Load model from \\data\\models\\whisper/onnx/encoder.onnx failed', files),
    'Load model from encoder.onnx failed',
  )
  assert.equal(withoutFolders('Load model from /data/models/whisper/onnx/other.onnx failed', files), 'Load model from other.onnx failed')
  assert.equal(withoutFolders('nothing in /data/models/whisper.', files), 'nothing in whisper.')
  assert.equal(withoutFolders('no path at all', files), 'no path at all')
  assert.equal(withoutFolders('and/or', ['encoder.onnx', '/encoder.onnx']), 'and/or', 'a file without a folder removes nothing')
})

test('a message of a library is one line of limited length, cut after its folders are gone', () => {
  const file = join('/', 'x'.repeat(250), 'encoder.onnx')
  assert.equal(libraryMessage(new Error(`bad ${file}\nat 0x00`), [file], 20), 'bad encoder.onnx')
  assert.equal(libraryMessage(7, [], 20), '7')
  assert.equal(libraryMessage(new Error('y'.repeat(10_000)), [], 20).length, 20)
})
