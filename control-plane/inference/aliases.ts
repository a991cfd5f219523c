// Model names of the public API that are not engines of this studio.

/** They refer to the engine that is selected for speech. */
export const SPEECH_ALIASES: readonly string[] = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts']
/** They refer to the engine that is selected for recognition. */
export const RECOGNITION_ALIASES: readonly string[] = ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe']
