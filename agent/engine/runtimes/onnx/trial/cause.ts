// Finds the cause why a device cannot be used. The runtime reports most causes as C++ signatures, and names a missing library only on standard
// error. Pure.

import { type GpuCause, type GpuCauseCode, gpuCause } from '#shared/protocol/fields/gpu-causes.ts'

/** The answer of the child process of a trial. `milliseconds`: for one product of matrices. */
export type TrialAnswer =
  | { readonly kind: 'works' }
  | { readonly kind: 'wrong'; readonly found: readonly number[] }
  | { readonly kind: 'slow'; readonly milliseconds: number; readonly cpuMilliseconds: number }
  | { readonly kind: 'failed'; readonly message: string }
type Place = { readonly inContainer: boolean }

const LONGEST = 200
const CUDA_CODES: Readonly<Record<string, GpuCauseCode>> = { 35: 'driver-old', 100: 'no-device', 209: 'card-unsupported' }

/** `errors`: standard error of the child process. Null when the device works. */
export function causeOf(answer: TrialAnswer, errors: string, place: Place = { inContainer: false }): GpuCause | null {
  if (answer.kind === 'works') return null
  if (answer.kind === 'wrong') return gpuCause('wrong-results', answer.found.join(', '))
  if (answer.kind === 'slow')
    return gpuCause(
      'slower-than-cpu',
      `${rounded(answer.milliseconds)} ms for a product of matrices, the CPU ${rounded(answer.cpuMilliseconds)} ms`,
    )
  const text = `${errors}\n${answer.message}`
  return missingLibrary(text, place) ?? cudaCause(text) ?? graphicsCause(text) ?? gpuCause('other', lastWords(answer.message))
}

const rounded = (milliseconds: number): string =>
  milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds).toLocaleString('en')

function missingLibrary(text: string, { inContainer }: Place): GpuCause | null {
  const [before = '', ...rest] = text.split(': cannot open shared object file', 2)
  if (rest.length === 0) return null
  const library = before
    .slice(-100)
    .split(/[\s:/]/)
    .at(-1)!
  if (library.startsWith('libcuda.so')) return gpuCause(inContainer ? 'driver-not-in-container' : 'driver-missing')
  if (library.startsWith('libonnxruntime_providers')) return gpuCause('provider-missing', library)
  return gpuCause('library-missing', library)
}

/** The message goes on with the name of the machine and places in the source. */
function cudaCause(text: string): GpuCause | null {
  const [, number, words] = /CUDA failure (\d{1,5}): ([^;\n]{1,200})/.exec(text) ?? []
  if (number === undefined) return null
  const code = CUDA_CODES[number]
  return code ? gpuCause(code, ` (CUDA failure ${number})`) : gpuCause('other', `${words!.trim()} (CUDA failure ${number})`)
}

const graphicsCause = (text: string): GpuCause | null =>
  /No supported adapters|Found no drivers/.test(text) ? gpuCause('no-graphics-driver') : null

/** The text after the places and signatures of a message of the runtime. */
function lastWords(message: string): string {
  const line = message.split('\n').find((each) => each.trim() !== '') ?? 'it gave no reason'
  const words = line
    .replace(/^.*\[ONNXRuntimeError\] : \d+ : [A-Z_]+ : /, '')
    .replace(/^.* was false\. /, '')
    .replace(/^\/\S+:\d+ /, '')
    .trim()
  return words.length <= LONGEST ? words : `…${words.slice(-LONGEST)}`
}
