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

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** `values`: `limit` names the limit, `amount` is its tasks, minutes or bytes, and `free` an epoch in ms or one of the words of the texts. */
export function limitSentence({ limit, amount, free }: FailureValues, { lang, decimal }: Language, texts: LimitTexts): string {
  const figure = (value: number, unit: string) => `${decimal(value, Number.isInteger(value) ? 0 : 1)}\u00a0${unit}`
  const bytes = (value: number) => {
    const power = value < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(value) / 3))
    return figure(Math.round((value / 1000 ** power) * 10) / 10, UNITS[power]!)
  }
  const most = Number(amount)
  const first =
    limit === 'tasks_at_once'
      ? texts.tasks_at_once(String(most))
      : limit === 'disk_bytes'
        ? texts.disk_bytes(bytes(most))
        : limit === 'sound_minutes_a_day' || limit === 'gpu_minutes_a_month'
          ? texts[limit](figure(Math.round(most * 10) / 10, 'min'))
          : null
  if (first === null || !Number.isFinite(most)) return texts.other
  // With the digits of all other figures, also in languages that have their own.
  const moment = (at: number) => new Date(at).toLocaleString(`${lang}-u-nu-latn`, { dateStyle: 'long', timeStyle: 'short' })
  const then =
    typeof free === 'number'
      ? texts.at(moment(free))
      : free === 'running' || free === 'deleted' || (free === 'never' && most > 0)
        ? texts[free]
        : ''
  return then === '' ? first : `${first} ${then}`
}
