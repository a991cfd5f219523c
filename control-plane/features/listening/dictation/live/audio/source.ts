// The sound from a client, as s16le mono at 16 kHz.

import type { SocketMessage } from '#control-plane/http/socket/messages.ts'
import { decodeLive } from '#control-plane/media/ffmpeg/live-decoder.ts'
import { createS16Reader, toS16 } from '#shared/audio/pcm.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { LiveQuery } from '../query.ts'

/** Hz. */
export const LIVE_RATE = 16_000
const END = 'EOF'
const NO_FFMPEG = `This audio needs the program ffmpeg, which is not installed here. Install it with ${COMMAND} setup, or send 16-bit PCM with pcm=1.`

/** The bytes before the end, which is the text EOF or an empty message. Other texts are ignored. */
async function* audioOf(messages: AsyncIterable<SocketMessage>): AsyncGenerator<Buffer> {
  for await (const message of messages) {
    if (message === END || message.length === 0) return
    if (typeof message !== 'string') yield message
  }
}

async function* fromPcm(pcm: AsyncIterable<Buffer>, rate: number): AsyncGenerator<Buffer> {
  const reader = createS16Reader()
  const resampler = await openResampler(rate, LIVE_RATE)
  const bytesOf = (samples: Float32Array) => Buffer.from(toS16(samples).buffer)
  try {
    for await (const bytes of pcm) yield bytesOf(resampler.push(reader.push(bytes)))
    yield bytesOf(resampler.flush())
  } finally {
    resampler.close()
  }
}

/** Ends with the client's end of the recording. Throws NOT_READY without ffmpeg, BAD_REQUEST for unreadable audio, REQUEST_TIMEOUT. */
export function liveAudio(
  messages: AsyncIterable<SocketMessage>,
  { pcm, sr }: Pick<LiveQuery, 'pcm' | 'sr'>,
  ffmpegPath: string | null,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  if (pcm) return fromPcm(audioOf(messages), sr)
  if (ffmpegPath === null) throw new Failure('NOT_READY', NO_FFMPEG)
  return decodeLive(ffmpegPath, audioOf(messages), LIVE_RATE, signal)
}
