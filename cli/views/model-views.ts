// Models and downloads as lines for a terminal.

import { z } from 'zod'
import { modelsContracts } from '#control-plane/features/machines/models/models.contract.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { tableLines } from './table.ts'

const { models, total_installed_bytes, disk_free_gb } = modelsContracts.list.reply.shape
const Model = models.element.pick({
  repo_id: true,
  label: true,
  engine: true,
  role: true,
  licence: true,
  gated: true,
  licence_accepted: true,
  card: true,
  group: true,
  note: true,
  size_gb: true,
  size_on_disk_bytes: true,
  installed: true,
  incomplete: true,
  installing: true,
  supported: true,
  own: true,
})
export const ModelsAnswer = z.object({ models: z.array(Model), total_installed_bytes, disk_free_gb })
type ModelsAnswer = z.output<typeof ModelsAnswer>
export type ListedModel = ModelsAnswer['models'][number]

const stateOf = ({ installed, incomplete, installing, supported }: ListedModel): string =>
  installed ? 'installed' : installing ? 'downloading' : incomplete ? 'incomplete' : supported ? 'not installed' : 'not supported'

const rowOf = (model: ListedModel) => ({
  cells: [
    stateOf(model),
    model.size_on_disk_bytes > 0 ? shortBytes(model.size_on_disk_bytes) : shortBytes(model.size_gb * 1e9),
    model.role,
    model.label,
  ],
  notes: [
    model.own
      ? `${model.repo_id} (from files, not verified against a publisher)`
      : `${model.repo_id}  (${model.licence}${model.licence_accepted ? '' : ', must be accepted first'})`,
  ],
})

/** Models of a group that are neither here nor on their way: one line with their names. */
function groupRow(group: string, models: readonly ListedModel[]) {
  const sizes = new Set(models.map(({ size_gb }) => size_gb * 1e9))
  const least = shortBytes(Math.min(...sizes))
  return {
    cells: ['not installed', sizes.size === 1 ? least : `≥ ${least}`, models[0]!.role, `${group} (${models.length})`],
    notes: [models.map(({ repo_id }) => repo_id.slice(repo_id.indexOf('/') + 1)).join(', ')],
  }
}

/** A group is listed at the place of its first model. */
function rowsOf(models: readonly ListedModel[]) {
  const groups = new Map<string, ListedModel[]>()
  for (const model of models)
    if (model.group !== null && stateOf(model) === 'not installed') groups.set(model.group, [...(groups.get(model.group) ?? []), model])
  return models.flatMap((model) => {
    const folded = groups.get(model.group ?? '')
    if (!folded || folded.length === 1 || !folded.includes(model)) return [rowOf(model)]
    return folded[0] === model ? [groupRow(model.group!, folded)] : []
  })
}

export function modelLines({ models, total_installed_bytes, disk_free_gb }: ModelsAnswer): string[] {
  const rows = rowsOf(models)
  const count = models.filter(({ installed }) => installed).length
  const own = models.filter((model) => model.own).length
  return [
    ...tableLines(['STATE', 'SIZE', 'FOR', 'MODEL'], rows, [20, 10, 12, 80]),
    '',
    `Installed: ${count} of ${models.length}, ${shortBytes(total_installed_bytes)}`,
    ...(own === 0 ? [] : [`Added from files, not verified against a publisher: ${own}`]),
    ...(disk_free_gb === null ? [] : [`Free disk space: ${disk_free_gb} GB`]),
    `Install a model: ${COMMAND} models install NAME, for example: ${COMMAND} models install kokoro`,
    'Without a model, the embedded voice Heart speaks English.',
  ]
}

/** A progress line. `columns`: width of the terminal; 0 omits the bar. */
export function barLine(event: Readonly<Record<string, unknown>>, columns: number): string {
  const number = (name: string) => (typeof event[name] === 'number' ? (event[name] as number) : 0)
  const [done, total, rate, eta] = [number('bytes_done'), number('total_bytes'), number('rate'), number('eta_seconds')]
  const share = total > 0 ? Math.min(1, done / total) : 0
  const words = [
    `${String(Math.floor(share * 100)).padStart(3)} %`,
    `${shortBytes(done)} of ${shortBytes(total)}`,
    ...(rate > 0 && done < total ? [`${shortBytes(rate)}/s`] : []),
    ...(eta > 0 ? [`${timeOf(eta)} left`] : []),
  ].join('  ')
  return withBar(words, share, columns)
}

/** `share`: from 0 to 1. Words alone where the terminal is too narrow for a bar, or has no columns. */
export function withBar(words: string, share: number, columns: number): string {
  const width = Math.min(30, columns - words.length - 3)
  if (width < 8) return columns > 0 ? words.slice(0, columns - 1) : words
  const filled = Math.round(share * width)
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${words}`
}

const timeOf = (seconds: number): string =>
  seconds < 90 ? `${seconds} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
