// Compares the graphs of a model with the contracts of its engine, from the files alone: it also describes a graph that no runtime opens.
import { basename } from 'node:path'
import { contractDifferences, type TensorSlot } from '#agent/engine/runtimes/onnx/session.ts'
import { readSignature, type Signature } from '#agent/engine/runtimes/onnx/signature.ts'
import type { ModelFiles } from '#agent/engine/seam/model-files.ts'
import type { Check } from '#agent/engine/seam/verification.ts'

type Judged = { readonly outcome: 'pass' | 'differs' | 'skipped'; readonly expected: string; readonly found: string }
const SLOTS_SHOWN = 6
const MAX_GRAPHS = 40

/** One for each graph of the model, and one for each graph that is missing. */
export function graphChecks(checks: readonly Check[], files: ModelFiles): { title: string; judge: () => Promise<Judged> }[] {
  const expected = checks.filter((check) => check.kind === 'graph')
  const graphs = [...files].filter(([name]) => name.endsWith('.onnx')).slice(0, MAX_GRAPHS)
  const isThere = (file: string) => graphs.some(([name]) => basename(name) === file)
  const missing = expected.filter(({ file, isOptional }) => !isOptional && !isThere(file))
  return [
    ...graphs.map(([name, path]) => ({
      title: `graph ${basename(name)}`,
      async judge(): Promise<Judged> {
        const signature = await readSignature(path)
        const contract = expected.find(({ file }) => file === basename(name))?.contract
        const wrong = contract ? contractDifferences(signature, contract) : []
        const text = signatureText(signature)
        if (wrong.length === 0) return { outcome: 'pass', expected: '', found: text }
        return { outcome: 'differs', expected: 'the names, types and shapes of the engine', found: `${wrong.join('; ')}. It has ${text}` }
      },
    })),
    ...missing.map(({ file }) => ({
      title: `graph ${file}`,
      judge: async (): Promise<Judged> => ({ outcome: 'differs', expected: 'a file of this name', found: 'none' }),
    })),
  ]
}

const signatureText = ({ inputs, outputs }: Signature): string => `${slotsText(inputs)} -> ${slotsText(outputs)}`

function slotsText(slots: readonly TensorSlot[]): string {
  const shown = slots.slice(0, SLOTS_SHOWN).map(({ name, type, dims }) => `${name} ${type}[${dims.map((size) => size ?? '?').join(',')}]`)
  return [...shown, ...(slots.length > shown.length ? [`and ${slots.length - shown.length} more`] : [])].join(', ')
}
