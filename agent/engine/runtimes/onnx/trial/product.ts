// A product of matrices on a device: whether its result is right, and how long it takes beside the CPU. For the child process of a trial.
import { availableParallelism } from 'node:os'
import { loadOnnx, type OnnxLibrary } from '../library.ts'
import { defaultThreads } from '../place.ts'
import type { TrialAnswer } from './cause.ts'

/** Software needs a second for the smallest product and half an hour for the largest; a GPU on a slow bus is faster at the largest only. */
const SIZES = [256, 512, 2048]
/** Slower than any GPU: a larger product does not change it. */
const isSoftware = (milliseconds: number, cpuMilliseconds: number): boolean => milliseconds > 100 && milliseconds > 20 * cpuMilliseconds
const ROUNDS = 3
const RIGHT = [8, 12, 18, 26]

type Session = Awaited<ReturnType<OnnxLibrary['InferenceSession']['create']>>
type Place = { readonly device: string; readonly threads: number }

/** `device`: the name of a provider of the runtime. Throws what the runtime throws. */
export async function tryProduct(device: string): Promise<TrialAnswer> {
  const ort = await loadOnnx()
  const threads = defaultThreads(availableParallelism())
  const open = ({ device: name, threads: count }: Place, size: number): Promise<Session> =>
    ort.InferenceSession.create(productGraph(size), { executionProviders: [name], intraOpNumThreads: count, logSeverityLevel: 4 })
  const matrix = (values: Float32Array, size: number) => new ort.Tensor('float32', values, [size, size])

  const small = await open({ device, threads }, 2)
  const { y } = await small.run({ x: matrix(Float32Array.of(1, 2, 3, 4), 2) })
  const found = [...(y!.data as Float32Array)]
  if (found.join() !== RIGHT.join()) return { kind: 'wrong', found }
  if (device === 'cpu') return { kind: 'works' }

  let answer: TrialAnswer = { kind: 'works' }
  for (const size of SIZES) {
    const x = matrix(new Float32Array(size * size).fill(1 / size), size)
    const places = [await open({ device: 'cpu', threads }, size), await open({ device, threads }, size)] as const
    const [cpuMilliseconds, milliseconds] = await fastest(places, async (session) => void (await session.run({ x })))
    if (milliseconds <= cpuMilliseconds) return { kind: 'works' }
    answer = { kind: 'slow', milliseconds, cpuMilliseconds }
    if (isSoftware(milliseconds, cpuMilliseconds)) break
  }
  return answer
}

/** The shortest time of each, in turns; the first run, which compiles and allocates, does not count. */
async function fastest(sessions: readonly [Session, Session], run: (session: Session) => Promise<void>): Promise<[number, number]> {
  const least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const session of sessions) await run(session)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, session] of sessions.entries()) {
      const startedAt = performance.now()
      await run(session)
      least[at] = Math.min(least[at]!, performance.now() - startedAt)
    }
    if (isSoftware(least[1], least[0])) break
  }
  return least
}

/** ONNX, opset 17: y = x · x + x for a square matrix, a graph that every device must run. */
export function productGraph(size: number): Buffer {
  const value = (field: number, name: string) => {
    const dimension = message(1, integer(1, size))
    const FLOAT = integer(1, 1)
    return message(field, text(1, name), message(2, message(1, FLOAT, message(2, dimension, dimension))))
  }
  const node = (op: string, inputs: readonly string[], output: string) =>
    message(1, ...inputs.map((name) => text(1, name)), text(2, output), text(4, op))
  const graph = [node('MatMul', ['x', 'x'], 'p'), node('Add', ['p', 'x'], 'y'), text(2, 'product'), value(11, 'x'), value(12, 'y')]
  return Buffer.concat([integer(1, 8), message(7, ...graph), message(8, text(1, ''), integer(2, 17))])
}
/** A field of a protobuf message with a length below 128. */
function message(field: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of((field << 3) | 2, content.length), content])
}
const text = (field: number, value: string): Buffer => message(field, Buffer.from(value))
function integer(field: number, value: number): Buffer {
  const bytes = [field << 3]
  for (let left = value; ; left >>= 7) {
    bytes.push(left > 127 ? (left & 127) | 128 : left)
    if (left <= 127) return Buffer.from(bytes)
  }
}
