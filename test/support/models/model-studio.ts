// A studio whose models come from a server of the test, which has two of them. The files of a process share both: they end without the first
// one, with the embedded voice and with the settings of the start.
import { after } from 'node:test'
import { openModelServer, weights } from '../doubles/model-server.ts'
import { sharedWorld } from '../world/world.ts'

export const REPO = 'voice-studio/tone'
/** A model without pins in the catalogue, because this server has other files, and with a licence to accept. */
export const GATED = 'KevinAHM/pocket-tts-web:en'
const GATED_FILES = [
  ...['text_conditioner', 'flow_lm_main', 'flow_lm_flow', 'mimi_encoder', 'mimi_decoder'].map((name) => `${name}_int8.onnx`),
  ...['bundle.json', 'tokenizer.model', 'bos_before_voice.npy', 'voices.bin'],
]
/** Voices whose licence is on a card. The server has the cards and not the voices. */
export const [CARDED, OTHER_CARDED] = ['piper/en_US-joe-medium', 'piper/de_DE-thorsten-low'] as const
export const CARD = '# Model card for joe (medium)\n\n* License: CC0\n'

export const FILES = {
  'config.json': Buffer.from('{"hz":440}'),
  'model.onnx': weights('tone', 3_000_000),
  'voices/a.bin': weights('a', 4_000),
}

export const server = await openModelServer(
  { after },
  {
    [REPO]: FILES,
    'rhasspy/piper-voices': {
      'en/en_US/joe/medium/MODEL_CARD': Buffer.from(CARD),
      'de/de_DE/thorsten/low/MODEL_CARD': Buffer.from(CARD.replace('joe (medium)', 'thorsten (low)')),
    },
    'spaces/KevinAHM/pocket-tts-web': Object.fromEntries(GATED_FILES.map((name) => [`onnx/english_2026-04/${name}`, weights(name, 400)])),
  },
)
export const open = sharedWorld({
  remote: true,
  fixedPort: true,
  env: { STUDIO_MODELS_URL: server.url, STUDIO_MODELS_CACHE: '', STUDIO_MCP_ENABLED: '0' },
})
