// English recognition and alignment without a download, with the installed pocketsphinx programs. It works well for clear read speech and
// returns no punctuation; other recognisers are preferred once their weights are installed.

import { readFile } from 'node:fs/promises'
import { ASR_SAMPLE_RATE, readRecording } from '#agent/engine/audio/recording.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { promptNotice } from '#agent/engine/seam/notices.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { AlignParams } from '#shared/operations/align.ts'
import { type AsrResult, TranscribeParams } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'
import { alignmentGrammar, createRecognitionParser, dictionaryWords, parseAlignment } from './output.ts'
import { ALIGNER, createMemoryFile, DICTIONARY, isPocketsphinxInstalled, memoryFilePath, programLines, RECOGNISER } from './program.ts'

const ID = 'pocketsphinx'
/** Measured, with the language model. */
const MEMORY_BYTES = 192 * 1024 ** 2
const MAX_ALIGNED_SECONDS = 120

/** `path`: search path of programs. */
function createPocketsphinx({ path = '' }: { path?: string }): EngineParts {
  let dictionary: Promise<ReadonlySet<string>> | null = null
  async function countUnknown(words: readonly string[]): Promise<number> {
    dictionary ??= readDictionary()
    const known = await dictionary
    return words.filter((word) => !known.has(word)).length
  }

  async function* recognise({ language, prompt, words }: TranscribeParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    refuseOtherLanguages(language)
    const samples = readRecording(inputs)
    const duration = samples.length / ASR_SAMPLE_RATE
    const recording = createMemoryFile(toS16(samples))
    const parser = createRecognitionParser()
    try {
      for await (const line of programLines(RECOGNISER, ['-infile', memoryFilePath(0), '-time', 'yes'], [recording], signal)) {
        const recognisedSeconds = parser.push(line)
        if (recognisedSeconds > 0) yield { kind: 'progress', progress: Math.min(1, recognisedSeconds / duration), stage: 'listening' }
      }
    } finally {
      recording.close()
    }
    const segments = parser.end()
    const result: AsrResult = {
      text: joinPieces(segments.map(({ text }) => text)),
      language: 'en',
      segments: words ? [...segments] : segments.map(({ start, end, text }) => ({ start, end, text })),
      duration,
      notices: promptNotice(ID, prompt),
    }
    yield { kind: 'result', result }
  }

  async function* align({ text, language }: AlignParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    refuseOtherLanguages(language)
    const samples = readRecording(inputs)
    if (samples.length > MAX_ALIGNED_SECONDS * ASR_SAMPLE_RATE)
      throw new Failure('INVALID_TASK_PARAMS', `audio: The recording is longer than ${MAX_ALIGNED_SECONDS} s, the limit for alignment.`)
    const words = dictionaryWords(text)
    if (words.length === 0) throw new Failure('INVALID_TASK_PARAMS', 'text: It contains no word.')
    const unknown = await countUnknown(words)
    if (unknown > 0) throw new Failure('INVALID_TASK_PARAMS', `text: ${unknown} of its words are not in the dictionary of pocketsphinx.`)
    const files = [toS16(samples), Buffer.from(alignmentGrammar(words)), Buffer.from('3\n'), new Uint8Array(0)].map(createMemoryFile)
    const options = {
      '-adcin': 'yes',
      '-cepdir': '/proc/self/fd',
      '-cepext': '',
      '-jsgf': memoryFilePath(1),
      '-ctl': memoryFilePath(2),
      '-hypseg': memoryFilePath(3),
      // Removed silence would shift all times.
      '-remove_silence': 'no',
    }
    try {
      for await (const _line of programLines(ALIGNER, Object.entries(options).flat(), files, signal));
      const aligned = parseAlignment(files[3]!.text())
      if (aligned.length !== words.length) throw new Failure('INVALID_TASK_PARAMS', 'text: It does not match the recording.')
      yield { kind: 'result', result: { words: aligned } }
    } finally {
      for (const file of files) file.close()
    }
  }

  return {
    describe: () => describe(isPocketsphinxInstalled(path)),
    load: async () => {},
    operations: { asr: withParams(TranscribeParams, recognise), align: withParams(AlignParams, align) },
    unload: async () => {
      dictionary = null
    },
  }
}

export const pocketsphinx = defineEngine({ id: ID, maxBlockSeconds: 20, create: createPocketsphinx })

async function readDictionary(): Promise<ReadonlySet<string>> {
  const text = await readFile(DICTIONARY, 'utf8').catch((cause: unknown) => {
    throw new Failure('MODEL_NOT_INSTALLED', `The dictionary of pocketsphinx is not installed on this machine. Run ${COMMAND} setup.`, {
      cause,
    })
  })
  return new Set(text.split('\n').map((line) => line.slice(0, line.indexOf(' '))))
}

function describe(installed: boolean): Capability[] {
  const row = capability({
    engine: ID,
    operation: 'asr',
    implementation: 'pocketsphinx',
    languages: ['en'],
    supported: process.platform === 'linux',
    installed,
    downloaded: installed,
    sampleRate: ASR_SAMPLE_RATE,
    permits: 3,
    memoryBytes: MEMORY_BYTES,
    ...(!installed && { reason: `The program pocketsphinx or its English model is not installed on this machine. Run ${COMMAND} setup.` }),
  })
  return [row, { ...row, operation: 'align' }]
}

function refuseOtherLanguages(language: string | null): void {
  const tag = (language ?? '').trim().toLowerCase()
  if (tag === '' || tag === 'auto' || tag === 'english' || /^en(?:[-_]|$)/.test(tag)) return
  throw new Failure('INVALID_TASK_PARAMS', `language: pocketsphinx supports English only, not "${tag.slice(0, 32)}".`)
}
