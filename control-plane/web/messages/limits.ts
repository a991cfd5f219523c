// The sentences of a limit of a person (QUOTA_EXCEEDED) from the names and figures of the failure.
import type { FailureValues } from './server.ts'

type Language = { readonly lang: string; readonly decimal: (value: number, digits: number) => string }
/** Amounts have their unit, min or GB, where they are no number of tasks. */
export type LimitTexts = {
  readonly tasks_at_once: (tasks: string) => string
  readonly sound_minutes_a_day: (time: string) => string
  readonly gpu_minutes_a_month: (time: string) => string
  readonly disk_bytes: (size: string) => string
  /** When something is free again: at a moment, when work of the person ends, when something is deleted, and never for so much at once. */
  readonly at: (moment: string) => string
  readonly running: string
  readonly deleted: string
  readonly never: string
  /** A limit of a later version. */
  readonly other: string
}

/** Small, because each language has it. `values`: `limit` names the limit, `amount` is its tasks, minutes or bytes, and `free` an epoch in ms or a text. */
export function limitSentence({ limit, amount, free }: FailureValues, { lang, decimal }: Language, texts: LimitTexts): string {
  const most = Number(amount)
  const figure = (value: number, unit: string) => `${decimal(value, value % 1 ? 1 : 0)}\u00a0${unit}`
  const first =
    limit === 'tasks_at_once'
      ? texts[limit](`${most}`)
      : limit === 'disk_bytes'
        ? texts[limit](figure(most / 1e9, 'GB'))
        : limit === 'sound_minutes_a_day' || limit === 'gpu_minutes_a_month'
          ? texts[limit](figure(most, 'min'))
          : texts.other
  // With the digits of all other figures, also in languages that have their own.
  if (typeof free === 'number')
    return `${first} ${texts.at(new Date(free).toLocaleString(`${lang}-u-nu-latn`, { dateStyle: 'long', timeStyle: 'short' }))}`
  return most > 0 && (free === 'running' || free === 'deleted' || free === 'never') ? `${first} ${texts[free]}` : first
}
