// Reads the three JSON files of MOSS-TTS-Nano: token ids and prompt templates, preset voices as codes, the names of the graphs and of their
// states.
// Assumptions from ort_cpu_runtime.py and onnx_tts_runtime.py of OpenMOSS/MOSS-TTS-Nano, to be verified with the files of
// OpenMOSS-Team/MOSS-TTS-Nano-100M-ONNX and MOSS-Audio-Tokenizer-Nano-ONNX: the field names below, all integers of the graphs are int32,
// caches start with zero and cached positions with -1.

import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { type ModelFiles, readModelJson, requireFile } from '#agent/engine/seam/model-files.ts'
import { Dims, isWithinLimit, MAX_STATES, type State, StateName } from '#agent/engine/speech/autoregressive/states.ts'
import { Failure } from '#shared/protocol/failure.ts'

export const MANIFEST_FILE = 'browser_poc_manifest.json'
export const SPEECH_FILE = 'tts_browser_onnx_meta.json'
export const CODEC_FILE = 'codec_browser_onnx_meta.json'
/** 80 ms each. */
const MAX_VOICE_FRAMES = 2_000
const MAX_VOICES = 256

const id = z
  .int()
  .min(0)
  .max(2 ** 20)
const Ids = z.array(id).max(4_096)
const count = z.int().min(1).max(4_096)
const FileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
const Names = z.array(StateName).max(MAX_STATES)

const Manifest = z.object({
  tts_config: z.object({
    n_vq: z.int().min(1).max(64),
    audio_pad_token_id: id,
    audio_start_token_id: id,
    audio_end_token_id: id,
    audio_user_slot_token_id: id,
    audio_assistant_slot_token_id: id,
  }),
  prompt_templates: z.object({
    user_prompt_prefix_token_ids: Ids,
    user_prompt_after_reference_token_ids: Ids,
    assistant_prompt_prefix_token_ids: Ids,
  }),
  generation_defaults: z.object({ max_new_frames: z.int().min(1).max(5_000) }),
  builtin_voices: z
    .array(
      z.object({
        voice: z.string().min(1).max(100),
        display_name: z.string().max(200).optional(),
        prompt_audio_codes: z.array(z.array(id).min(1).max(64)).min(1).max(MAX_VOICE_FRAMES),
      }),
    )
    .max(MAX_VOICES),
})
const Speech = z.object({
  files: z.object({ prefill: FileName, decode_step: FileName, local_fixed_sampled_frame: FileName }),
  model_config: z.object({
    audio_codebook_sizes: z.array(z.int().min(1).max(65_536)).min(1).max(64),
    hidden_size: z.int().min(1).max(65_536),
  }),
  onnx: z.object({ prefill_output_names: Names, decode_input_names: Names, decode_output_names: Names }),
})
const Codec = z.object({
  files: z.object({ encode: FileName, decode_step: FileName }),
  codec_config: z.object({ sample_rate: z.int().min(8_000).max(192_000), channels: z.int().min(1).max(8), num_quantizers: count }),
  streaming_decode: z.object({
    transformer_offsets: z.array(z.object({ input_name: StateName, output_name: StateName, shape: Dims })).max(MAX_STATES),
    attention_caches: z
      .array(
        z.object({
          offset_input_name: StateName,
          offset_output_name: StateName,
          offset_shape: Dims,
          cached_keys_input_name: StateName,
          cached_keys_output_name: StateName,
          cached_values_input_name: StateName,
          cached_values_output_name: StateName,
          cache_shape: Dims,
          cached_positions_input_name: StateName,
          cached_positions_output_name: StateName,
          positions_shape: Dims,
        }),
      )
      .max(MAX_STATES),
  }),
})

/** The codes of a voice, one row per frame. */
export type AudioCodes = readonly (readonly number[])[]
export type MossPlan = {
  readonly books: number
  readonly classes: number
  readonly hidden: number
  readonly padId: number
  readonly audioStartId: number
  readonly audioEndId: number
  readonly userSlotId: number
  readonly assistantSlotId: number
  readonly prefixIds: readonly number[]
  readonly afterReferenceIds: readonly number[]
  readonly assistantIds: readonly number[]
  readonly mostFrames: number
  readonly voices: ReadonlyMap<string, AudioCodes>
  /** past_* -> present_* of the second graph; the first graph has the same outputs. */
  readonly pasts: readonly { readonly input: string; readonly output: string }[]
  readonly rate: number
  readonly channels: number
  readonly codecStates: readonly State[]
  readonly files: Readonly<Record<'prefill' | 'step' | 'frame' | 'encode' | 'decode', string>>
}

const invalidFile = (name: string, what: string) =>
  new Failure('MODEL_NOT_DOWNLOADED', `The file ${name} is not valid (${what}). Download the model again.`)

