// A voice for a hundred languages: the program eSpeak NG where it is installed. It is under the GPL and therefore runs as a separate
// process. Deterministic: equal requests give equal audio with any seed.

import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent, type EngineVoice } from '#agent/engine/seam/engine.ts'
import { refusedWords } from '#agent/engine/speech/espeak-phones.ts'
import { engineRow } from '#shared/engines.ts'
import { TtsParams, type TtsResult } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { execFileSync } from '#shared/runtime/child/process.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { isAnnotated } from '#shared/text/pronunciation/annotation.ts'
import {
  createSpelling,
  ESPEAK_MIN_SPEED,
  ESPEAK_PROGRAM,
  ESPEAK_SAMPLE_RATE,
  listEspeakVoices,
  plainText,
  speakWithEspeak,
} from './speech.ts'
import { DEFAULT_LANGUAGE, languagesOf, parseVoices, voiceFor } from './voices.ts'

const ID = 'espeak-ng'
const MEMORY_BYTES = 128 * 1024 ** 2
const LISTING_MS = 5_000
/** Length of a segment without speech, because its part must not be empty. */
const SILENT_MS = 200
const SECONDS_PER_CHARACTER = 0.07
const MAX_SPEED = 5

function createEspeak({ path }: { readonly path: string }): EngineParts {
  let voices: Promise<readonly EngineVoice[]> | null = null
  const spelling = createSpelling()
  const listed = () => {
    voices ??= listEspeakVoices(AbortSignal.timeout(LISTING_MS)).catch((error) => {
      voices = null
      throw error
    })
    return voices
  }

  async function* run(params: TtsParams, { signal }: RunContext): AsyncGenerator<EngineEvent> {
    const notices: string[] = []
    const voice = chooseVoice(await listed(), params, notices)
    if (params.instruct || params.description) notices.push('eSpeak NG does not follow instructions or descriptions.')
    const pauses = params.segments.map((segment) => {
      const isSilent = !/[\p{L}\p{N}\p{S}]/u.test(plainText(segment.text))
      return Math.round(((segment.pause_after_ms + (isSilent ? SILENT_MS : 0)) * ESPEAK_SAMPLE_RATE) / 1000)
    })

    const refused = new Set<string>()
    // Loaded here, because the agent describes engines without ever speaking.
    const { spelledFor } = await import('#shared/text/normalise/for-engine.ts')
    const inWords = (text: string) => spelledFor(engineRow(ID)?.spells, text, voice.language)
    const spelled = async (written: string) => {
      const text = inWords(written)
      return isAnnotated(text)
        ? await spelling.apply(text, voice.id, { plain: plainText, refused: (word) => refused.add(word), signal })
        : plainText(text)
    }
    const texts: string[] = []
    for (const { text } of params.segments) texts.push(await spelled(text))
    notices.push(...refusedWords(refused))

    const measure = async (speed: number): Promise<number> => {
      let length = 0
      for (const text of texts) for await (const samples of speakWithEspeak(voice, text, speed, signal)) length += samples.length
      return length
    }
    let { speed } = params
    if (params.duration !== null) {
      const target = params.duration * ESPEAK_SAMPLE_RATE - pauses.reduce((sum, pause) => sum + pause, 0)
      if (target <= 0) throw new Failure('INVALID_TASK_PARAMS', 'duration: The pauses alone are longer.')
      speed = await fitToDuration(target, measure, notices)
    }
    if (speed < ESPEAK_MIN_SPEED) notices.push('eSpeak NG cannot speak that slowly; its lowest speed was used.')

    const total = texts.reduce((sum, text) => sum + text.length, 0)
    const lengths: number[] = []
    let before = 0
    let progress = 0
    for (const [part, text] of texts.entries()) {
      let made = 0
      for await (const samples of speakWithEspeak(voice, text, speed, signal)) {
        made += samples.length
        yield { kind: 'audio', part, samples }
        // The duration of the segment is an estimate, so it never counts as complete.
        const estimated = Math.min(0.95, (made * speed) / (text.length * SECONDS_PER_CHARACTER * ESPEAK_SAMPLE_RATE))
        progress = Math.max(progress, (before + estimated * text.length) / total)
        yield { kind: 'progress', progress, stage: 'speaking' }
      }
      if (pauses[part]! > 0) yield { kind: 'audio', part, samples: new Float32Array(pauses[part]!) }
      lengths.push(made + pauses[part]!)
      before += text.length
      progress = before / total
      yield { kind: 'progress', progress, stage: 'speaking' }
    }
    if (lengths.every((length) => length === 0)) throw new Failure('WORKER_FAILED', `${ESPEAK_PROGRAM} produced no audio.`)
    const result: TtsResult = { sample_rate: ESPEAK_SAMPLE_RATE, parts: lengths.map((samples) => ({ samples })), voice: voice.id, notices }
    yield { kind: 'result', result }
  }

  return {
    describe: () => [describe(path)],
    load: async () => void (await listed()),
    operations: { tts: withParams(TtsParams, run) },
    unload: async () => {
      voices = null
    },
  }
}

export const espeakNg = defineEngine({ id: ID, maxBlockSeconds: 10, create: createEspeak })

function chooseVoice(voices: readonly EngineVoice[], { voice: id, language }: TtsParams, notices: string[]): EngineVoice {
  const tag = (language ?? '').trim()
  const languageVoice = voiceFor(voices, tag === '' || tag.toLowerCase() === 'auto' ? DEFAULT_LANGUAGE : tag)
  if (!languageVoice) throw new Failure('INVALID_TASK_PARAMS', `language: eSpeak NG has no voice for "${tag.slice(0, 32)}".`)
  if (id === null || id === '' || id === 'default') return languageVoice
  const named = voices.find((voice) => voice.id === id)
  if (!named) notices.push(`eSpeak NG has no voice "${id.slice(0, 64)}"; ${languageVoice.id} was used.`)
  return named ?? languageVoice
}

/** The speed for speech of `target` samples. The length is not proportional to the speed, so a first estimate is measured and corrected. */
async function fitToDuration(target: number, measure: (speed: number) => Promise<number>, notices: string[]): Promise<number> {
  const natural = await measure(1)
  const clamp = (speed: number) => Math.min(MAX_SPEED, Math.max(ESPEAK_MIN_SPEED, speed))
  const first = clamp(natural / target)
  if (first !== natural / target)
    notices.push('The text cannot be spoken in the requested duration; the nearest possible duration was used.')
  return clamp((first * (await measure(first))) / target)
}

function describe(path: string): Capability {
  const program = findProgram(ESPEAK_PROGRAM, path)
  let voices: EngineVoice[] = []
  let reason = `The program espeak-ng is not installed. Run ${COMMAND} setup, or install the package espeak-ng.`
  if (program) {
    try {
      voices = parseVoices(execFileSync(program, ['--voices'], { timeout: LISTING_MS, stdio: ['ignore', 'pipe', 'ignore'] }))
      if (voices.length === 0) reason = 'The program espeak-ng lists no voices. Install the package espeak-ng-data.'
    } catch {
      reason = 'The program espeak-ng does not start. Install the package espeak-ng again.'
    }
  }
  const installed = voices.length > 0
  return capability({
    engine: ID,
    operation: 'tts',
    implementation: ID,
    languages: languagesOf(voices),
    voices,
    installed,
    downloaded: installed,
    phones: 'ipa',
    sampleRate: ESPEAK_SAMPLE_RATE,
    permits: 3,
    memoryBytes: MEMORY_BYTES,
    ...(!installed && { reason }),
  })
}
