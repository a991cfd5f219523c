// Maps downloaded files to the parts of OmniVoice, and finds the repository of its backbone. Exports differ in names and folders.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FilesOf } from '#agent/models/manifest.ts'
import type { CodecFiles } from './codec.ts'
import type { BackboneFiles } from './loop/backbone.ts'

export type ModelVariant = {
  readonly model: string
  readonly backbone: BackboneFiles
  readonly codec: CodecFiles
  readonly tokenizer: string
  /** Repository of the backbone; null when the model has no manifest. */
  readonly repo: string | null
  /** SHA-256 over all files; '' when the model has no manifest. */
  readonly digest: string
  readonly bytes: number
}

/**
 * Best first; a variant that does not open on this machine is skipped. bf16 sounds like fp32 and needs less time and memory, but opens only
 * on CUDA; int4 is slower than both there. bf16 is not pinned by digest, which matters for the download, not for the choice.
 */
export const OMNIVOICE_MODELS = ['', 'omnivoice-bf16', 'omnivoice-fp32', 'omnivoice-int4'] as const
export const FULL_PRECISION = 'omnivoice-fp32'
const WHOLE_GRAPHS = ['omnivoice_backbone.onnx', 'omnivoice_step.onnx', 'omnivoice.onnx']
/** The decoder between embeddings and heads. Its external weights are next to it, under the name in the graph. */
const DECODER_GRAPHS = ['llm_decoder.onnx', 'llm_backbone_fp32.onnx']

export const installedVariants = (engine: string, filesOf: FilesOf): ModelVariant[] =>
  OMNIVOICE_MODELS.flatMap((model) => {
    const files = filesOf(engine, model)
    const variant = files && toVariant(model, files)
    return variant ? [variant] : []
  })

function toVariant(model: string, files: ReadonlyMap<string, string>): ModelVariant | null {
  const findNamed = (...names: readonly string[]) =>
    [...files.keys()].find((path) => names.includes(path.split('/').at(-1)!) && !path.split('/').includes('fp16'))
  const whole = findNamed(...WHOLE_GRAPHS)
  const [embed, decode, heads] = [
    findNamed('audio_embeddings_encoder.onnx'),
    findNamed(...DECODER_GRAPHS),
    findNamed('audio_heads_decoder.onnx'),
  ]
  const [decoder, tokenizer] = [findNamed('higgs_decoder.onnx'), findNamed('tokenizer.json')]
  const [acoustic, semantic, quantizer] = [
    findNamed('acoustic_encoder.onnx'),
    findNamed('semantic_encoder.onnx'),
    findNamed('quantizer_encoder.onnx'),
  ]
  const at = (name: string) => files.get(name)!
  const backbone = whole
    ? { whole: at(whole) }
    : embed && decode && heads
      ? { embed: at(embed), decode: at(decode), heads: at(heads) }
      : null
  if (!backbone || !decoder || !tokenizer) return null
  const encoder = acoustic && semantic && quantizer ? { acoustic: at(acoustic), semantic: at(semantic), quantizer: at(quantizer) } : null
  const { repos, digest } = readSources(files)
  return {
    model,
    backbone,
    codec: { decoder: at(decoder), encoder },
    tokenizer: at(tokenizer),
    repo: repos.get((whole ?? decode)!) ?? null,
    digest,
    bytes: [...files.values()].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0),
  }
}

/** Reads the sources of the files from the manifest in the model folder. The download has verified the manifest. */
function readSources(files: ReadonlyMap<string, string>): { repos: ReadonlyMap<string, string>; digest: string } {
  const nothing = { repos: new Map<string, string>(), digest: '' }
  const first = [...files][0]
  if (!first?.[1].endsWith(first[0])) return nothing
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(first[1].slice(0, -first[0].length), 'manifest.json'), 'utf8'))
    const { files: listed, digest } = manifest as { files?: { path?: unknown; repo?: unknown }[]; digest?: unknown }
    const repos = new Map(
      (listed ?? []).flatMap(({ path, repo }) => (typeof path === 'string' && typeof repo === 'string' ? [[path, repo]] : [])),
    )
    return { repos, digest: typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest) ? digest : '' }
  } catch {
    return nothing
  }
}