export async function readPlan(files: ModelFiles, engine: string): Promise<MossPlan> {
  const read = <S extends z.ZodType>(name: string, schema: S) => readModelJson(requireFile(files, engine, name), name, schema)
  const { tts_config: ids, prompt_templates: prompt, generation_defaults, builtin_voices } = await read(MANIFEST_FILE, Manifest)
  const speech = await read(SPEECH_FILE, Speech)
  const codec = await read(CODEC_FILE, Codec)
  const classes = speech.model_config.audio_codebook_sizes[0]!
  if (codec.codec_config.num_quantizers !== ids.n_vq) throw invalidFile(CODEC_FILE, 'num_quantizers is not n_vq')
  for (const { voice, prompt_audio_codes } of builtin_voices) {
    const isRight = prompt_audio_codes.every((row) => row.length <= ids.n_vq && row.every((code) => code < classes))
    if (!isRight) throw invalidFile(MANIFEST_FILE, `builtin_voices: ${voice} has codes that do not exist`)
  }
  const codecStates = statesOf(codec.streaming_decode)
  if (!isWithinLimit(codecStates)) throw invalidFile(CODEC_FILE, 'streaming_decode: too large')
  return {
    books: ids.n_vq,
    classes,
    hidden: speech.model_config.hidden_size,
    padId: ids.audio_pad_token_id,
    audioStartId: ids.audio_start_token_id,
    audioEndId: ids.audio_end_token_id,
    userSlotId: ids.audio_user_slot_token_id,
    assistantSlotId: ids.audio_assistant_slot_token_id,
    prefixIds: prompt.user_prompt_prefix_token_ids,
    afterReferenceIds: prompt.user_prompt_after_reference_token_ids,
    assistantIds: prompt.assistant_prompt_prefix_token_ids,
    mostFrames: generation_defaults.max_new_frames,
    voices: new Map(builtin_voices.map(({ voice, prompt_audio_codes }) => [voice, prompt_audio_codes])),
    pasts: pastsOf(speech.onnx),
    rate: codec.codec_config.sample_rate,
    channels: codec.codec_config.channels,
    codecStates,
    files: {
      prefill: speech.files.prefill,
      step: speech.files.decode_step,
      frame: speech.files.local_fixed_sampled_frame,
      encode: codec.files.encode,
      decode: codec.files.decode_step,
    },
  }
}

/** The first names are the ids, their length and the hidden row; the caches that follow must be the same in all graphs. */
function pastsOf({ prefill_output_names, decode_input_names, decode_output_names }: z.output<typeof Speech>['onnx']) {
  const presents = decode_output_names.slice(1)
  const pasts = presents.map((output) => ({ input: output.replace('present_', 'past_'), output }))
  const isSame = (left: readonly string[], right: readonly string[]) =>
    left.length === right.length && left.every((name) => right.includes(name))
  const fits =
    isSame(
      pasts.map(({ input }) => input),
      decode_input_names.slice(2),
    ) && isSame(presents, prefill_output_names.slice(1))
  if (!fits) throw invalidFile(SPEECH_FILE, 'onnx: the caches that are given are not those that are taken')
  return pasts
}

const statesOf = ({ transformer_offsets, attention_caches }: z.output<typeof Codec>['streaming_decode']): State[] => [
  ...transformer_offsets.map(({ input_name, output_name, shape }) => whole(input_name, output_name, shape, 0)),
  ...attention_caches.flatMap((cache): State[] => [
    whole(cache.offset_input_name, cache.offset_output_name, cache.offset_shape, 0),
    real(cache.cached_keys_input_name, cache.cached_keys_output_name, cache.cache_shape),
    real(cache.cached_values_input_name, cache.cached_values_output_name, cache.cache_shape),
    whole(cache.cached_positions_input_name, cache.cached_positions_output_name, cache.positions_shape, -1),
  ]),
]
// A cache grows during use, even if its initial size is zero.
const whole = (input: string, output: string, dims: readonly number[], fill: number): State => ({
  input,
  output,
  type: 'int32',
  dims,
  fill,
  isDynamic: true,
})
const real = (input: string, output: string, dims: readonly number[]): State => ({
  input,
  output,
  type: 'float32',
  dims,
  fill: 0,
  isDynamic: true,
})

const Voices = z.object({
  builtin_voices: z.array(z.object({ voice: z.string().min(1).max(100), display_name: z.string().max(200).optional() })).max(MAX_VOICES),
})
const MAX_MANIFEST_BYTES = 32 * 1024 ** 2
let read: { readonly stamp: string; readonly voices: readonly { id: string; name: string }[] } = { stamp: '', voices: [] }

/** The preset voices; none if the file cannot be read. Called often, so the file is read once per version. */
export function voiceNames(path: string): readonly { id: string; name: string }[] {
  try {
    const { size, mtimeMs } = statSync(path)
    const stamp = `${path} ${size} ${mtimeMs}`
    if (read.stamp === stamp) return read.voices
    if (size > MAX_MANIFEST_BYTES) return []
    const { builtin_voices } = Voices.parse(JSON.parse(readFileSync(path, 'utf8')))
    read = { stamp, voices: builtin_voices.map(({ voice, display_name }) => ({ id: voice, name: display_name ?? voice })) }
    return read.voices
  } catch {
    return []
  }
}
