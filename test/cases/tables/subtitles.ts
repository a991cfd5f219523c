// Subtitles as people have them. Cues are [from, to, text] in seconds.
import type { Case } from '../case.ts'

const one = (text: string) => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`
const timed = (line: string) => `1\n${line}\nHello.\n`
const TWO = '1\n00:00:01,000 --> 00:00:02,000\nHello there.\n\n2\n00:00:03,000 --> 00:00:04,000\nGood bye.\n'
const HELLO = [[1, 2, 'Hello.']] as const
const BOTH = [
  [1, 2, 'Hello there.'],
  [3, 4, 'Good bye.'],
] as const
const YOUTUBE = (n: number) => `00:00:0${2 * n}.000 --> 00:00:0${2 * n + 2}.000\n`

export const SUBTITLES: readonly Case[] = [
  { kind: 'breaks and blanks of ASS', file: 'ass-breaks.srt', entrance: 'subtitle file', right: [[3, 4, 'Pos\nnext line']] },
  { kind: 'line ends that were converted twice', file: 'double-cr.srt', entrance: 'subtitle file', right: BOTH },
  { kind: 'an arrow with a long dash', file: 'en-dash-arrow.srt', entrance: 'subtitle file', right: BOTH },
  {
    kind: 'times that a translator changed',
    file: 'translated-times.srt',
    entrance: 'subtitle file',
    right: [[1, 2, 'Machine translated.']],
  },
  { kind: 'two cues with one time', file: 'same-time.srt', entrance: 'subtitle file', right: [[1, 3, 'Top line.\nBottom line.']] },
  {
    kind: 'running captions',
    file: 'rolling.vtt',
    entrance: 'subtitle file',
    right: [
      [0, 2.01, 'hello there'],
      [2.01, 4.01, 'my friend'],
    ],
  },

  { kind: 'Chinese in GBK', file: 'gbk.srt', entrance: 'subtitle file', right: [[1, 2, '今天天气很好我们去公园']] },
  { kind: 'the first line of a cue is NOTE', text: one('NOTE\nto all'), entrance: 'subtitles', right: [[1, 2, 'NOTE\nto all']] },
  {
    kind: 'ASS with a speaker, a break and a drawing',
    text: '[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,Ann,0,0,0,,{\\i1}Hello{\\i0}\\Nthere.\nDialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}\n',
    entrance: 'subtitles',
    right: [[1, 2, 'Hello\nthere.']],
  },
  {
    kind: 'TTML with blanks of its layout',
    text: '<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml"><body><div>\n  <p begin="1s" end="2s">Hello\n    <span>there.</span></p>\n</div></body></tt>\n',
    entrance: 'subtitles',
    right: [[1, 2, 'Hello there.']],
  },
  { kind: 'line ends of three programs', text: TWO.replaceAll('\n', '\r\r\r\n'), entrance: 'subtitles', right: BOTH },
  { kind: 'a blank line after each line', text: TWO.replaceAll('\n', '\n\n'), entrance: 'subtitles', right: BOTH },
  { kind: 'a break of ASS in lower case', text: one('Hello\\nthere.'), entrance: 'subtitles', right: [[1, 2, 'Hello\nthere.']] },
  { kind: 'a path of Windows is no break', text: one('See C:\\New\\here.'), entrance: 'subtitles', right: [[1, 2, 'See C:\\New\\here.']] },
  { kind: 'a dash as long as two', text: timed('00:00:01,000 —> 00:00:02,000'), entrance: 'subtitles', right: HELLO },
  { kind: 'a blank in the arrow', text: timed('00:00:01,000 - -> 00:00:02,000'), entrance: 'subtitles', right: HELLO },
  { kind: 'an arrow of HTML', text: timed('00:00:01,000 --&gt; 00:00:02,000'), entrance: 'subtitles', right: HELLO },
  { kind: 'full-width times', text: timed('００：００：０１，０００ --> ００：００：０２，０００'), entrance: 'subtitles', right: HELLO },
  { kind: 'Arabic digits', text: timed('٠٠:٠٠:٠١٫٠٠٠ --> ٠٠:٠٠:٠٢٫٠٠٠'), entrance: 'subtitles', right: HELLO },
  { kind: 'three cues with one time', text: one('a') + one('b') + one('c'), entrance: 'subtitles', right: [[1, 2, 'a\nb\nc']] },
  { kind: 'layers of one text', text: one('a') + one('a'), entrance: 'subtitles', right: [[1, 2, 'a']] },
  {
    kind: 'a cue inside of another one',
    text: '00:00:01,000 --> 00:00:05,000\nLong.\n\n00:00:02,000 --> 00:00:03,000\nShort.\n',
    entrance: 'subtitles',
    right: [[1, 5, 'Long.\nShort.']],
  },
  {
    kind: 'a sign above what is said',
    text: '00:00:01,000 --> 00:00:59,000\nSIGN\n\n00:00:20,000 --> 00:00:21,000\nA.\n\n00:00:30,000 --> 00:00:31,000\nB.\n',
    entrance: 'subtitles',
    right: [
      [1, 20, 'SIGN'],
      [20, 21, 'A.'],
      [30, 31, 'B.'],
    ],
  },
  {
    kind: 'three lines that roll up',
    text: [0, 1, 2, 3].map((n) => `${YOUTUBE(n)}${['a', 'b', 'c', 'd'].slice(Math.max(0, n - 2), n + 1).join('\n')}\n`).join('\n'),
    entrance: 'subtitles',
    right: [
      [0, 2, 'a'],
      [2, 4, 'b'],
      [4, 6, 'c'],
      [6, 8, 'd'],
    ],
  },
  {
    kind: 'words that appear one by one',
    text: [0, 1, 2, 3].map((n) => `${YOUTUBE(n)}${['one', 'two', 'three', 'four'].slice(0, n + 1).join(' ')}\n`).join('\n'),
    entrance: 'subtitles',
    right: [[0, 8, 'one two three four']],
  },
  {
    kind: 'a word that is said twice',
    text: `${YOUTUBE(0)}No.\n\n${YOUTUBE(1)}No.\n\n${YOUTUBE(2)}Yes.\n`,
    entrance: 'subtitles',
    right: [
      [0, 2, 'No.'],
      [2, 4, 'No.'],
      [4, 6, 'Yes.'],
    ],
  },
]
