// Data that an engine carries for `./studio models verify`: figures of its reference implementation. The figures are facts with a source;
// `agent/engine/verify/` compares them with the installed files and with what the engine computes from them.

import type { GraphContract } from '#agent/engine/runtimes/onnx/session.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import type { OperationId } from '#shared/operations/table.ts'
import type { ModelFiles } from './model-files.ts'

/** Speech engines speak it, and recognisers recognise it. */
export const SENTENCE = 'The quick brown fox jumps over the lazy dog.'

/**
 * A recording that the embedded voice speaks: one sentence; two sentences between pauses; one sentence in noise with a pause before it; two
 * speakers in turn.
 */
export type ClipId = 'sentence' | 'pauses' | 'noise' | 'two speakers'

/** Requirement for the result of a run. */
export type Expectation =
  /** Audible sound of this length. `rate` in Hz. */
  | { readonly of: 'speech'; readonly seconds: readonly [number, number]; readonly rate: number }
  /** At least this share of the words, in any order. `timed`: each word has its own time, in order and within the recording. */
  | { readonly of: 'words'; readonly words: string; readonly share: number; readonly timed?: boolean }
  /** One segment for each sentence of the clip, with borders within this many seconds. */
  | { readonly of: 'sentences'; readonly within: number }
  /** The noise before the speech drops by at least `noiseDb`; the speech itself changes by at most `speechDb`. */
  | { readonly of: 'less noise'; readonly noiseDb: number; readonly speechDb: number }
  /** Two parts as long as the recording; the voice is louder in the first one by at least `voiceDb`. */
  | { readonly of: 'separation'; readonly voiceDb: number }
  | { readonly of: 'speakers'; readonly count: number }
  | { readonly of: 'language'; readonly code: string }
  /** Any valid result, where none can be predicted. */
  | { readonly of: 'result' }

export type VectorContext = { readonly files: ModelFiles; readonly signal: AbortSignal }
export type Check =
  /** A computed value, such as token ids, against the text of the expected one. */
  | {
      readonly kind: 'value'
      readonly title: string
      readonly expected: string
      readonly find: (context: VectorContext) => string | Promise<string>
    }
  /** Names, types and shapes of a graph. `file`: name without folder. A file that the model lacks is skipped if `isOptional`. */
  | { readonly kind: 'graph'; readonly file: string; readonly contract: GraphContract; readonly isOptional?: boolean }
  | {
      readonly kind: 'run'
      readonly title: string
      readonly operation: Exclude<OperationId, 'verify' | 'probe'>
      readonly params: object
      /** Sent as the input `audio`, to an engine that speaks as `reference`. */
      readonly clip?: ClipId
      readonly expect: Expectation
    }

export type Verification = {
  /** The implementation that the engine follows, with its version or commit. */
  readonly reference: string
  /** Packages whose versions belong into the report. */
  readonly packages: readonly string[]
  /** Finds the files of `model` if the engine does not store them under that name. Null: not downloaded. */
  readonly filesOf?: (filesOf: FilesOf, model: string) => ModelFiles | null
  /** Weights that come with the packages of the agent: name -> path. Null when a package is missing. */
  readonly packagedFiles?: () => ModelFiles | null
  /** `files`: those of the model, or for '' those of the model that was found. */
  readonly checks: (model: string, files: ModelFiles) => readonly Check[]
}

/** One sentence of ordinary length, at the rate of the engine in Hz. */
export const speaks = (rate: number, language = 'en', text = SENTENCE): Check => ({
  kind: 'run',
  title: `speaks a sentence (${language})`,
  operation: 'tts',
  params: { segments: [{ text, seed: 1 }], language },
  expect: { of: 'speech', seconds: [1.2, 8], rate },
})
/** The same with the voice of a recording. */
export const clones = (rate: number, language = 'en', text = SENTENCE): Check => ({
  ...(speaks(rate, language, text) as Extract<Check, { kind: 'run' }>),
  title: `speaks a sentence in the voice of a recording (${language})`,
  clip: 'sentence',
})
/** The words of the sentence, or this share of them, because the recording is of a simple synthetic voice. */
export const recognises = (more: object = {}, timed = false, share = 0.6): Check => ({
  kind: 'run',
  title: `recognises a sentence${timed ? ' with the times of its words' : ''}`,
  operation: 'asr',
  params: { language: 'en', ...more },
  clip: 'sentence',
  expect: { of: 'words', words: SENTENCE, share, timed },
})
export const SEPARATES: Check = {
  kind: 'run',
  title: 'separates a voice from noise',
  operation: 'separate',
  params: {},
  clip: 'noise',
  expect: { of: 'separation', voiceDb: 6 },
}
/** Numbers of a value, such as token ids. */
export const numbersOf = (numbers: ArrayLike<number>): string => Array.from(numbers).join(' ')
