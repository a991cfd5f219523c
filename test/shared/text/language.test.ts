import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectLanguage } from '#shared/text/language.ts'

const by = (kind: string, texts: Readonly<Record<string, string>>) => {
  for (const [code, text] of Object.entries(texts)) assert.deepEqual(detectLanguage(text), { code, by: kind }, text)
}

test('a script names its language', () => {
  by('script', {
    ru: 'Добрый день, меня зовут Анна.',
    uk: 'Добрий день, як ваші справи? Її звати Ганна.',
    sr: 'Добар дан, ја сам из Београда.',
    el: 'Καλημέρα σε όλους.',
    he: 'שלום לכולם',
    ar: 'صباح الخير',
    fa: 'چطور هستید؟',
    hi: 'नमस्ते, आप कैसे हैं?',
    ja: '今日は良い天気ですね。',
    zh: '今天天气很好。',
    ko: '안녕하세요 여러분',
    ta: 'வணக்கம்',
    ka: 'გამარჯობა',
  })
})

test('frequent words name a language in Latin letters', () => {
  by('words', {
    en: 'This is the house that they have built for the people of the town.',
    de: 'Wir haben das Haus nicht gesehen, und ich war auch nicht mit den Leuten im Garten.',
    fr: 'Je ne sais pas si vous avez vu les enfants dans le jardin avec nous.',
    es: 'No sé por qué el perro está en la casa, pero los niños juegan muy bien.',
    it: 'Non so che cosa è successo, ma sono qui con il cane della vicina.',
    pt: 'Eu não sei o que você quer, mas a casa é muito mais bonita com uma janela.',
    nl: 'Ik weet niet wat het is, maar de hond zit ook op een stoel van de buurman.',
    pl: 'Nie wiem, czy to jest dobre, ale ja się nie boję i tak.',
    sv: 'Jag vet inte vad det är, men hunden är på stolen och den har en boll.',
  })
})

test('a text without a clear language has none', () => {
  for (const text of ['', '123 !?', 'Hello.', 'Guten Morgen, liebe Leute.', 'Voice Studio 2.0', 'a la carte', 'Пиво beer and wine at home'])
    assert.equal(detectLanguage(text), null, text)
  assert.equal(detectLanguage('The word привет means hello in the language of the country.')?.code, 'en')
})

test('a long text costs no more than its start', () => {
  assert.deepEqual(detectLanguage('слово '.repeat(300_000)), { code: 'ru', by: 'script' })
})
