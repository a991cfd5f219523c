// `status`: what runs where: the studio, its work, its machines, its disk and its notices.

import { type CommandRun, parseArguments, print, refuseArguments } from '#cli/lib/command.ts'
import { readStudioState, type StudioState } from '#cli/lib/studio/state.ts'
import { relativeTime } from '#cli/views/relative-time.ts'
import { pairLines, printable, shortDuration, tableLines } from '#cli/views/table.ts'
import { workerLines } from '#cli/views/worker-views.ts'

const LABEL_WIDTH = 7

export const run: CommandRun = async (args, { env, output }) => {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } })
  refuseArguments('status', positionals)
  const state = await readStudioState(env)
  print({ value: state, lines: linesFor(state, Date.now() / 1000) }, values.json, output)
  return 0
}

function linesFor({ studio, disk, jobs, tasks, machines, notices }: StudioState, now: number): string[] {
  const since = studio.started_at === null ? '' : `, started ${relativeTime(studio.started_at, now)}`
  const free = disk.free_gb === null ? '' : `, ${disk.free_gb} GB free`
  const facts = pairLines(
    [
      ['Studio', `${studio.version} at ${studio.address}${since}`],
      ...(studio.ends_at === null ? [] : [['Ending', endOf(studio.ends_at - now)] as const]),
      ['Data', `${disk.data_dir}${free}`],
      ['Jobs', `${jobs.running} running, ${jobs.waiting} waiting`],
      ['Tasks', `${tasks.running} running, ${tasks.waiting} waiting`],
    ],
    LABEL_WIDTH,
  )
  const active = tableLines(
    ['JOB', 'WORK', 'STATE', 'AGE', 'LEFT'],
    jobs.active.map(({ id, type, status, progress, created_at, seconds_left }) => ({
      cells: [
        id,
        type,
        status === 'pending' ? 'waiting' : progress === null ? status : `${status} ${Math.floor(progress * 100)} %`,
        shortDuration(now - created_at),
        seconds_left === null ? '-' : `about ${shortDuration(seconds_left)}`,
      ],
    })),
    [24, 16, 14, 8, 14],
  )
  const notes = notices.flatMap(({ level, title, message }) => pairLines([[level, printable(`${title}. ${message}`)]], LABEL_WIDTH))
  return [
    ...facts,
    '',
    ...workerLines(machines.all, { target: machines.target, isOn: machines.is_on, now }),
    ...(jobs.active.length > 0 ? ['', ...active] : []),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ]
}

const endOf = (seconds: number): string =>
  `accepts no new work, ends when what runs has ended, in ${shortDuration(Math.max(0, seconds))} at the latest`
