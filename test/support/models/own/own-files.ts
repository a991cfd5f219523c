// Files of models as other programs have them: small generated networks with the names, types and ranks of the real ones. `addition` puts them where
// the studio puts what a person adds.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADDITION, ADDITION_LIST } from '#shared/models/own.ts'
import { type GraphText, model, type ValueShape } from '../onnx-graph.ts'
import { piperFiles } from '../piper-model.ts'
import { styledGraph, voiceTable } from '../styled-model.ts'
import { supertonicFiles } from '../supertonic-model.ts'
import { npy, zip } from './npz.ts'

export type Contents = Readonly<Record<string, Uint8Array | string>>

/** `root`: folder of the models. Returns the name of the addition. */
export function addition(root: string, contents: Contents, hex = 'a'.repeat(32)): string {
  const place = join(root, `${ADDITION}${hex}`)
  mkdirSync(place)
  for (const [at, bytes] of Object.values(contents).entries()) writeFileSync(join(place, String(at)), bytes)
  writeFileSync(join(place, ADDITION_LIST), JSON.stringify(Object.keys(contents)))
  return hex
}

const TABLE = new Uint8Array(voiceTable(510).buffer)
export const PIPER_FILES: Contents = piperFiles('en_US-someone-medium')
/** Files of onnx-community. */
export const KOKORO_FILES: Contents = {
  'onnx/model_quantized.onnx': styledGraph(),
  'tokenizer.json': JSON.stringify({ model: { vocab: { $: 0, a: 7, ' ': 8 } } }),
  'voices/af_heart.bin': TABLE,
  'voices/bf_emma.bin': TABLE,
  'README.md': '# Kokoro',
}
const voices = npy(510, 256, voiceTable(510))
/** Files of the project kokoro-onnx. */
export const KOKORO_ONNX_FILES: Contents = {
  'kokoro-v1.0.onnx': styledGraph({ idsName: 'tokens', speedType: 'int32' }),
  'voices-v1.0.bin': zip({ 'af_heart.npy': voices, 'jf_alpha.npy': voices }),
}
export const KITTEN_FILES: Contents = {
  'kitten_tts.onnx': styledGraph(),
  'voices.npz': zip({ 'expr-voice-5-m.npy': npy(12, 256, voiceTable(12)) }),
  'config.json': JSON.stringify({ model_file: 'kitten_tts.onnx', voices: 'voices.npz', voice_aliases: { Leo: 'expr-voice-5-m' } }),
}
export const SUPERTONIC_FILES: Contents = supertonicFiles()

const shape = (name: string, type: ValueShape['type'] = 'float32'): ValueShape => ({ name, type, dims: ['n', 'm'] })
/** A graph that only has these names: it is recognised, and computes nothing of use. */
export const graphOf = (inputs: readonly string[], outputs: readonly string[], more: Partial<GraphText> = {}): Uint8Array =>
  model({
    inputs: inputs.map((name) => shape(name)),
    outputs: outputs.map((name) => shape(name)),
    nodes: outputs.map((name) => ({ op: 'Identity', inputs: [inputs[0]!], outputs: [name] })),
    ...more,
  })
export const SHERPA_FILES: Readonly<Record<string, Contents>> = {
  'offline-transducer': {
    'encoder.int8.onnx': graphOf(['audio_signal', 'length'], ['outputs', 'encoded_lengths']),
    'decoder.int8.onnx': graphOf(['targets', 'target_length', 'states.1'], ['outputs']),
    'joiner.int8.onnx': graphOf(['encoder_outputs', 'decoder_outputs'], ['outputs']),
    'tokens.txt': 'a 0\n',
  },
  'online-transducer': {
    'encoder-epoch-99-avg-1.onnx': graphOf(['x', 'cached_len_0', 'cached_key_0'], ['encoder_out', 'new_cached_len_0']),
    'encoder-epoch-99-avg-1.int8.onnx': graphOf(['x', 'cached_len_0', 'cached_key_0'], ['encoder_out', 'new_cached_len_0']),
    'decoder-epoch-99-avg-1.onnx': graphOf(['y'], ['decoder_out']),
    'decoder-epoch-99-avg-1.int8.onnx': graphOf(['y'], ['decoder_out']),
    'joiner-epoch-99-avg-1.onnx': graphOf(['encoder_out', 'decoder_out'], ['logit']),
    'tokens.txt': 'a 0\n',
  },
  'online-paraformer': {
    'encoder.int8.onnx': graphOf(['speech', 'speech_lengths'], ['enc', 'enc_len', 'alphas']),
    'decoder.int8.onnx': graphOf(['enc', 'enc_len', 'acoustic_embeds', 'in_cache_0'], ['logits']),
    'tokens.txt': 'a 0\n',
  },
  'offline-whisper': {
    'tiny-encoder.int8.onnx': graphOf(['mel'], ['n_layer_cross_k', 'n_layer_cross_v']),
    'tiny-decoder.int8.onnx': graphOf(['tokens', 'in_n_layer_self_k_cache', 'offset'], ['logits']),
    'tiny-tokens.txt': 'a 0\n',
  },
}
