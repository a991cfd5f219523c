// Model names of the public API that are not engines of this studio.

/** They refer to the engine that is selected for speech. */
export const SPEECH_ALIASES: readonly string[] = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts']
/** They refer to the engine that is selected for recognition. */
export const RECOGNITION_ALIASES: readonly string[] = ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe']
/** The version of a public model, such as that of `tts-1-1106` and `gpt-4o-mini-tts-2025-03-20`. */
const VERSION = /-(?:\d{4}|\d{4}-\d{2}-\d{2})$/
/** The same model with speakers. They are made for every recogniser, when the format of the request has them. */
const DIARISING = 'gpt-4o-transcribe-diarize'
/** The name of the public API without its version; any other name unchanged. */
export function currentName(model: string): string {
  const name = model.replace(VERSION, '')
  if (name === DIARISING) return 'gpt-4o-transcribe'
  return [...SPEECH_ALIASES, ...RECOGNITION_ALIASES].includes(name) ? name : model
}
/** True if the name refers to the engine that is selected for speech. */
export const isSpeechAlias = (model: string): boolean => SPEECH_ALIASES.includes(currentName(model))
/** True if the name refers to the engine that is selected for recognition. */
export const isRecognitionAlias = (model: string): boolean => RECOGNITION_ALIASES.includes(currentName(model))

/** Voice names of a well-known public API. All of them select the default voice of the engine. */
export const VOICE_ALIASES: readonly string[] = ['alloy', 'echo', 'fable', 'nova', 'onyx', 'shimmer']
/** The later ones. They are not listed among the voices, because the specification lists the first six. */
const LATER_VOICES: readonly string[] = ['ash', 'ballad', 'cedar', 'coral', 'marin', 'sage', 'verse']
/** True if a request names no voice of its own. */
export const isDefaultVoice = (voice: string | null): boolean =>
  !voice || voice === 'default' || VOICE_ALIASES.includes(voice) || LATER_VOICES.includes(voice)

/**
 * A voice with its engine, as in `flite:rms`; null for a name without one. Two engines may have voices of the same name, and a voice of another
 * engine than the selected one has no other name. `isEngine`: true for the id of an engine
 */
export function voiceOfEngine(
  asked: string,
  isEngine: (id: string) => boolean,
): { readonly engine: string; readonly voice: string } | null {
  const at = asked.indexOf(':')
  const [engine, voice] = [asked.slice(0, Math.max(at, 0)), asked.slice(at + 1)]
  return engine !== '' && voice !== '' && isEngine(engine) ? { engine, voice } : null
}
