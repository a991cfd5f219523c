// Paragraphs of a chapter: each change is one of the text, and changes nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  alone,
  paragraphsOf,
  sentencesOf,
  withEdited,
  withoutPause,
  withSpeaker,
  withTake,
  withWords,
} from '#control-plane/web/pages/audiobook-text/paragraphs.ts'
import { parseScript } from '#shared/text/script/script.ts'

const TEXT =
  '# One\n\nThe quay. [voice:Ann] It is “late”.\n\nStill Ann. [pause 1.5s] [[Wits|whits]] End.\n\n[voice:default] The narrator.\n'
/** A scene break has none of its own. */
const speakersOf = (text: string) => paragraphsOf(text).map(({ speaker, isBreak }) => (isBreak ? '*' : speaker))
const wordsOf = (text: string) =>
  paragraphsOf(text).map(({ pieces }) => pieces.map((piece) => ('text' in piece ? piece.text : `<${piece.kind}>`)).join(''))

test('a chapter is read as paragraphs with speakers, pauses and pronunciations, without its title', () => {
  assert.deepEqual(speakersOf(TEXT), ['', 'Ann', ''])
  assert.deepEqual(wordsOf(TEXT), ['The quay. <voice> It is “late”.', 'Still Ann. <pause> Wits End.', 'The narrator.'])
  assert.deepEqual(wordsOf('\\[no\\] \\# x [laughter] [slow]a[/slow]'), ['[no\\] # x [laughter] a'])
  assert.deepEqual(wordsOf(`one\ntwo\n## Part\n${'long '.repeat(40)}\nthree`).length, 4)
})

test('a speaker of one paragraph is changed, and the paragraphs after it keep theirs', () => {
  const text = '# T\n\nOne.\n\nTwo.\n\n[voice:Bo] Three.\n\nFour.\n'
  for (const [index, name] of [
    [0, 'Ann'],
    [1, 'Ann'],
    [2, ''],
    [3, ''],
    [2, 'Ann'],
  ] as const) {
    const expected = speakersOf(text).with(index, name)
    assert.deepEqual(speakersOf(withSpeaker(text, paragraphsOf(text), index, name)), expected, `${index} ${name}`)
  }
  const there = withSpeaker(text, paragraphsOf(text), 1, 'Ann')
  assert.equal(withSpeaker(there, paragraphsOf(there), 1, '').replaceAll('[voice:default] ', ''), text)
})

test('a paragraph that is edited while another browser changes the chapter is found again, and no words of either are lost', () => {
  const before = 'One.\n\nTwo.\n\nThree.\n'
  const edited = (text: string) => withEdited(text, paragraphsOf(text), 1, { before: 'Two.', words: 'Second.' })
  assert.equal(edited(before), 'One.\n\nSecond.\n\nThree.\n')
  assert.equal(edited('Zero.\n\nOne.\n\nTwo.\n\nThree.\n'), 'Zero.\n\nOne.\n\nSecond.\n\nThree.\n')
  assert.deepEqual(wordsOf(edited('One.\n\nTwo of them.\n\nThree.\n')), ['One.', 'Two of them.', 'Second.', 'Three.'])
  assert.deepEqual(wordsOf(edited('One.\n')), ['One.', 'Second.'])
})

test('a pause at the start of a paragraph is removed, and the paragraph stays one of its own', () => {
  const text = 'One.\n\n[pause 1s] Two. [pause 2s] Three.\n'
  const [, two] = paragraphsOf(text)
  const [first, , second] = two!.pieces
  assert.deepEqual(wordsOf(withoutPause(text, two!, first!)), ['One.', 'Two. <pause> Three.'])
  assert.deepEqual(wordsOf(withoutPause(text, two!, second!)), ['One.', '<pause> Two. Three.'])
})

test('a take of a sentence is marked, numbered again and removed, and the server reads it', () => {
  const [one] = paragraphsOf(TEXT)
  const piece = one!.pieces[0]!
  assert.ok(piece.kind === 'words')
  const [sentence] = sentencesOf(piece, 'en')
  const second = withTake(TEXT, sentence!, 2)
  assert.match(second.text, /\n\[take 2\]The quay\. ?\[\/take\]/)
  assert.deepEqual(
    parseScript(second.text)[0]!
      .spans.map(({ text, take }) => [text, take])
      .slice(0, 2),
    [
      ['The quay.', 2],
      ['It is “late”.\n\nStill Ann.', undefined],
    ],
  )
  const third = withTake(second.text, second, 3)
  assert.match(third.text, /\[take 3\]The quay/)
  assert.equal(withTake(third.text, third, 1).text, TEXT)
  assert.equal(alone(TEXT, sentence!, { speaker: 'Ann', take: 2 }).trim(), '[voice:Ann] [take 2]The quay.')
})

test('no change of a paragraph loses other words, for any text', () => {
  const part = fc.constantFrom(
    'One. ',
    'Two? ',
    '[voice:Ann] ',
    '[voice:] ',
    '[pause 1s]',
    '[take 2]',
    '[/take]',
    '[[a|b]]',
    '\n',
    '\n\n',
    '# T\n',
    '## H\n',
    '- ',
    '> ',
    '12. ',
    '* * *',
    'x | ',
    '\\[x ',
    '[slow]',
    '[',
    ']',
  )
  const spoken = (text: string) =>
    parseScript(text)
      .flatMap(({ spans }) => spans.map((span) => span.text))
      .join('')
      .replaceAll(/\s/g, '')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 25 }), fc.nat(), (parts, at) => {
      const text = parts.join('')
      const paragraphs = paragraphsOf(text)
      for (const { from, to, words } of paragraphs) assert.ok(from <= words && words <= to && to <= text.length)
      if (paragraphs.length === 0) return
      const index = at % paragraphs.length
      const one = paragraphs[index]!
      assert.equal(spoken(withSpeaker(text, paragraphs, index, 'Bo')), spoken(text))
      assert.equal(withWords(text, one, text.slice(one.from, one.to)).replaceAll(/\s/g, ''), text.replaceAll(/\s/g, ''))
      const wanted = speakersOf(text).with(index, 'Bo')
      if (!one.isBreak && !one.pieces.some(({ kind }) => kind === 'voice'))
        assert.deepEqual(speakersOf(withSpeaker(text, paragraphs, index, 'Bo')), wanted)
    }),
  )
})
