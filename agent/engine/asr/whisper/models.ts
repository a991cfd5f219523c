// The downloaded models of Whisper: which one a request gets, and whether it translates.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { ModelFiles } from '#agent/engine/seam/model-files.ts'
import { type FilesOf, ownNamesOf } from '#agent/models/manifest.ts'
import { Failure } from '#shared/protocol/failure.ts'

export const WHISPER_ENGINES = { segments: 'faster-whisper', words: 'whisperx' } as const
/** Best first: the default is the first downloaded one. Both engines use the files of `faster-whisper`. */
export const WHISPER_MODELS = ['large-v3-turbo', 'large-v3-turbo-q8', 'large-v3-turbo-q4', 'small', 'base', 'base-q8', 'tiny']

/** May be chosen for a request that names none. Best first; a model that the owner of the machine added comes before those of the catalogue. */
export const whisperModels = (filesOf: FilesOf): string[] => [...ownNamesOf(filesOf, WHISPER_ENGINES.segments).chosen, ...WHISPER_MODELS]

const Layers = z.object({ encoder_layers: z.int(), decoder_layers: z.int() })

/** A network with a shortened decoder was trained to transcribe only. An unreadable configuration fails when the model is opened. */
async function isShortened(files: ModelFiles): Promise<boolean> {
  const text = await readFile(files.get('config.json') ?? '', 'utf8').catch(() => '{}')
  try {
    const { encoder_layers: encoder, decoder_layers: decoder } = Layers.parse(JSON.parse(text))
    return decoder < encoder
  } catch {
    return false
  }
}

export function createWhisperModels(filesOf: FilesOf) {
  const filesFor = (model: string) => filesOf(WHISPER_ENGINES.segments, model)
  const isHere = (model: string) => filesFor(model) !== null
  const downloaded = () => whisperModels(filesOf).filter(isHere)
  return {
    /** May be chosen for a request that names none. Best first. */
    downloaded,
    /** Those that studios sent. */
    sent: () => ownNamesOf(filesOf, WHISPER_ENGINES.segments).sent.filter(isHere),

    /** Throws MODEL_NOT_DOWNLOADED. */
    files(model: string): ModelFiles {
      const files = filesFor(model)
      if (files) return files
      const missing = model === '' ? 'No Whisper model is' : `The model ${model.slice(0, 64)} of Whisper is not`
      throw new Failure('MODEL_NOT_DOWNLOADED', `${missing} downloaded on this machine.`)
    },

    /** `model`, or for '' the best downloaded one that can do the task; '' if there is none. Throws INVALID_TASK_PARAMS. */
    async choose(model: string, task: 'transcribe' | 'translate'): Promise<string> {
      const names = model === '' ? downloaded() : [model]
      if (task === 'transcribe' || names.length === 0) return names[0] ?? ''
      for (const name of names) {
        const files = filesFor(name)
        if (files === null || !(await isShortened(files))) return name
      }
      const named = model === '' ? 'The downloaded Whisper models only transcribe' : `The model ${model.slice(0, 64)} only transcribes`
      throw new Failure('INVALID_TASK_PARAMS', `task: ${named}. To translate, use the Whisper model small or base.`)
    },
  }
}
