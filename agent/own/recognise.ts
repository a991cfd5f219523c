// Recognises a model by its files: by the inputs and outputs of its graphs, and by what lies beside them. Names of files never become paths: a
// layout chooses the path of each.

import { isPlainPath } from '#shared/models/model.ts'
import { isOwnName, NAME_RULE, ownModel, ownNameFrom } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import type { Look, Plan } from './layout.ts'
import type { Offered } from './offered.ts'
import { RECOGNITION_LAYOUTS } from './recognition-layouts.ts'
import { readSmallJson } from './small-json.ts'
import { SPEECH_LAYOUTS } from './speech-layouts.ts'

export type RecognisedModel = Plan & {
  readonly engine: string
  readonly role: 'TTS' | 'ASR'
  readonly kind: string
  readonly name: string
  readonly model: string
}
/** '' of both: as the files say. */
export type Wanted = { readonly name: string; readonly engine: string }

const LAYOUTS = [...SPEECH_LAYOUTS, ...RECOGNITION_LAYOUTS]
export const OWN_ENGINES: readonly string[] = [...new Set(LAYOUTS.map(({ engine }) => engine))]
const [FILES_SHOWN, SLOTS_SHOWN, NAME_SHOWN] = [8, 5, 60]
/** Name of a model whose files have no usable one. */
const UNNAMED = 'model'

/** Throws BAD_REQUEST that says what was found, or for a name or an engine that cannot be, and the reason of the signal. */
export async function recogniseModel(files: readonly Offered[], { name, engine }: Wanted, signal: AbortSignal): Promise<RecognisedModel> {
  if (engine !== '' && !OWN_ENGINES.includes(engine))
    throw new Failure('BAD_REQUEST', `No files can be added for the engine ${engine.slice(0, 64)}. Engines: ${OWN_ENGINES.join(', ')}.`)
  if (name !== '' && !isOwnName(name)) throw new Failure('BAD_REQUEST', `The name cannot be used. ${NAME_RULE}`)
  const near: string[] = []
  const nameFor = (named: string) => name || ownNameFrom(named) || UNNAMED
  const look: Look = { files, modelFor: (named) => ownModel(nameFor(named)), jsonOf: (file) => readSmallJson(file, signal) }
  for (const layout of LAYOUTS) {
    if (engine !== '' && layout.engine !== engine) continue
    // Each layout reads all the files, and the agent serves others meanwhile.
    await nextTurn()
    signal.throwIfAborted()
    const found = await layout.find(look)
    if (found === null) continue
    if ('lacks' in found) {
      near.push(`They look like ${layout.kind}, but this is missing: ${found.lacks}.`)
      continue
    }
    const chosen = nameFor(found.named)
    const model = ownModel(chosen)
    const paths = found.files.map(({ to }) => to)
    if (new Set(paths).size !== paths.length || !paths.every(isPlainPath))
      throw new Failure('BAD_REQUEST', 'Two of the files would have the same name in the model. Add one model at a time.')
    return { ...found, engine: layout.engine, role: layout.role ?? 'TTS', kind: layout.kind, name: chosen, model }
  }
  const what = near.length > 0 ? near.slice(0, 3).join(' ') : whyNot(files, engine)
  throw new Failure('BAD_REQUEST', `The files are no model that can be added. ${what} Found: ${foundText(files)}.`)
}

function whyNot(files: readonly Offered[], engine: string): string {
  if (engine !== '') return `The engine ${engine} cannot read them.`
  if (files.some(({ graph }) => graph !== null)) return 'No engine takes the inputs of these graphs.'
  if (files.some(({ name }) => /\.(?:safetensors|pth?|ckpt|gguf|ggml)$/i.test(name)))
    return 'They are weights of another program; the export as ONNX is needed.'
  return 'There is no ONNX graph among them.'
}

function foundText(files: readonly Offered[]): string {
  const graphsFirst = files.toSorted((left, right) => Number(right.graph !== null) - Number(left.graph !== null) || right.size - left.size)
  const shown = graphsFirst.slice(0, FILES_SHOWN).map(describe)
  return [...shown, ...(files.length > shown.length ? [`and ${files.length - shown.length} more`] : [])].join('; ')
}

function describe({ name, size, graph, fault }: Offered): string {
  const short = name.length > NAME_SHOWN ? `…${name.slice(-NAME_SHOWN)}` : name
  if (fault !== '') return `${short} (no ONNX graph: ${fault})`
  if (graph === null) return `${short} (${shortBytes(size)})`
  const slots = (all: readonly { readonly name: string }[]) =>
    [
      ...all.slice(0, SLOTS_SHOWN).map((slot) => cleanLine(slot.name).slice(0, NAME_SHOWN)),
      ...(all.length > SLOTS_SHOWN ? ['…'] : []),
    ].join(', ')
  return `${short} (graph: ${slots(graph.inputs)} → ${slots(graph.outputs)})`
}
