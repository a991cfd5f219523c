// The recogniser of the test engine: returns the words of its parameters, spread evenly over the recording.

import type { z } from 'zod'
import { ASR_SAMPLE_RATE, readRecording } from '#agent/engine/audio/recording.ts'
import type { EngineEvent } from '#agent/engine/seam/engine.ts'
import type { AsrResult } from '#shared/operations/asr.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { misbehave } from './misbehave.ts'
import type { ToneAsrParams } from './params.ts'

/** Accepts any bytes as `audio` if there is an input `blob`. */
export async function* recognise(
  { fault, says, words, language }: z.output<typeof ToneAsrParams>,
  clock: Clock,
  signal: AbortSignal,
  inputs: ReadonlyMap<string, Uint8Array>,
): AsyncGenerator<EngineEvent> {
  if (fault?.kind === 'fail') throw new Failure(fault.code as FailureCode, 'The test requested this failure.')
  const duration = inputs.has('blob') ? 1 : readRecording(inputs).length / ASR_SAMPLE_RATE
  const spokenWords = says.split(/\s+/).filter(Boolean)
  await misbehave(fault, 0)
  for (let done = 0; done <= spokenWords.length; done++) {
    await (fault?.kind === 'slow' ? clock.sleep(fault.msPerChar, signal) : nextTurn())
    signal.throwIfAborted()
    yield { kind: 'progress', progress: spokenWords.length === 0 ? 1 : done / spokenWords.length, stage: 'listening' }
  }
  const share = duration / Math.max(1, spokenWords.length)
  const timed = spokenWords.map((word, index) => ({ start: index * share, end: (index + 1) * share, word }))
  const segment = { start: 0, end: duration, text: spokenWords.join(' '), ...(words && { words: timed }) }
  const segments = spokenWords.length === 0 ? [] : [segment]
  const result: AsrResult = { text: segment.text, language: language ?? 'en', segments, duration, notices: [] }
  yield { kind: 'result', result }
}
