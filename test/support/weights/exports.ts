// Exports of public weights other than those of the catalogue, because no package has the latter: their graphs are equal in structure and differ in
// bytes. With `catalogue-of-exports.ts` the programs under test install them like the published ones.

import { fileURLToPath } from 'node:url'

export type ExportedFile = { readonly path: string; readonly size: number; readonly sha256: string }

/** By the project kokoro-onnx ("kokoro-v1.0.int8.onnx"), in place of the graph q8. */
export const KOKORO_EXPORT: ExportedFile = {
  path: 'onnx/model_quantized.onnx',
  size: 92_361_271,
  sha256: '6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb',
}

/** Whisper base in q8, converted from the weights of OpenAI with optimum 1.13.2, in the folder `whisper-base` of STUDIO_TEST_WEIGHTS. */
export const WHISPER_EXPORT: readonly ExportedFile[] = [
  { path: 'config.json', size: 2_231, sha256: '4eaea8ad5e42bd63210ab230f8fa6aedde3c40dfb23fe88941daaf4cf263263a' },
  { path: 'generation_config.json', size: 3_802, sha256: 'aa9b9281e4e9184e5dbd0883dee2f3f421caf99bccd7bd0c96a25e79a9c717a0' },
  { path: 'preprocessor_config.json', size: 298, sha256: '17a75b6cd896c82afb46b9efef90496178c1994b0271e6820b96f7cd969b73c3' },
  { path: 'tokenizer.json', size: 2_203_239, sha256: 'fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab' },
  { path: 'tokenizer_config.json', size: 326, sha256: '283b24b255f29786f4b917f650fb5254882f427249d936564df66cf8c193e38f' },
  {
    path: 'onnx/encoder_model_quantized.onnx',
    size: 23_200_994,
    sha256: '56d0072ce4f093faf730e7af9b1fc483bc2ee31c8e38cc7959c683df18f1a042',
  },
  {
    path: 'onnx/decoder_model_merged_quantized.onnx',
    size: 53_706_885,
    sha256: 'd3718bb714caebefddb99c3c41eace5a57cd236406d17ce06b349e96a3643bc9',
  },
]

/** The network of the embedded voice, in place of those of the further voices of its engine, which have the same form. */
export const EMBEDDED_HEART = fileURLToPath(new URL('../../../agent/engine/tts/heart/assets/hibari.onnx', import.meta.url))
/** The variable with the folder of `segmentation.onnx` and `campplus.onnx`, whose bytes depend on the program that exported them. */
export const DIARISATION_FOLDER = 'VOICE_STUDIO_TEST_DIARISATION'

/** A file as a line of a pin. */
export const pinLine = ({ path, size, sha256 }: ExportedFile): string => `${sha256} ${size} ${path}`
