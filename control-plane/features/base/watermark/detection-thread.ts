// The thread that searches stretches of a recording: one request at its start, one result, then it ends.
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { detectMark, type MarkFound } from '#shared/audio/mark/mark-detect.ts'
import { detectAtOtherSpeeds } from '#shared/audio/mark/mark-speed.ts'
import { parseWav } from '#shared/audio/wav.ts'
import type { Searched } from './detection.rules.ts'

export type DetectionRequest = {
  /** WAV files, mono. */
  readonly paths: readonly string[]
  readonly key: Uint8Array
  readonly sampleRate: number
}
/**
 * Processor time. The search at other speeds costs about as much as 35 searches. By the clock, the answer would depend on what else the machine
 * does.
 */
const OTHER_SPEEDS_MS = 5_000

/** Processor time of this thread; of the whole process on Node 22.18, which searches less long while the studio computes something else. */
function usedMs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1000
}

function find({ paths, key, sampleRate }: DetectionRequest): Searched {
  const samplesOf = (path: string) => parseWav(readFileSync(path)).samples
  let best: MarkFound | null = null
  for (const path of paths) {
    const found = detectMark(samplesOf(path), sampleRate, [key], paths.length)
    // Two stretches with equal payloads are as sure as it gets; marks of different takes have different payloads.
    if (found.payload !== null && found.payload === best?.payload) return { ...found, speed: 1 }
    if (!best || found.z > best.z) best = found
  }
  if (best && best.level !== 'none') return { ...best, speed: 1 }
  const until = usedMs() + OTHER_SPEEDS_MS
  for (const path of paths) {
    const found = detectAtOtherSpeeds(samplesOf(path), sampleRate, [key], () => usedMs() < until)
    if (found) return found
    if (usedMs() >= until) break
  }
  return { ...best!, speed: 1 }
}

parentPort!.postMessage(find(workerData as DetectionRequest))
