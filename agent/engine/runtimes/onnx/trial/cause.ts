// Explains why a device cannot be used, in words for its owner. The runtime reports most causes as C++ signatures, and names a missing
// library only on standard error. Pure.

/** The answer of the child process of a trial. `milliseconds`: for one product of matrices. */
export type TrialAnswer =
  | { readonly kind: 'works' }
  | { readonly kind: 'wrong'; readonly found: readonly number[] }
  | { readonly kind: 'slow'; readonly milliseconds: number; readonly cpuMilliseconds: number }
  | { readonly kind: 'failed'; readonly message: string }

const LONGEST = 200
const CUDA_CAUSES: Readonly<Record<string, string>> = {
  35: 'the NVIDIA driver is too old',
  100: 'the driver finds no GPU',
  209: 'the runtime has no code for this GPU, which is too old or too new',
}

/** `errors`: standard error of the child process. Null when the device works. */
export function causeOf(answer: TrialAnswer, errors: string): string | null {
  if (answer.kind === 'works') return null
  if (answer.kind === 'wrong') return `it computes wrong results (${answer.found.join(', ')})`
  if (answer.kind === 'slow')
    return `it is slower than the CPU (${rounded(answer.milliseconds)} ms for a product of matrices, the CPU ${rounded(answer.cpuMilliseconds)} ms)`
  const text = `${errors}\n${answer.message}`
  return missingLibrary(text) ?? cudaCause(text) ?? driverCause(text) ?? lastWords(answer.message)
}

const rounded = (milliseconds: number): string =>
  milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds).toLocaleString('en')

function missingLibrary(text: string): string | null {
  const [before = '', ...rest] = text.split(': cannot open shared object file', 2)
  if (rest.length === 0) return null
  const library = before
    .slice(-100)
    .split(/[\s:/]/)
    .at(-1)!
  if (library.startsWith('libcuda.so')) return 'the NVIDIA driver is missing (libcuda.so.1)'
  if (library.startsWith('libonnxruntime_providers')) return `the part of the runtime for this device is not installed (${library})`
  return `the library ${library} is missing`
}

/** The message goes on with the name of the machine and places in the source. */
function cudaCause(text: string): string | null {
  const [, code, words] = /CUDA failure (\d{1,5}): ([^;\n]{1,200})/.exec(text) ?? []
  return code === undefined ? null : `${CUDA_CAUSES[code] ?? words!.trim()} (CUDA failure ${code})`
}

const driverCause = (text: string): string | null =>
  /No supported adapters|Found no drivers/.test(text) ? 'no GPU driver was found (software drivers do not count)' : null

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
