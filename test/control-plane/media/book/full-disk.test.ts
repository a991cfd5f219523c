// Disks that are full at each write of the join: of the tags, of ffmpeg's file and in the middle of it. Nothing stays, and the failure says why.
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { bookStage, ffmpeg, largePicture, METADATA, never, options, repeated, talk } from './stage.ts'

const stage = bookStage()
const { book, withoutPrograms, at } = stage
const skip = !ffmpeg ? 'ffmpeg is not on PATH' : !mayMount && 'mounting is not permitted'
const MEBIBYTE = 1024 * 1024

test('a disk that is full at a write of the join is STORAGE_FULL and keeps no file', { skip }, async (t) => {
  const aac = await book.encodeChapter(talk(0.4), options(at('a.aac')), never)
  const mp3 = await withoutPrograms.encodeChapter(talk(0.4), options(at('a.mp3'), { codec: 'mp3' }), never)
  const path = at('large.png')
  writeFileSync(path, largePicture())
  const cover = { path, type: 'png' as const }
  const cases = [
    ['less than the book', 'size=512k', 'm4b'],
    ['no file for the tags', 'size=16m,nr_inodes=1', 'm4b'],
    ['no file for the book', 'size=16m,nr_inodes=2', 'm4b'],
    ['full in the middle of the book', `size=${2 * MEBIBYTE}`, 'm4b'],
    ['no file for an MP3', 'size=16m,nr_inodes=1', 'mp3'],
    ['full in the middle of an MP3', 'size=1m', 'mp3'],
  ] as const
  for (const [name, disk, format] of cases) {
    const folder = smallDisk(t, disk)
    const chapters = repeated(format === 'm4b' ? aac : mp3, 3)
    await assert.rejects(
      book.join(chapters, METADATA, cover, { format, to: `${folder}/book.${format}` }, never),
      (error: { code?: string; message: string }) => error.code === 'STORAGE_FULL' && /disk of the studio/.test(error.message),
      name,
    )
    assert.deepEqual(readdirSync(folder), [], name)
  }
  const roomy = smallDisk(t, 'size=16m')
  const joined = await book.join(repeated(aac, 3), METADATA, cover, { format: 'm4b', to: `${roomy}/book.m4b` }, never)
  assert.ok(joined.bytes > 3_000_000)
})
