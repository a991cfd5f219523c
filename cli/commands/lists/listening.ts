// The commands that turn speech into text, and text into another language.
import type { Command } from '#cli/lib/command.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { FORCE } from './options.ts'

export const LISTENING: readonly Command[] = [
  {
    name: 'transcribe',
    group: 'everyday',
    usage: 'transcribe FILE',
    line: 'Write down what a recording says',
    examples: [
      `${COMMAND} transcribe talk.mp3 -o talk.srt`,
      `${COMMAND} transcribe meeting.m4a --speakers -o meeting.txt`,
      `ffmpeg -i film.mkv -f wav - | ${COMMAND} transcribe - > film.txt`,
    ],
    options: [
      ['-', 'As FILE: standard input. After -o: standard output'],
      ['-o FILE', 'The file of the text (default: standard output)'],
      ['--format NAME', 'txt, srt, vtt or json (default: the extension of the file after -o, or txt)'],
      ['--language TAG', 'What is spoken, such as de or German (default: recognised)'],
      ['--speakers', 'Write who speaks: A, B, and so on'],
      ['--engine NAME', `A recogniser, see ${COMMAND} engines (default: the chosen one)`],
      FORCE,
    ],
    load: () => import('../transcribe.ts'),
  },
  {
    name: 'dictate',
    group: 'everyday',
    usage: 'dictate',
    line: 'Write down what you say, as you say it',
    examples: [`${COMMAND} dictate -o note.txt`, `arecord -q -f cd -t wav | ${COMMAND} dictate -`],
    options: [
      ['-', 'Sound of standard input, until it ends (default: the microphone, until Enter)'],
      ['-o FILE', 'The file of the text (default: standard output)'],
      ['--model NAME', 'A dictation model or a recogniser (default: the selected one)'],
      FORCE,
    ],
    load: () => import('../dictate.ts'),
  },
  {
    name: 'translate',
    group: 'everyday',
    usage: 'translate TEXT --to TAG',
    line: 'Translate a text, line by line',
    examples: [
      `${COMMAND} translate "Good morning." --to es`,
      `${COMMAND} transcribe talk.mp3 --quiet | ${COMMAND} translate - --to German`,
    ],
    options: [
      ['-', 'As TEXT: standard input'],
      ['--to TAG', `For example es or Spanish, see ${COMMAND} dub --languages`],
      ['--from TAG', 'Language of the text (default: what is recognised)'],
    ],
    load: () => import('../translate.ts'),
  },
]
