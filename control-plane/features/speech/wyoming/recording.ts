// A recording that a client sends, and its words.
import { createPlaces, type Holding } from '#control-plane/clients/places.ts'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import { TranscribeForm } from '#control-plane/features/listening/recognition/recognition.schema.ts'
import { keepUpload, type UploadDisk } from '#control-plane/http/input/form.ts'
import { parseInput } from '#control-plane/http/input/validation.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { WyomingSound } from './events.schema.ts'

export type RecordingDeps = { readonly recognition: Pick<RecognitionApi, 'transcript'>; readonly uploadDisk: UploadDisk }
export type RecognisedRecording = { readonly text: string; readonly language: string | null }

/** Bytes of one recording, nearly nine minutes of 16 kHz. The protocol is for commands, not for films. */
const RECORDING_BYTES = 16 * 1024 * 1024
/** The sound is copied into blocks: a view of what arrived would keep the whole of it in memory, for a client that sends a byte in each event. */
const BLOCK_BYTES = 256 * 1024
/** Recordings in memory. */
const places = createPlaces({ perClient: 2 * RECORDING_BYTES, what: 'recordings that arrive', areBytes: true })

/** One recording at a time. */
export function createRecording({ recognition, uploadDisk }: RecordingDeps) {
  let blocks: Buffer[] = []
  let bytes = 0
  let format: WyomingSound | null = null
  let holding: Holding | null = null

  function drop(): void {
    blocks = []
    bytes = 0
    format = null
    holding?.giveBack()
    holding = null
  }

  return {
    isRecording: (): boolean => format !== null,
    drop,
    begin(next: WyomingSound): void {
      drop()
      format = next
      holding = places.open()
    },
    /** Throws BODY_TOO_LARGE, and QUEUE_FULL if recordings of other connections take the memory. */
    add(sound: Buffer): void {
      if (bytes + sound.length > RECORDING_BYTES)
        throw new Failure(
          'BODY_TOO_LARGE',
          `A recording of this protocol has at most ${RECORDING_BYTES / 1024 ** 2} MiB. Send longer ones over HTTP.`,
        )
      holding!.take(sound.length)
      for (let at = 0; at < sound.length; ) {
        const used = bytes % BLOCK_BYTES
        if (used === 0) blocks.push(Buffer.allocUnsafe(BLOCK_BYTES))
        const copied = sound.copy(blocks.at(-1)!, used, at)
        at += copied
        bytes += copied
      }
    },
    /** Throws what POST /transcribe answers. */
    async end(language: string | null, signal: AbortSignal): Promise<RecognisedRecording> {
      const { rate, channels } = format!
      const frame = 2 * channels
      const samples = Math.floor(bytes / frame)
      try {
        if (samples === 0) return { text: '', language }
        const wav = Buffer.concat([wavHeader({ sampleRate: rate, channels, samples }), ...blocks]).subarray(0, 44 + samples * frame)
        const { upload, close } = await keepUpload(uploadDisk, wav, 'recording.wav')
        try {
          const form = parseInput(TranscribeForm, language ? { language } : {}, 'body')
          const { answer } = await recognition.transcript(form, upload, { signal, traceparent: '' })
          return { text: answer.text, language: answer.language === 'unknown' ? language : answer.language }
        } finally {
          await close()
        }
      } finally {
        drop()
      }
    },
  }
}
