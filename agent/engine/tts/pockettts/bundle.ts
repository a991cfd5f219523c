// Reads bundle.json of Pocket-TTS: sizes, text preparation, and the states of the two stateful networks.
// Assumptions from pocket_tts_onnx.py of KevinAHM/pocket-tts-onnx and from other programs that read the same bundle, to be verified with
// the files of the space KevinAHM/pocket-tts-web (folder onnx): the field names below, and that each state has the input `input_name` and
// the output `output_name`.

import { z } from 'zod'
import { readModelJson } from '#agent/engine/seam/model-files.ts'
import { Dims, isWithinLimit, MAX_STATES, type State, StateName } from '#agent/engine/speech/autoregressive/states.ts'
import { Failure } from '#shared/protocol/failure.ts'

export const BUNDLE_FILE = 'bundle.json'
const FILL: Readonly<Record<'nan' | 'zeros' | 'ones' | 'empty', number>> = { nan: Number.NaN, zeros: 0, ones: 1, empty: 0 }
const FileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
const StateEntry = z
  .object({
    input_name: StateName,
    output_name: StateName,
    module: z.string().max(200),
    key: z.string().max(100),
    shape: Dims,
    dtype: z.enum(['float32', 'int64', 'bool']),
    fill: z.enum(['nan', 'zeros', 'ones', 'empty']).default('zeros'),
  })
  .refine(({ dtype, fill }) => dtype === 'float32' || fill !== 'nan', 'only floats can be nan')
const size = z.int().min(1).max(65_536)
const Bundle = z.object({
  sample_rate: z.int().min(8_000).max(192_000),
  frame_rate: z.number().min(1).max(200),
  samples_per_frame: size,
  latent_dim: size,
  conditioning_dim: size,
  tokenizer_file: FileName.default('tokenizer.model'),
  max_token_per_chunk: z.int().min(4).max(1_000).default(50),
  pad_with_spaces_for_short_inputs: z.boolean().default(false),
  remove_semicolons: z.boolean().default(false),
  model_recommended_frames_after_eos: z.int().min(0).max(100).nullable().default(null),
  insert_bos_before_voice: z.boolean().default(false),
  bos_before_voice_file: FileName.nullable().default(null),
  flow_lm_state_manifest: z.array(StateEntry).max(MAX_STATES),
  mimi_state_manifest: z.array(StateEntry).max(MAX_STATES),
})

/** `module` and `key` identify the tensor of a stored voice for this state. */
export type VoiceState = State & { readonly module: string; readonly key: string }
export type Bundle = Omit<z.output<typeof Bundle>, 'flow_lm_state_manifest' | 'mimi_state_manifest'> & {
  readonly speechStates: readonly VoiceState[]
  readonly codecStates: readonly VoiceState[]
  /** Context positions: the voice, the text and the frames of one piece. */
  readonly capacity: number
}

export async function readBundle(path: string): Promise<Bundle> {
  const { flow_lm_state_manifest, mimi_state_manifest, ...rest } = await readModelJson(path, BUNDLE_FILE, Bundle)
  const [speechStates, codecStates] = [flow_lm_state_manifest.map(stateOf), mimi_state_manifest.map(stateOf)]
  if (!isWithinLimit([...speechStates, ...codecStates]))
    throw new Failure(
      'MODEL_NOT_DOWNLOADED',
      `${BUNDLE_FILE} is not what it should be (its states are too large); download the model again`,
    )
  const caches = speechStates.filter(({ key, dims }) => key === 'cache' && dims.length === 5).map(({ dims }) => dims[2]!)
  return { ...rest, speechStates, codecStates, capacity: Math.min(...caches, 100_000) }
}

const stateOf = ({ input_name, output_name, module, key, shape, dtype, fill }: z.output<typeof StateEntry>): VoiceState => ({
  input: input_name,
  output: output_name,
  module,
  key,
  type: dtype,
  dims: shape,
  fill: FILL[fill],
  // A state that is empty at first grows.
  isDynamic: shape.includes(0),
})
