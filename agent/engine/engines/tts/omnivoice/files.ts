// Which of the downloaded files is which part of OmniVoice, and where its backbone came from. The exports differ in names and folders.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BackboneFiles } from './backbone.ts'
import type { CodecFiles } from './codec.ts'

export type FilesOf = (engine: string, model: string) => ReadonlyMap<string, string> | null
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
 * The best first; which of them this machine can open is found by opening. bf16 sounds like fp32 and needs less time and memory where it opens,
 * which is on CUDA; int4 is slower than both there. That nobody pins bf16 counts when it is fetched, not once somebody wanted it.
 */
export const MODELS = ['', 'omnivoice-bf16', 'omnivoice-fp32', 'omnivoice-int4'] as const
export const FULL_PRECISION = 'omnivoice-fp32'
const WHOLE = ['omnivoice_backbone.onnx', 'omnivoice_step.onnx', 'omnivoice.onnx']
/** Between embeddings and heads. What weighs too much for a graph lies beside it, under the name that the graph itself gives. */
const DECODE = ['llm_decoder.onnx', 'llm_backbone_fp32.onnx']

export const installedVariants = (engine: string, filesOf: FilesOf): ModelVariant[] =>
  MODELS.flatMap((model) => {
    const files = filesOf(engine, model)
    const variant = files && toVariant(model, files)
    return variant ? [variant] : []
  })

function toVariant(model: string, files: ReadonlyMap<string, string>): ModelVariant | null {
  const named = (...names: readonly string[]) =>
    [...files.keys()].find((path) => names.includes(path.split('/').at(-1)!) && !path.split('/').includes('fp16'))
  const whole = named(...WHOLE)
  const [embed, decode, heads] = [named('audio_embeddings_encoder.onnx'), named(...DECODE), named('audio_heads_decoder.onnx')]
  const [decoder, tokenizer] = [named('higgs_decoder.onnx'), named('tokenizer.json')]
  const [acoustic, semantic, quantizer] = [named('acoustic_encoder.onnx'), named('semantic_encoder.onnx'), named('quantizer_encoder.onnx')]
  const at = (name: string) => files.get(name)!
  const backbone = whole
    ? { whole: at(whole) }
    : embed && decode && heads
      ? { embed: at(embed), decode: at(decode), heads: at(heads) }
      : null
  if (!backbone || !decoder || !tokenizer) return null
  const encoder = acoustic && semantic && quantizer ? { acoustic: at(acoustic), semantic: at(semantic), quantizer: at(quantizer) } : null
  const { repos, digest } = manifestOf(files)
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

/** The manifest lies in the folder that the names are relative to. Whoever downloads checks it; here it is only asked where things are from. */
function manifestOf(files: ReadonlyMap<string, string>): { repos: ReadonlyMap<string, string>; digest: string } {
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
