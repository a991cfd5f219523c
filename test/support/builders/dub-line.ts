import { type DubLine, NEW_LINE } from '#control-plane/features/dubbing/store/line.ts'

/** A line of one second without edits and checks, whose text has its id. `textOriginal` is the text unless it is given. */
export function dubLine({ id = 's00000', startUs = 0, text = `line ${id}`, ...fields }: Partial<DubLine> = {}): DubLine {
  return { ...NEW_LINE, id, startUs, endUs: startUs + 1_000_000, text, textOriginal: text, speakerId: 'Speaker 1', ...fields }
}
