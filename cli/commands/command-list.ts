// Every command of users, in the order in which --help shows them. Each module is loaded on use, so that help stays fast.

import type { Command } from '#cli/lib/command.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { BACKUPS } from './lists/backups.ts'
import { GPU } from './lists/gpu.ts'
import { LISTENING } from './lists/listening.ts'
import { AGENT, WORKERS } from './lists/machines.ts'
import { FORCE, YES } from './lists/options.ts'
import { PEOPLE } from './lists/people.ts'
import { VERSIONS } from './lists/program.ts'
import { SERVICE } from './lists/service.ts'
import { SHELL } from './lists/shell.ts'
import { HISTORY, STATE } from './lists/state.ts'

const models = { name: 'models', group: 'everyday', load: () => import('./models.ts') } as const
const engines = { name: 'engines', group: 'everyday', load: () => import('./engines.ts') } as const
const tasks = { name: 'tasks', group: 'everyday', load: () => import('./tasks.ts') } as const
const book = { name: 'book', group: 'everyday', load: () => import('./book.ts') } as const
const projects = { name: 'projects', group: 'everyday', load: () => import('./projects.ts') } as const
const voices = { name: 'voices', group: 'everyday', load: () => import('./voices.ts') } as const
const audit = { name: 'audit', group: 'maintain', load: () => import('./audit.ts') } as const
const settings = { name: 'settings', group: 'maintain', load: () => import('./settings.ts') } as const
const authority = { name: 'authority', group: 'maintain', load: () => import('./authority.ts') } as const

