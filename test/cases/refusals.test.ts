// Files that no entrance can use: each says so in a sentence of the studio, and none passes on the words of ffmpeg.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { corpus, folder, make, withPrograms } from '../control-plane/media/film/corpus.ts'
import { connect } from '../scenarios/dictation/live-client.ts'
import { preparedDub } from '../scenarios/dubbing/dub-client.ts'
import { connectMcp, textOf } from '../support/mcp/client.ts'
import { sharedWorld, type World } from '../support/world/world.ts'

const open = sharedWorld()
type Sent = { readonly path: string; readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }
/** Returns all that a person or a program can read about the file. */
type Entrance = (world: World, sent: Sent) => Promise<string>

const posted =
  (path: string, field: string, more: Readonly<Record<string, string>> = {}, sentAs?: string): Entrance =>
  async (world, { bytes, name }) => {
    const form = new FormData()
    for (const [key, value] of Object.entries(more)) form.set(key, value)
    form.set(field, new Blob([bytes]), sentAs ?? name)
    const reply = await world.post(path, form)
    const isText = reply.headers.get('content-type')?.includes('json')
    const said = `${isText ? reply.body : ''} ${decodeURIComponent(reply.headers.get('x-svc-notice') ?? '')}`
    assert.ok(reply.status < 500, `${path}: ${reply.status} ${said}`)
    return said
  }
let mcp: ReturnType<typeof connectMcp> | undefined
const endings: (() => unknown)[] = []
after(async () => {
  for (const end of endings) await end()
})
const ENTRANCES: Readonly<Record<string, Entrance>> = {
  transcription: posted('/v1/audio/transcriptions', 'file', { model: 'tone' }),
  translation: posted('/v1/audio/translations', 'file', { model: 'tone' }),
  'transcription of the studio': posted('/transcribe', 'audio'),
  'clean audio': posted('/clean-audio', 'audio'),
  'a voice': posted('/profiles', 'ref_audio', { name: 'Voice' }),
  'a clip of the gallery': posted('/gallery/upload', 'audio', { name: 'Clip' }),
  'the search for a mark': posted('/watermark/detect', 'file', {}, 'take.m4a'),
  'a preview': posted('/preview/upload', 'video'),
  'a story': posted('/stories/encode', 'file', { format: 'mp3' }),
  async 'a dub'(world, { path, name }) {
    const { events } = await preparedDub(world, path, name)
    return JSON.stringify(events)
  },
  async 'live dictation'(world, { bytes }) {
    const client = await connect(world, 'model=tone')
    await client.send(bytes)
    await client.send('EOF')
    await client.closed
    return JSON.stringify(client.received)
  },
  async 'an agent'(world, { bytes }) {
    mcp ??= connectMcp({ after: (end) => void endings.push(end) }, world)
    const { client } = await mcp
    const answer = await client.callTool({ name: 'transcribe', arguments: { audio_base64: Buffer.from(bytes).toString('base64') } })
    return textOf(answer as Parameters<typeof textOf>[0])
  },
  async 'facts about a file'(world, { path }) {
    const reply = await world.post('/tools/probe', { path })
    return reply.status === 200 ? '' : reply.json().detail
  },
}

const written = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const KEYS = ['-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb', '-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8']
async function encrypted(): Promise<string> {
  const path = join(folder, 'drm.mp4')
  await make(['-i', await corpus('plain.mp4'), '-c', 'copy', '-encryption_scheme', 'cenc-aes-ctr', ...KEYS, path])
  return path
}
/** One block of silence as DSD of 1 bit at 2.8 MHz. */
function dsdFile(): Uint8Array {
  const block = Buffer.alloc(4_096, 0x69)
  const header = Buffer.alloc(92)
  header.write('DSD ', 0, 'latin1')
  header.writeBigUInt64LE(28n, 4)
  header.writeBigUInt64LE(BigInt(header.length + block.length), 12)
  header.write('fmt ', 28, 'latin1')
  header.writeBigUInt64LE(52n, 32)
  // Version, DSD raw, mono, one channel, rate, bits.
  for (const [at, value] of [1, 0, 1, 1, 2_822_400, 1].entries()) header.writeUInt32LE(value, 40 + 4 * at)
  header.writeBigUInt64LE(32_768n, 64)
  header.writeUInt32LE(block.length, 72)
  header.write('data', 80, 'latin1')
  header.writeBigUInt64LE(BigInt(block.length + 12), 84)
  return Buffer.concat([header, block])
}
const FILES: Readonly<Record<string, () => Promise<string>>> = {
  'a film without sound': () => corpus('mute.mp4'),
  'a picture': () => corpus('cover.jpg'),
  'half a film': async () => written('half.mp4', readFileSync(await corpus('plain.mp4')).subarray(0, 9_000)),
  'an encrypted film': encrypted,
  'a text with another name': async () => written('text.mp3', 'This is no recording. '.repeat(500)),
  'a list of other files': async () =>
    written('list.m3u8', '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n'),
  'sound in a format that is not read': async () => written('sound.dsf', dsdFile()),
  'an ID3 tag alone': async () =>
    written('tag.mp3', Buffer.concat([Buffer.from('ID3\x04\x00\x00\x00\x00\x0f\x7f', 'latin1'), Buffer.alloc(2_047)])),
}
/** Words that ffmpeg and ffprobe write, and no person. */
const RAW =
  /@ 0x|trailing '|#\d:\d|Stream map|Invalid (?:data|argument)|Error (?:opening|while|splitting|reading)|Output file|codec parameters|moov atom|whitelist|Could not (?:find|write|open)|Conversion failed|No such file|Input\/output|misdetection/

for (const [kind, make] of Object.entries(FILES))
  test(`${kind} is refused in sentences everywhere`, withPrograms, async () => {
    const path = await make()
    const sent = { path, name: path.split('/').at(-1)!, bytes: new Uint8Array(readFileSync(path)) }
    for (const [name, ask] of Object.entries(ENTRANCES)) {
      const said = await ask(await open(), sent)
      assert.doesNotMatch(said, RAW, name)
      if (kind !== 'a list of other files') assert.doesNotMatch(said, /refers to other files/, name)
      if (kind === 'a film without sound' && name !== 'facts about a file') assert.match(said, /there is no sound in the file/i, name)
    }
  })
