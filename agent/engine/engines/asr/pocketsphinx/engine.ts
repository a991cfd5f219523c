// Recognition of English without any download: the pocketsphinx programs of the machine. It hears clear read speech well and says no
// punctuation; it is what there is until the weights of a better recogniser are installed.

import { readFile } from 'node:fs/promises'
import { type Capability, capability, type Engine, type EngineEvent, type Inputs } from '#agent/engine/seam/engine.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { AlignParams } from '#shared/operations/align.ts'
import { AsrParams, type AsrResult } from '#shared/operations/asr.ts'
import { parseParams } from '#shared/operations/table.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { RECORDING_RATE, recordingOf } from '../../../audio/recording.ts'
import { withoutPrompt } from '../../../seam/notices.ts'
import { ALIGNER, DICTIONARY, fileAt, isInstalled, linesOf, namelessFile, RECOGNISER } from './program.ts'
import { createReading, grammarOf, readAlignment, wordsOf } from './reading.ts'

export const POCKETSPHINX_ENGINE = 'pocketsphinx'
/** Measured: the recogniser with its language model. */
const MEMORY_BYTES = 192 * 1024 ** 2
const LONGEST_ALIGNED_SECONDS = 120

/** `path`: where programs are looked for. */
export function createPocketsphinx({ path = '' }: { path?: string }): Engine {
  let dictionary: Promise<ReadonlySet<string>> | null = null
  async function countUnknown(words: readonly string[]): Promise<number> {
    dictionary ??= readDictionary()
    const known = await dictionary
    return words.filter((word) => !known.has(word)).length
  }

  async function* recognise(params: unknown, signal: AbortSignal, inputs?: Inputs): AsyncGenerator<EngineEvent> {
    const { language, prompt, words } = parseParams(AsrParams, params)
    refuseOtherLanguages(language)
    const samples = recordingOf(inputs)
    const duration = samples.length / RECORDING_RATE
    const sound = namelessFile(toS16(samples))
    const reading = createReading()
    try {
      for await (const line of linesOf(RECOGNISER, ['-infile', fileAt(0), '-time', 'yes'], [sound], signal)) {
        const heard = reading.push(line)
        if (heard > 0) yield { kind: 'progress', progress: Math.min(1, heard / duration), stage: 'listening' }
      }
    } finally {
      sound.close()
    }
    const segments = reading.end()
    const result: AsrResult = {
      text: segments.map(({ text }) => text).join(' '),
      language: 'en',
      segments: words ? [...segments] : segments.map(({ start, end, text }) => ({ start, end, text })),
      duration,
      notices: withoutPrompt(POCKETSPHINX_ENGINE, prompt),
    }
    yield { kind: 'result', result }
  }

  async function* align(params: unknown, signal: AbortSignal, inputs?: Inputs): AsyncGenerator<EngineEvent> {
    const { text, language } = parseParams(AlignParams, params)
    refuseOtherLanguages(language)
    const samples = recordingOf(inputs)
    if (samples.length > LONGEST_ALIGNED_SECONDS * RECORDING_RATE)
      throw new Failure('INVALID_TASK_PARAMS', `audio: at most ${LONGEST_ALIGNED_SECONDS} s can be aligned at once`)
    const words = wordsOf(text)
    if (words.length === 0) throw new Failure('INVALID_TASK_PARAMS', 'text: there is no word in it')
    const unknown = await countUnknown(words)
    if (unknown > 0) throw new Failure('INVALID_TASK_PARAMS', `text: ${unknown} of its words are not in the dictionary of pocketsphinx`)
    const files = [toS16(samples), Buffer.from(grammarOf(words)), Buffer.from('3\n'), new Uint8Array(0)].map(namelessFile)
    const options = {
      '-adcin': 'yes',
      '-cepdir': '/proc/self/fd',
      '-cepext': '',
      '-jsgf': fileAt(1),
      '-ctl': fileAt(2),
      '-hypseg': fileAt(3),
      // Times must count from the beginning, so nothing may be taken out.
      '-remove_silence': 'no',
    }
    try {
      for await (const _line of linesOf(ALIGNER, Object.entries(options).flat(), files, signal));
      const aligned = readAlignment(files[3]!.text())
      if (aligned.length !== words.length) throw new Failure('INVALID_TASK_PARAMS', 'text: it is not what is said in the recording')
      yield { kind: 'result', result: { words: aligned } }
    } finally {
      for (const file of files) file.close()
    }
  }

  return {
    describe: () => describe(isInstalled(path)),
    load: async () => {},
    run(operation, params, signal, inputs) {
      if (operation === 'asr') return recognise(params, signal, inputs)
      if (operation === 'align') return align(params, signal, inputs)
      throw new Failure('OPERATION_UNSUPPORTED', `pocketsphinx does not do ${operation}`)
    },
    unload: async () => {
      dictionary = null
    },
  }
}

async function readDictionary(): Promise<ReadonlySet<string>> {
  const text = await readFile(DICTIONARY, 'utf8').catch((cause: unknown) => {
    throw new Failure('MODEL_NOT_INSTALLED', 'the dictionary of pocketsphinx is not on this machine; ./studio setup installs it', { cause })
  })
  return new Set(text.split('\n').map((line) => line.slice(0, line.indexOf(' '))))
}

function describe(installed: boolean): Capability[] {
  const row = capability({
    engine: POCKETSPHINX_ENGINE,
    operation: 'asr',
    implementation: 'pocketsphinx',
    languages: ['en'],
    supported: process.platform === 'linux',
    installed,
    downloaded: installed,
    sampleRate: RECORDING_RATE,
    permits: 2,
    memoryBytes: MEMORY_BYTES,
    ...(!installed && { reason: 'The program pocketsphinx or its English model is not on this machine; ./studio setup installs both.' }),
  })
  return [row, { ...row, operation: 'align' }]
}

function refuseOtherLanguages(language: string | null): void {
  const tag = (language ?? '').trim().toLowerCase()
  if (tag === '' || tag === 'auto' || tag === 'english' || /^en(?:[-_]|$)/.test(tag)) return
  throw new Failure('INVALID_TASK_PARAMS', `language: pocketsphinx understands English only, not "${tag.slice(0, 32)}"`)
}
