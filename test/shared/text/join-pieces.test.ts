import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinPieces } from '#shared/text/join-pieces.ts'

test('one blank joins pieces, and none where Chinese or Japanese writing touches', () => {
  for (const [pieces, joined] of [
    [['Hello.', ' World.'], 'Hello. World.'],
    [['你好。', '再见。'], '你好。再见。'],
    [['今日は', 'ラーメン'], '今日はラーメン'],
    [['コーヒー', 'か紅茶'], 'コーヒーか紅茶'],
    [['안녕', '하세요'], '안녕 하세요'],
    [['好', 'OK', 'fine'], '好OK fine'],
    [['𠮷野', '家'], '𠮷野家'],
    [['a', '𠮷'], 'a𠮷'],
    [['他说：“𠮷。”', '“再见……”', '“好。”'], '他说：“𠮷。”“再见……”“好。”'],
    [['“Yes.”', '“No…”', '“Why?”'], '“Yes.” “No…” “Why?”'],
    [['', ' one ', '  ', 'two'], 'one two'],
    [[], ''],
  ] as const)
    assert.equal(joinPieces(pieces), joined)
})

test('many pieces take linear time', () => {
  assert.equal(joinPieces(Array<string>(200_000).fill('a')).length, 399_999)
})
