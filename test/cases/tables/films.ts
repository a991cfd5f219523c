// Films whose picture and sound begin or end at different times.
import type { Case } from '../case.ts'

type Right = Extract<Case, { readonly entrance: 'film' }>['right']
const whole = (seconds: number, remark = ''): Right => ({
  remark,
  download: [seconds, seconds],
  burned: [seconds, seconds],
  preview: [seconds, seconds],
  isSlowerOneWhole: true,
})
const ends = (picture: string, sound: string) =>
  `The picture ends after ${picture} s and the sound after ${sound} s. The last picture stays until then.`

export const FILMS: readonly Case[] = [
  { kind: 'a picture that is a little too short', file: 'short-picture.mp4', entrance: 'film', right: whole(8) },
  { kind: 'a picture of half the length', file: 'half-picture.mp4', entrance: 'film', right: whole(8, ends('4.0', '8.0')) },
  { kind: 'sound that begins late', file: 'late-sound.mkv', entrance: 'film', right: whole(9.5, ends('8.0', '9.5')) },
  {
    kind: 'a fragmented file, whose picture is 60 ms late',
    file: 'fragmented.mp4',
    entrance: 'tracks',
    right: { dub: -60, original: -60 },
  },
]
