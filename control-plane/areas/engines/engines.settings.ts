import { z } from 'zod'
import { setting } from '../../store/setting.ts'

// An engine of another version may be stored here; the service reads an unknown id as no choice.
const schema = z.string().max(64)

/** The chosen engine of each family; '' leaves the choice to the studio. */
export const engineSettings = {
  tts: setting({ key: 'tts_backend', schema, fallback: '', env: 'STUDIO_TTS_BACKEND', summary: 'The engine for speech.' }),
  asr: setting({ key: 'asr_backend', schema, fallback: '', env: 'STUDIO_ASR_BACKEND', summary: 'The engine for recognition.' }),
  llm: setting({ key: 'llm_backend', schema, fallback: '', env: 'STUDIO_LLM_BACKEND', summary: 'The engine for language models.' }),
}
