// Whisper with the names, shapes and metadata that the speech library expects and planted outputs: a low pitch is German `la`, a high pitch
// is French `li`.
import { model } from '#test/support/models/onnx-graph.ts'

/** In the order of their ids; `tokens.txt` has the words alone, in base 64. */
const TOKENS = ['la', 'li', 'end', 'start', 'de', 'fr', 'translate', 'transcribe', 'no speech', 'no timestamps', '0.00'] as const
const idOf = (token: (typeof TOKENS)[number]) => TOKENS.indexOf(token)
export const whisperTokens = TOKENS.slice(0, 2)
  .map((word, id) => `${Buffer.from(word).toString('base64')} ${id}\n`)
  .join('')

const STATE = 2
const METADATA = {
  model_type: 'whisper-planted',
  n_mels: 80,
  n_text_layer: 1,
  n_text_ctx: 448,
  n_text_state: STATE,
  n_vocab: TOKENS.length,
  sot: idOf('start'),
  sot_index: 0,
  sot_sequence: [idOf('start'), idOf('de'), idOf('transcribe')],
  eot: idOf('end'),
  blank_id: 0,
  translate: idOf('translate'),
  transcribe: idOf('transcribe'),
  no_speech: idOf('no speech'),
  no_timestamps: idOf('no timestamps'),
  is_multilingual: 1,
  all_language_tokens: [idOf('de'), idOf('fr')],
  all_language_codes: ['de', 'fr'],
}

/** Returns the loudness of the low and the high bands on the whole, as what the decoder attends to. */
export const whisperEncoder = (told: Partial<Record<keyof typeof METADATA, unknown>> = {}): Uint8Array =>
  model({
    inputs: [{ name: 'mel', type: 'float32', dims: ['N', 80, 'T'] }],
    outputs: ['n_layer_cross_k', 'n_layer_cross_v'].map((name) => ({ name, type: 'float32' as const, dims: [1, 'N', 1, STATE] })),
    nodes: [
      { op: 'ReduceMean', inputs: ['mel'], outputs: ['bands'], attributes: { axes: [2n], keepdims: 0 } },
      { op: 'MatMul', inputs: ['bands', 'halves'], outputs: ['levels'] },
      { op: 'Reshape', inputs: ['levels', 'shape'], outputs: ['n_layer_cross_k'] },
      { op: 'Identity', inputs: ['n_layer_cross_k'], outputs: ['n_layer_cross_v'] },
    ],
    initializers: [
      {
        name: 'halves',
        type: 'float32',
        dims: [80, STATE],
        values: Array.from({ length: 80 }, (_, band) => [band < 20 ? 1 : 0, band >= 60 ? 1 : 0]).flat(),
      },
      { name: 'shape', type: 'int64', dims: [4], values: [1, -1, 1, STATE] },
    ],
    metadata: Object.fromEntries(Object.entries({ ...METADATA, ...told }).map(([key, value]) => [key, String(value)])),
  })

/** Returns the token after a token: after the beginning a word, after a word the end. Which language and which word, the levels tell. */
export const whisperDecoder = (state = STATE): Uint8Array => {
  const cache = (name: string) => ({ name, type: 'float32' as const, dims: [1, 'N', 448, state] })
  const attended = ['n_layer_cross_k', 'n_layer_cross_v'].map((name) => ({ name, type: 'float32' as const, dims: [1, 'N', 'T', state] }))
  const follows = TOKENS.map((token) => TOKENS.map((next) => (isNext(token, next) ? 10_000 : 0)))
  const heard = ['la', 'de'] as const
  const weights = [heard, ['li', 'fr'] as const].map((level) =>
    TOKENS.map((token) => ((level as readonly string[]).includes(token) ? 1 : 0)),
  )
  return model({
    inputs: [
      { name: 'tokens', type: 'int64', dims: ['N', 'n'] },
      cache('in_n_layer_self_k_cache'),
      cache('in_n_layer_self_v_cache'),
      ...attended,
      { name: 'offset', type: 'int64', dims: [1] },
    ],
    outputs: [
      { name: 'logits', type: 'float32', dims: ['N', 'n', TOKENS.length] },
      cache('out_n_layer_self_k_cache'),
      cache('out_n_layer_self_v_cache'),
    ],
    nodes: [
      { op: 'ReduceMean', inputs: ['n_layer_cross_k'], outputs: ['levels'], attributes: { axes: [0n, 2n], keepdims: 0 } },
      { op: 'Unsqueeze', inputs: ['levels', 'one'], outputs: ['each'] },
      { op: 'MatMul', inputs: ['each', 'weights'], outputs: ['voiced'] },
      { op: 'Gather', inputs: ['follows', 'tokens'], outputs: ['next'] },
      { op: 'Add', inputs: ['next', 'voiced'], outputs: ['logits'] },
      { op: 'Identity', inputs: ['in_n_layer_self_k_cache'], outputs: ['out_n_layer_self_k_cache'] },
      { op: 'Identity', inputs: ['in_n_layer_self_v_cache'], outputs: ['out_n_layer_self_v_cache'] },
    ],
    initializers: [
      { name: 'one', type: 'int64', dims: [1], values: [1] },
      { name: 'weights', type: 'float32', dims: [STATE, TOKENS.length], values: weights.flat() },
      { name: 'follows', type: 'float32', dims: [TOKENS.length, TOKENS.length], values: follows.flat() },
    ],
  })
}

function isNext(token: string, next: string): boolean {
  if (token === 'la' || token === 'li') return next === 'end'
  return ['transcribe', 'no timestamps', '0.00'].includes(token) && (next === 'la' || next === 'li')
}

/** Files as a download leaves them. */
export const plantedWhisper = () => ({
  'tiny-encoder.int8.onnx': whisperEncoder(),
  'tiny-decoder.int8.onnx': whisperDecoder(),
  'tiny-tokens.txt': Buffer.from(whisperTokens),
})
