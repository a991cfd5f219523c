// A generated voice whose sound depends on the symbols of the text only, and a generated recogniser, in the data folder of a studio.
import { join } from 'node:path'
import { moonshineContents } from '#test/agent/engine/runtimes/transformers/planted-moonshine.ts'
import { placeModel } from './place-model.ts'
import { styledGraph, voiceTable } from './styled-model.ts'

const SYMBOLS = '$;:,.!?—…"()“” AIOQSTWYabdfhijklmnpstuvwzæðŋɑɔəɛɜɡɪɹɾʃʊʌʒʤʧʣʦˈˌːθᵊᵻβɣɲʎxoeqcgry'
export const KOKORO = {
  'onnx/model.onnx': styledGraph(),
  'tokenizer.json': JSON.stringify({ model: { vocab: Object.fromEntries([...SYMBOLS].map((symbol, id) => [symbol, id])) } }),
  'voices/af_alloy.bin': new Uint8Array(voiceTable(510).buffer),
  'voices/af_heart.bin': new Uint8Array(voiceTable(510).buffer),
  'voices/ef_dora.bin': new Uint8Array(voiceTable(510).buffer),
}

export function placeKokoroAndMoonshine(dataDir: string): void {
  const models = join(dataDir, 'local-agent/models')
  placeModel(models, 'kokoro', '', KOKORO)
  placeModel(models, 'moonshine', '', moonshineContents())
}
