// Model names of the public API that are not engines of this studio.

/** They refer to the engine that is selected for speech. */
export const SPEECH_ALIASES: readonly string[] = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts']
/** They refer to the engine that is selected for recognition. */
export const RECOGNITION_ALIASES: readonly string[] = ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe']
/** Voice names of a well-known public API. All of them select the default voice of the engine. */
export const VOICE_ALIASES: readonly string[] = ['alloy', 'echo', 'fable', 'nova', 'onyx', 'shimmer']
/** Whether a request names no voice of its own. */
export const isDefaultVoice = (voice: string | null): boolean => !voice || voice === 'default' || VOICE_ALIASES.includes(voice)
