// Layouts of recognisers: Whisper as transformers.js has it, and the models of sherpa-onnx.
import { z } from 'zod'
import { SHERPA_ID, type SherpaKind } from '#agent/engine/runtimes/sherpa/models.ts'
import { isPlainPath } from '#shared/models/model.ts'
import { gives, lacks, type ModelLayout, type Planned, takes } from './layout.ts'
import { bare, type Offered } from './offered.ts'

/** Weights of more than 2 GB lie beside their graph, which names the file. */
const weightsOf = (files: readonly Offered[], folder: string): Planned[] =>
  files
    .filter((file) => /\.onnx[._]data$/i.test(file.name) && isPlainPath(bare(file)))
    .map((from) => ({ to: `${folder}/${bare(from)}`, from }))

const WHISPER_FILES = ['config.json', 'generation_config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json']
/** In order of preference; '' stands for every other ending. */
const PRECISIONS = [/model(?:_merged)?\.onnx$/i, /_(?:quantized|int8|uint8)\.onnx$/i, /_(?:q4|bnb4)\.onnx$/i, /\.onnx$/i]
const WhisperConfig = z.object({ model_type: z.literal('whisper') })
const takesFloats = ({ graph }: Offered, input: string) => graph?.inputs.find(({ name }) => name === input)?.type === 'float32'

const whisper: ModelLayout = {
  engine: 'faster-whisper',
  role: 'ASR',
  kind: 'Whisper',
  async find({ files, jsonOf }) {
    const encoders = files.filter((file) => takes(file, 'input_features') && gives(file, 'last_hidden_state'))
    const decoders = files.filter((file) => takes(file, 'input_ids', 'encoder_hidden_states'))
    if (encoders.length === 0 || decoders.length === 0) return null
    const config = files.find((file) => bare(file) === 'config.json')
    if (config && !WhisperConfig.safeParse(await jsonOf(config)).success) return null
    const usable = {
      encoders: encoders.filter((file) => takesFloats(file, 'input_features')),
      decoders: decoders.filter((file) => takes(file, 'past_key_values.0.decoder.key', 'use_cache_branch')),
    }
    if (usable.decoders.length === 0) return lacks('a decoder that keeps what it has computed (decoder_model_merged.onnx)')
    if (usable.encoders.length === 0) return lacks('a network that takes single precision (float32)')
    const pair = PRECISIONS.map((ending) => ({
      encoder: usable.encoders.find(({ name }) => ending.test(name)),
      decoder: usable.decoders.find(({ name }) => ending.test(name)),
    })).find(({ encoder, decoder }) => encoder && decoder)
    const others = WHISPER_FILES.map((to) => ({ to, from: files.find((file) => bare(file) === to) }))
    const missing = others.filter(({ from }) => !from).map(({ to }) => to)
    if (missing.length > 0) return lacks(missing.join(', '))
    const { encoder = usable.encoders[0]!, decoder = usable.decoders[0]! } = pair ?? {}
    return {
      named: 'whisper',
      files: [
        ...others.flatMap(({ to, from }) => (from ? [{ to, from }] : [])),
        { to: `onnx/${nameWith(encoder, 'encoder_model')}`, from: encoder },
        { to: `onnx/${nameWith(decoder, 'decoder_model_merged')}`, from: decoder },
        ...weightsOf(files, 'onnx'),
      ],
    }
  },
}
/** The engine finds a graph by a part of its name. */
const nameWith = (file: Offered, part: string): string =>
  bare(file).includes(part) && isPlainPath(bare(file)) ? bare(file) : `${part}.onnx`

type Part = 'encoder' | 'decoder' | 'joiner'
const SHERPA_PARTS: Readonly<Record<SherpaKind, Readonly<Partial<Record<Part, (file: Offered) => boolean>>>>> = {
  'offline-transducer': {
    encoder: (file) => takes(file, 'audio_signal', 'length'),
    decoder: (file) => takes(file, 'targets', 'target_length'),
    joiner: (file) => takes(file, 'encoder_outputs', 'decoder_outputs'),
  },
  'online-transducer': {
    encoder: (file) => takes(file, 'x') && !takes(file, 'x_lens') && (file.graph?.inputs.length ?? 0) > 2 && gives(file, 'encoder_out'),
    decoder: (file) => takes(file, 'y') && gives(file, 'decoder_out'),
    joiner: (file) => takes(file, 'encoder_out', 'decoder_out'),
  },
  'online-paraformer': {
    encoder: (file) => takes(file, 'speech', 'speech_lengths') && gives(file, 'enc', 'alphas'),
    decoder: (file) => takes(file, 'enc', 'acoustic_embeds', 'in_cache_0'),
  },
  'offline-whisper': {
    encoder: (file) => takes(file, 'mel') && gives(file, 'n_layer_cross_k'),
    decoder: (file) => takes(file, 'tokens', 'in_n_layer_self_k_cache'),
  },
}

/** The file that the engine prefers: small graphs, but a plain decoder of a transducer. */
function chosen(files: readonly Offered[], part: Part, kind: SherpaKind): Offered | undefined {
  const wantsPlain = part === 'decoder' && kind.endsWith('transducer')
  const isMeant = SHERPA_PARTS[kind][part]!
  const all = files.filter(isMeant)
  return all.find(({ name }) => /\.int8\.onnx$/i.test(name) !== wantsPlain) ?? all[0]
}

const sherpa = (kind: SherpaKind): ModelLayout => ({
  engine: SHERPA_ID,
  role: 'ASR',
  kind: 'sherpa-onnx',
  async find({ files }) {
    const parts = (Object.keys(SHERPA_PARTS[kind]) as Part[]).map((part) => ({ part, from: chosen(files, part, kind) }))
    if (!parts[0]!.from) return null
    const tokens = files.find(({ name }) => /tokens\.txt$/i.test(name))
    const missing = [...parts.filter(({ from }) => !from).map(({ part }) => `the ${part}`), ...(tokens ? [] : ['tokens.txt'])]
    if (missing.length > 0 || !tokens) return lacks(missing.join(', '))
    return {
      named: 'dictation',
      // The engine reads the kind from the folder.
      files: [
        ...parts.flatMap(({ part, from }) => (from ? [{ to: `${kind}/${part}.onnx`, from }] : [])),
        { to: `${kind}/tokens.txt`, from: tokens },
        ...weightsOf(files, kind),
      ],
    }
  },
})

export const RECOGNITION_LAYOUTS: readonly ModelLayout[] = [whisper, ...(Object.keys(SHERPA_PARTS) as SherpaKind[]).map(sherpa)]
