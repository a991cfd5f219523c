// Recognition of English without any download: the pocketsphinx programs of the machine. It hears clear read speech well and says no
// punctuation; it is what there is until the weights of a better recogniser are installed.

import { readFile } from 'node:fs/promises'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { AlignParams } from '#shared/operations/align.ts'
import { AsrParams, type AsrResult } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { ASR_SAMPLE_RATE, readRecording } from '../../../audio/recording.ts'
import { promptNotice } from '../../../seam/notices.ts'
import { ALIGNER, createMemoryFile, DICTIONARY, isPocketsphinxInstalled, memoryFilePath, programLines, RECOGNISER } from './program.ts'
import { alignmentGrammar, createRecognitionParser, dictionaryWords, parseAlignment } from './reading.ts'

const ID = 'pocketsphinx'
/** Measured: the recogniser with its language model. */
const MEMORY_BYTES = 192 * 1024 ** 2
const LONGEST_ALIGNED_SECONDS = 120

/** `path`: where programs are looked for. */
function createPocketsphinx({ path = '' }: { path?: string }): EngineParts {
  let dictionary: Promise<ReadonlySet<string>> | null = null
  async function countUnknown(words: readonly string[]): Promise<number> {
    dictionary ??= readDictionary()
    const known = await dictionary
    return words.filter((word) => !known.has(word)).length
  }

  async function* recognise({ language, prompt, words }: AsrParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    refuseOtherLanguages(language)
    const samples = readRecording(inputs)
    const duration = samples.length / ASR_SAMPLE_RATE
    const sound = createMemoryFile(toS16(samples))
    const reading = createRecognitionParser()
    try {
      for await (const line of programLines(RECOGNISER, ['-infile', memoryFilePath(0), '-time', 'yes'], [sound], signal)) {
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
      notices: promptNotice(ID, prompt),
    }
    yield { kind: 'result', result }
  }

  async function* align({ text, language }: AlignParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    refuseOtherLanguages(language)
    const samples = readRecording(inputs)
    if (samples.length > LONGEST_ALIGNED_SECONDS * ASR_SAMPLE_RATE)
      throw new Failure('INVALID_TASK_PARAMS', `audio: at most ${LONGEST_ALIGNED_SECONDS} s can be aligned at once`)
    const words = dictionaryWords(text)
    if (words.length === 0) throw new Failure('INVALID_TASK_PARAMS', 'text: there is no word in it')
    const unknown = await countUnknown(words)
    if (unknown > 0) throw new Failure('INVALID_TASK_PARAMS', `text: ${unknown} of its words are not in the dictionary of pocketsphinx`)
    const files = [toS16(samples), Buffer.from(alignmentGrammar(words)), Buffer.from('3\n'), new Uint8Array(0)].map(createMemoryFile)
    const options = {
      '-adcin': 'yes',
      '-cepdir': '/proc/self/fd',
      '-cepext': '',
      '-jsgf': memoryFilePath(1),
      '-ctl': memoryFilePath(2),
      '-hypseg': memoryFilePath(3),
      // Times must count from the beginning, so nothing may be taken out.
      '-remove_silence': 'no',
    }
    try {
      for await (const _line of programLines(ALIGNER, Object.entries(options).flat(), files, signal));
      const aligned = parseAlignment(files[3]!.text())
      if (aligned.length !== words.length) throw new Failure('INVALID_TASK_PARAMS', 'text: it is not what is said in the recording')
      yield { kind: 'result', result: { words: aligned } }
    } finally {
      for (const file of files) file.close()
    }
  }

  return {
    describe: () => describe(isPocketsphinxInstalled(path)),
    load: async () => {},
    operations: { asr: withParams(AsrParams, recognise), align: withParams(AlignParams, align) },
    unload: async () => {
      dictionary = null
    },
  }
}

export const pocketsphinx = defineEngine({ id: ID, maxBlockSeconds: 20, create: createPocketsphinx })

async function readDictionary(): Promise<ReadonlySet<string>> {
  const text = await readFile(DICTIONARY, 'utf8').catch((cause: unknown) => {
    throw new Failure('MODEL_NOT_INSTALLED', 'the dictionary of pocketsphinx is not on this machine; ./studio setup installs it', { cause })
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
