// Portraits with the ffmpeg of this machine: what comes out, and pictures that were made to harm.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createPortraits } from '#control-plane/features/voices/profiles/files/portrait.ts'
import { isPlainJpeg, readPictureHeader } from '#control-plane/media/picture/picture-header.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const ffmpeg = findProgram('ffmpeg', process.env['PATH'] ?? '')
const skip = ffmpeg === null ? 'ffmpeg is not on this machine; ./studio setup installs it' : false
const folder = temporaryFolder({ after })
const { toJpeg } = createPortraits({ ffmpegPath: () => ffmpeg, clock })
const never = new AbortController().signal

function portraitOf(picture: Buffer, signal = never): Promise<Buffer> {
  const path = join(folder, 'picture')
  writeFileSync(path, picture)
  return toJpeg({ path, size: picture.length }, signal)
}
const pictures = new Map<string, Buffer>()
/** A picture of a test pattern, which is drawn once. */
function drawn(size: string, ...output: string[]): Buffer {
  const name = [size, ...output].join(' ')
  const known =
    pictures.get(name) ?? execFileSync(ffmpeg!, ['-v', 'error', '-f', 'lavfi', '-i', `testsrc=s=${size}:r=5:d=1`, ...output, 'pipe:1'])
  pictures.set(name, known)
  return known
}
const png = (size: string) => drawn(size, '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe')
const jpeg = (size: string) => drawn(size, '-frames:v', '1', '-c:v', 'mjpeg', '-f', 'image2pipe')

const PLACE = 'GPS 52.5200 13.4050'
/** An EXIF segment behind the start of a JPEG. */
function withPlace(picture: Buffer): Buffer {
  const exif = Buffer.from(`Exif\0\0MM\0*\0\0\0\b\0\0${PLACE}`)
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif])
  return Buffer.concat([picture.subarray(0, 2), segment, picture.subarray(2)])
}
const cutBefore = (picture: Buffer, marker: number) => picture.subarray(0, picture.indexOf(Buffer.from([0xff, marker])))
function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(png('16x16'))
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

test('a portrait is a JPEG of 512 x 512 pixels without the data of the camera', { skip }, async () => {
  for (const picture of [png('900x300'), png('20x40'), withPlace(jpeg('640x480')), withPlace(jpeg('512x512'))]) {
    const portrait = await portraitOf(picture)
    assert.deepEqual(readPictureHeader(portrait), { type: 'jpeg', width: 512, height: 512 })
    assert.ok(isPlainJpeg(portrait, 512) && !portrait.includes(PLACE) && !portrait.includes('Exif'))
  }
})

test('a portrait that was one already keeps its bytes', { skip }, async () => {
  const portrait = await portraitOf(png('300x200'))
  assert.ok((await portraitOf(portrait)).equals(portrait))
  for (const changed of [Buffer.concat([portrait, Buffer.from('PK\x03\x04 an archive')]), withPlace(portrait)]) {
    const again = await portraitOf(changed)
    assert.ok(isPlainJpeg(again, 512) && !again.includes('PK\x03\x04') && !again.includes(PLACE))
  }
})

test('pictures that were made to harm are refused, and a second picture in a file is not used', { skip }, async () => {
  const good = png('300x200')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
  for (const [name, picture, code] of [
    ['a header of 65,535 x 65,535', pngOf(65_535, 65_535), 'BODY_TOO_LARGE'],
    ['a header of 2^31 x 1', pngOf(2 ** 31, 1), 'BODY_TOO_LARGE'],
    ['a header without a width', pngOf(0, 100), 'MEDIA_TYPE_UNSUPPORTED'],
    ['a header of another size than the picture', pngOf(4_000, 3_999), 'INVALID_REQUEST'],
    ['half a header', good.subarray(0, 20), 'MEDIA_TYPE_UNSUPPORTED'],
    ['a drawing that reads files', Buffer.from(svg), 'MEDIA_TYPE_UNSUPPORTED'],
    ['a playlist', Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:1\nfile:///etc/passwd\n'), 'MEDIA_TYPE_UNSUPPORTED'],
    ['a JPEG that ends before its picture', cutBefore(jpeg('300x200'), 0xda), 'INVALID_REQUEST'],
    ['a JPEG that ends before its size', cutBefore(jpeg('300x200'), 0xc0), 'MEDIA_TYPE_UNSUPPORTED'],
    ['a page after the signature of a PNG', Buffer.concat([good.subarray(0, 33), Buffer.from('<script>'.repeat(40))]), 'INVALID_REQUEST'],
    ['nothing', Buffer.alloc(0), 'MEDIA_TYPE_UNSUPPORTED'],
    ['5 MB and more', Buffer.concat([good, Buffer.alloc(5 * 1024 ** 2)]), 'BODY_TOO_LARGE'],
  ] as const)
    await assert.rejects(portraitOf(picture), { code }, name)
  // The end of the picture hides an archive, which does not get through.
  const polyglot = await portraitOf(Buffer.concat([good, Buffer.from('PK\x03\x04 an archive')]))
  assert.ok(!polyglot.includes('PK\x03\x04'))
  // Half of the rows are there: a decoder may show them or refuse.
  const cut = await portraitOf(good.subarray(0, good.length >> 1)).catch(({ code }: { code: string }) => code)
  assert.ok(cut === 'INVALID_REQUEST' || isPlainJpeg(cut as Buffer, 512))
})

test('an animated WebP gives one picture or a clear refusal', { skip }, async (t) => {
  let animated: Buffer
  try {
    animated = drawn('300x200', '-c:v', 'libwebp_anim', '-f', 'webp')
  } catch {
    t.skip('this ffmpeg writes no WebP')
    return
  }
  assert.equal(readPictureHeader(animated)?.type, 'webp')
  const portrait = await portraitOf(animated).catch(({ code }: { code: string }) => code)
  assert.ok(portrait === 'INVALID_REQUEST' || isPlainJpeg(portrait as Buffer, 512), String(portrait))
})

test('the decoder ends when the caller leaves', { skip }, async () => {
  const leaving = new AbortController()
  const portrait = portraitOf(png('2000x2000'), leaving.signal)
  leaving.abort(new Error('the caller left'))
  await assert.rejects(portrait, /the caller left/)
})
