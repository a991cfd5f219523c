// A media thread: effects, mastering, the provenance mark and MP3, for several streams. Their clients take turns, piece by piece. It buffers no
// more than it received.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Client } from '#control-plane/clients/client.ts'
import { createLine } from '#control-plane/clients/line.ts'
import { createEffects } from '#shared/audio/effects.ts'
import { createMark } from '#shared/audio/mark/mark.ts'
import { createLevelStage } from '#shared/audio/master/chapter.ts'
import { createHistogramMeter } from '#shared/audio/master/histogram.ts'
import { createLimiter } from '#shared/audio/master/limiter.ts'
import { CEILING, createMaster } from '#shared/audio/master/master.ts'
import { createTruePeakMeter } from '#shared/audio/master/true-peak.ts'
import { createS16Reader, toS16 } from '#shared/audio/pcm.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { chain, concat } from '#shared/audio/stage.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { lowerThreadPriority } from '#shared/runtime/program.ts'
import type { FromThread, LaneSettings, Measured, ToThread } from './messages.ts'
import { openMp3, warmMp3 } from './mp3.ts'

type OpenLane = {
  readonly push: (bytes: Uint8Array) => Uint8Array<ArrayBuffer>
  readonly flush: () => Uint8Array<ArrayBuffer>
  /** Valid after `flush`. */
  readonly measured: () => Measured | null
  readonly close: () => void
}

async function openLane(settings: LaneSettings): Promise<OpenLane> {
  const { sampleRate, outputRate = sampleRate, effects, master, level = null, measure = null, mark, mp3Kbps } = settings
  const reader = createS16Reader()
  // First, so that mastering and the mark apply to the samples of the output.
  const resampler = await openResampler(sampleRate, outputRate)
  const stages = chain([
    ...(effects === null ? [] : [createEffects(effects, outputRate)]),
    ...(master ? [createMaster(outputRate)] : []),
    ...(level ? [createLevelStage(level, outputRate)] : []),
    ...(mark ? [createMark({ ...mark, sampleRate: outputRate })] : []),
    // The mark moves peaks by up to 0.3 dB depending on the key, and the ceiling applies to the output.
    ...(master && mark ? [createLimiter(CEILING, outputRate)] : []),
  ])
  const mp3 = mp3Kbps === null ? null : await openMp3(outputRate, mp3Kbps)
  const meter = measure === null ? null : { loudness: createHistogramMeter(outputRate), peak: createTruePeakMeter() }
  const give = (samples: Float32Array): Uint8Array<ArrayBuffer> => {
    meter?.loudness.push(samples)
    meter?.peak.push(samples)
    if (measure === 'only') return new Uint8Array(0)
    return mp3 ? mp3.push(samples) : toS16(samples)
  }
  return {
    push: (bytes) => give(stages.push(resampler.push(reader.push(bytes)))),
    flush: () => {
      const bytes = give(concat([stages.push(resampler.flush()), stages.flush()]))
      return mp3 ? join(bytes, mp3.flush()) : bytes
    },
    measured: () => meter && { histogram: meter.loudness.finish(), truePeak: meter.peak.finish() },
    close: () => {
      mp3?.close()
      resampler.close()
    },
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

function serve(port: MessagePort): void {
  const lanes = new Map<number, OpenLane>()
  const send = (message: FromThread, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)
  const clients = new Map<number, Client>()
  const drop = (id: number) => {
    lanes.get(id)?.close()
    lanes.delete(id)
    clients.delete(id)
  }
  const receive = async (message: ToThread): Promise<void> => {
    const id = message.lane
    if (message.kind === 'open') return void lanes.set(id, await openLane(message.settings))
    const lane = lanes.get(id)
    if (message.kind === 'close') return drop(id)
    if (!lane) return // The lane has failed.
    if (message.kind === 'end') {
      const bytes = lane.flush()
      const measured = lane.measured()
      drop(id)
      return send({ kind: 'ended', lane: id, bytes, measured }, [bytes.buffer])
    }
    const bytes = lane.push(message.bytes)
    send({ kind: 'output', lane: id, bytes, takenBytes: message.bytes.length }, [bytes.buffer])
  }

  const line = createLine({ atOnce: 1 })
  const waiting = new Map<number, WaitingLane>()
  let arrivals = 0
  let isWorking = false

  async function handle(message: ToThread): Promise<void> {
    try {
      await receive(message)
    } catch (error) {
      drop(message.lane)
      send({ kind: 'failed', lane: message.lane, message: error instanceof Error ? error.message : String(error) })
    }
  }

  /** Handles the messages of each lane in order, those of several lanes in the turns of their clients. */
  async function work(): Promise<void> {
    if (isWorking) return
    isWorking = true
    for (let next = line.next(waiting.values()); next; next = line.next(waiting.values())) {
      const message = next.messages.shift()!
      next.arrival = ++arrivals
      if (next.messages.length === 0) waiting.delete(message.lane)
      line.begin(next.client)
      await handle(message)
      line.end(next.client)
      await nextTurn() // further messages arrive
    }
    isWorking = false
  }

  // It starts with compiling the encoder.
  const warm = warmMp3()
  port.on('message', (message: ToThread) => {
    const { lane } = message
    if (message.kind === 'open') clients.set(lane, message.client)
    const client = clients.get(lane)
    if (!client) return // the lane ended while the message was in transit
    const queue = waiting.get(lane) ?? { client, arrival: ++arrivals, messages: [] }
    waiting.set(lane, queue)
    if (message.kind === 'close') queue.messages.length = 0 // their output has no reader any more
    queue.messages.push(message)
    void warm.then(work)
  })
}

/** `arrival`: since its last turn. */
type WaitingLane = { readonly client: Client; arrival: number; readonly messages: ToThread[] }

if (parentPort) {
  if ((workerData as { readonly isBackground: boolean }).isBackground) lowerThreadPriority()
  serve(parentPort)
}
