import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

// May contain an engine of another version. The service treats an unknown id as no selection.
const schema = z.string().max(64)
const changedBy = 'Select an engine with POST /engines/select, which checks that it can be used.'

/** The selected engine of each family; '' for the default. */
export const engineSettings = {
  tts: setting({
    key: 'tts_backend',
    access: 'admin',
    schema,
    fallback: '',
    env: 'STUDIO_TTS_BACKEND',
    summary: 'The engine for speech.',
    changedBy,
  }),
  asr: setting({
    key: 'asr_backend',
    access: 'admin',
    schema,
    fallback: '',
    env: 'STUDIO_ASR_BACKEND',
    summary: 'The engine for recognition.',
    changedBy,
  }),
  llm: setting({
    key: 'llm_backend',
    access: 'admin',
    schema,
    fallback: '',
    env: 'STUDIO_LLM_BACKEND',
    summary: 'The engine for language models.',
    changedBy,
  }),
}
