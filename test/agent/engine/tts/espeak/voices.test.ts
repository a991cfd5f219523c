import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText } from '#agent/engine/tts/espeak/speech.ts'
import { languagesOf, parseVoices, voiceFor } from '#agent/engine/tts/espeak/voices.ts'

const LISTING = `Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  de              --/M      German             gmw/de               
 5  cmn             --/M      Chinese_(Mandarin,_latin_as_English) sit/cmn              (zh-cmn 5)(zh 5)
 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
 2  en-us           --/M      English_(America)  gmw/en-US            (en 3)
 5  fr-be           --/M      French_(Belgium)   roa/fr-BE            (fr 8)
 5  fr-fr           --/M      French_(France)    roa/fr               (fr 5)
 5  nb              --/M      Norwegian_Bokmål   gmq/nb               (no 5)
 5  pt              --/M      Portuguese_(Portugal) roa/pt               
 5  pt-br           --/M      Portuguese_(Brazil) roa/pt-BR            (pt 6)
 5  yue             --/M      Chinese_(Cantonese) sit/yue              (zh-yue 5)
 5  yue             --/M      Chinese_(Cantonese,_latin_as_Jyutping) sit/yue-Latn-jyutping 
 5  --help          --/M      Evil               x                    
 5  ../../etc       --/M      Evil               x                    
`
const voices = parseVoices(LISTING)

test('the voice list is parsed without ids that look like options or paths', () => {
  assert.deepEqual(
    voices.map(({ id }) => id),
    ['de', 'cmn', 'en-gb', 'en-us', 'fr-be', 'fr-fr', 'nb', 'pt', 'pt-br', 'yue'],
  )
  assert.deepEqual(voices[1], { id: 'cmn', name: 'Chinese (Mandarin, latin as English)', language: 'cmn', defaultFor: ['cmn', 'zh'] })
  assert.deepEqual(parseVoices('bash: espeak-ng: command not found'), [])
  assert.deepEqual(languagesOf(voices), ['cmn', 'de', 'en', 'fr', 'nb', 'no', 'pt', 'yue', 'zh'])
})

test('a language is found by tag, by alias, by name and by the nearest country', () => {
  const found = (language: string) => voiceFor(voices, language)?.id
  assert.equal(found('de'), 'de')
  assert.equal(found('de-AT'), 'de')
  assert.equal(found('German'), 'de')
  assert.equal(found('zh'), 'cmn')
  assert.equal(found('zh_CN'), 'cmn')
  assert.equal(found('no'), 'nb')
  assert.equal(found('pt-BR'), 'pt-br')
  assert.equal(found('pt_PT'), 'pt')
  assert.equal(found('fr'), 'fr-fr')
  assert.equal(found('fr-CA'), 'fr-fr')
  assert.equal(found('en'), 'en-us')
  assert.equal(found('en-GB'), 'en-gb')
  assert.equal(found('english'), 'en-us')
  assert.equal(found('xx'), undefined)
  assert.equal(found('--help'), undefined)
})

test('phoneme codes are broken up and control characters removed', () => {
  assert.equal(plainText('a [[h@l@U]] b'), 'a [ [h@l@U]] b')
  assert.equal(plainText('[[[x'), '[ [ [x')
  assert.equal(plainText('a\u0000b\u001b[31m\nc\u202e'), 'a b [31m\nc ')
})