export const COMMANDS: readonly Command[] = [
  {
    name: 'start',
    group: 'everyday',
    usage: '',
    line: 'Start the studio; Ctrl-C stops it',
    examples: [`${COMMAND} start`, `STUDIO_PORT=4000 ${COMMAND} start`],
    options: [['--json', `Log JSON lines instead of text: ${COMMAND} start --json`]],
    load: () => import('./start.ts'),
  },
  ...STATE,
  {
    name: 'say',
    group: 'everyday',
    usage: 'say TEXT -o FILE',
    line: 'Generate speech with the running studio',
    examples: [`${COMMAND} say "Good morning." -o morning.mp3`, `echo "Good morning." | ${COMMAND} say - > morning.wav`],
    options: [
      ['-', 'As TEXT: standard input. As FILE: standard output'],
      ['-o FILE', 'The file (default: standard output, if that is a pipe or a file)'],
      ['--voice NAME', "A voice or a saved profile (default: the engine's own voice)"],
      ['--engine NAME', `An engine, see ${COMMAND} engines (default: the chosen one)`],
      ['--format NAME', 'mp3, opus, aac, flac, wav or pcm (default: the extension of FILE, or mp3)'],
      ['--speed NUMBER', '0.25 to 4 (default: 1)'],
      FORCE,
      ['--ssml', 'TEXT is SSML (default: if it begins with <speak)'],
      ['--explain', 'Show how the text is read, stage by stage, and speak nothing'],
      ['--language TAG', 'With --explain: the language of the text, such as de (default: detected)'],
    ],
    load: () => import('./say.ts'),
  },
  ...LISTENING,
  ...HISTORY,
  {
    ...tasks,
    usage: 'tasks',
    line: 'List the newest tasks and why they wait',
    examples: [`${COMMAND} tasks --last 5`],
    options: [['--last NUMBER', 'Number of tasks, up to 200 (default: 20)']],
  },
  { ...tasks, usage: 'tasks cancel ID', line: 'Cancel a task' },
  {
    ...projects,
    usage: 'projects',
    line: 'List the projects of the clients',
    examples: [`${COMMAND} projects`],
  },
  { ...projects, usage: 'projects rename ID NAME', line: 'Rename a project' },
  { ...projects, usage: 'projects remove ID', line: 'Delete a project for good', options: [YES] },
  {
    name: 'design',
    group: 'everyday',
    usage: 'design TEXT --name NAME',
    line: 'Make a voice of a description',
    examples: [`${COMMAND} design "A deep, old man with a British accent" --name Walter`],
    options: [
      ['--name NAME', 'Name of the voice'],
      ['--language NAME', 'Language of the voice (default: Auto)'],
    ],
    load: () => import('./design.ts'),
  },
  {
    ...voices,
    usage: 'voices',
    line: 'List the voices of this studio',
    examples: [`${COMMAND} voices add ada.wav --name Ada`, `${COMMAND} voices export 1f3a9c21 -o ada.svcvoice`],
  },
  { ...voices, usage: 'voices show ID', line: 'Show a voice, its quality and its use' },
  {
    ...voices,
    usage: 'voices add FILE',
    line: 'Clone the voice of a recording',
    options: [
      ['--name NAME', 'Name of the voice (default: the name of the file)'],
      ['--text TEXT', 'What the recording says (default: recognised)'],
      ['--language NAME', 'Language of the voice (default: Auto)'],
      ['--statement FILE', 'Recording in which the speaker agrees; needs --agrees'],
      ['--agrees TEXT', 'What the speaker says in that recording'],
    ],
  },
  { ...voices, usage: 'voices remove ID', line: 'Delete a voice and its recordings', options: [YES] },
  { ...voices, usage: 'voices lock ID TAKE', line: 'Make a take the reference of a voice' },
  { ...voices, usage: 'voices unlock ID', line: 'Make the recording the reference again' },
  {
    ...voices,
    usage: 'voices export ID -o FILE',
    line: 'Write a saved voice to a .svcvoice file',
    options: [
      ['--licence NAME', 'For export: its SPDX name, for example CC-BY-4.0'],
      ['--without-reference', 'For export: a preview instead of the recordings'],
      FORCE,
    ],
  },
  { ...voices, usage: 'voices import FILE', line: 'Add the voice of such a file' },
  {
    ...book,
    usage: 'book list',
    line: 'List books that are finished or can go on',
    examples: [`${COMMAND} book render novel.epub -o novel.m4b`, `${COMMAND} book plan novel.epub`],
  },
  {
    ...book,
    usage: 'book plan FILE',
    line: 'Show chapters, lengths and voices of a book',
    options: [
      ['--voice NAME', 'The voice of text without one'],
      ['--language CODE', 'Language of the book (default: what the file says)'],
      ['--chapters LIST', 'Only these are spoken, for example 1-3,5 (default: those marked yes)'],
    ],
  },
  {
    ...book,
    usage: 'book render FILE -o BOOK',
    line: 'Read a book aloud: M4B, MP3 or EPUB',
    options: [
      ['--voice NAME', 'The voice of text without one'],
      ['--engine NAME', 'The engine (default: the selected one)'],
      ['--language CODE', 'Language of the book (default: what the file says)'],
      ['--loudness NAME', 'acx or podcast (default: the level of the voices)'],
      ['--bitrate RATE', 'For example 96k (default: 128k)'],
      ['--cover FILE', 'JPEG or PNG (default: the cover of the book)'],
      ['--title TEXT', 'Title (default: what the file says)'],
      ['--author TEXT', 'Author (default: what the file says)'],
      ['--titles', 'Speak the titles of chapters'],
      ['--chapters LIST', 'Only these chapters of book plan, for example 1-3,5'],
      ['--pause NAME=MS', 'Silence after a part of the layout, for example paragraph=800; repeat it for more'],
      FORCE,
    ],
  },
  { ...book, usage: 'book save ID -o BOOK', line: 'Copy a finished book to a file', options: [FORCE] },
  { ...book, usage: 'book resume ID -o BOOK', line: 'Continue a book, or fetch a finished one', options: [FORCE] },
  {
    name: 'dub',
    group: 'everyday',
    usage: 'dub FILE -o FILM.mp4',
    line: 'Dub a film; --to names the language',
    examples: [`${COMMAND} dub film.mp4 --to es -o film-es.mp4`],
    options: [
      ['--to LANGUAGE', 'For example es or Spanish; repeat it for more languages'],
      ['--from LANGUAGE', 'Language of the film (default: what is recognised)'],
      ['--voice NAME', "One voice for all lines (default: the speakers' own, where the engine can)"],
      ['--strategy NAME', 'concise, stretch_video, strict_slot or smart_fit (default: concise)'],
      ['--subtitles NAME', 'soft (in the film, off), burn, srt or vtt (default: soft)'],
      ['--speakers NUMBER', 'How many people speak, 1 to 20 (default: found)'],
      FORCE,
      ['--languages', 'List the codes and names of languages, and nothing else'],
    ],
    load: () => import('./dub.ts'),
  },
  {
    ...models,
    usage: 'models',
    line: 'List the models that can be installed',
    examples: [`${COMMAND} models install kokoro`, `${COMMAND} models add ~/models/voice.onnx`],
  },
  {
    ...models,
    usage: 'models install NAME',
    line: 'Install a model, for example kokoro',
    options: [['--accept-licence', 'Accept a licence that restricts the use of the model']],
  },
  {
    ...models,
    usage: 'models add PATH',
    line: 'Add your own model: file, folder or zip',
    options: [
      ['--engine ID', 'For add: the engine that must read it (default: found)'],
      ['--name NAME', 'For add: its name (default: as its files are called)'],
      ['--found ID', 'For add: one of models found, in place of PATH'],
    ],
  },
  { ...models, usage: 'models found', line: 'List models of other programs here' },
  {
    ...models,
    usage: 'models verify NAME',
    line: 'Check an installed model, print a report',
    options: [['--worker NAME', `For add, verify, remove: this machine of ${COMMAND} workers`]],
  },
  { ...models, usage: 'models remove NAME', line: 'Delete a model', options: [YES] },
  {
    ...engines,
    usage: 'engines',
    line: 'List the engines and what they need',
    examples: [`${COMMAND} engines use kokoro`],
  },
  { ...engines, usage: 'engines use ID', line: 'Use an engine where a request names none' },
  {
    name: 'invite',
    group: 'borrow',
    usage: 'invite',
    line: 'Create a join code for another machine',
    examples: [`${COMMAND} invite --label attic`],
    options: [
      ['--label NAME', 'Name of the machine in this studio'],
      ['--endpoint HOST:PORT', 'Address that the machine connects to (default: this machine in its network)'],
      ['--ttl SECONDS', 'How long the code is valid, 60 to 86400 (default: 900)'],
    ],
    load: () => import('./invite.ts'),
  },
  ...WORKERS,
  ...AGENT,
  {
    name: 'key',
    group: 'maintain',
    usage: 'key create',
    line: 'Print a new API key for STUDIO_API_KEY',
    examples: [`${COMMAND} key create > attic.key`],
    load: () => import('./key.ts'),
  },
  ...PEOPLE,
  {
    name: 'doctor',
    group: 'maintain',
    usage: 'doctor',
    line: 'Find problems and how to fix them',
    examples: [`${COMMAND} doctor`],
    load: () => import('./doctor.ts'),
  },
  ...GPU,
  ...SERVICE,
  ...VERSIONS,
  {
    name: 'logs',
    group: 'maintain',
    usage: 'logs',
    line: 'Show the newest lines of the log',
    examples: [`${COMMAND} logs --last 100`, `${COMMAND} logs --follow`],
    options: [
      ['--last NUMBER', 'Number of lines, 0 to 2000 (default: 50)'],
      ['--follow', 'Keep printing new lines until Ctrl-C'],
    ],
    load: () => import('./logs.ts'),
  },
  {
    name: 'setup',
    group: 'maintain',
    usage: 'setup',
    line: 'Install optional Debian packages',
    examples: [`${COMMAND} setup --yes`],
    printsLines: true,
    options: [
      ['--yes', 'Do not ask for confirmation'],
      ['--pages', 'Bundle the web pages instead, for a studio that may not write to its program folder'],
    ],
    load: () => import('./setup.ts'),
  },
  {
    ...settings,
    usage: 'settings list [WORD]',
    line: 'List changed settings, or those of a word',
    examples: [`${COMMAND} settings list history`, `${COMMAND} settings set history.retention 30`],
    options: [['--all', 'also the settings with their default']],
  },
  { ...settings, usage: 'settings get KEY', line: 'Show a setting and the source of its value' },
  {
    ...settings,
    usage: 'settings set KEY VALUE',
    line: 'Change a setting',
    options: [['-', 'As VALUE: standard input, required for secrets']],
  },
  { ...settings, usage: 'settings rotate-key', line: 'Encrypt the stored secrets with a new key' },
  ...BACKUPS,
  {
    ...audit,
    usage: 'audit show',
    line: 'Show who joined, was approved or removed',
    examples: [`${COMMAND} audit show --last 10`, `${COMMAND} audit verify`],
    options: [['--last NUMBER', 'For show: number of entries (default: 50)']],
  },
  {
    ...audit,
    usage: 'audit verify',
    line: 'Verify that the audit log is unchanged',
    options: [['--head COUNT:DIGEST', 'For verify: check that the log continues an earlier head']],
  },
  {
    ...authority,
    usage: 'authority show',
    line: 'Show the key that certifies machines',
    examples: [`${COMMAND} authority show`],
  },
  { ...authority, usage: 'authority prepare', line: 'Replace that key, step 1: create a new one' },
  { ...authority, usage: 'authority activate', line: 'Step 2: certify with the new key' },
  {
    ...authority,
    usage: 'authority retire',
    line: 'Step 3: stop accepting the old key',
    options: [['--force', 'For retire: even if some machines have not followed; those must join again']],
  },
  ...SHELL,
  {
    name: '--help',
    group: 'maintain',
    usage: '--help',
    line: 'Show this page',
    examples: [`${COMMAND} --help`],
    printsLines: true,
    load: () => import('./help.ts'),
  },
  {
    name: '--version',
    group: 'maintain',
    usage: '--version',
    line: 'Show the versions of studio and Node',
    examples: [`${COMMAND} --version`],
    load: () => import('./version.ts'),
  },
]
