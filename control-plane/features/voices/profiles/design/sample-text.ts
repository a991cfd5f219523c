// Sample texts of designed voices: about ten seconds with most sounds of the language. Pure. A changed text changes no voice: a sample is
// rendered once and kept.
const TEXTS: Readonly<Record<string, string>> = {
  english:
    'The morning train was late again, so we walked along the river and talked about the weather, the garden and what we would cook for dinner.',
  chinese: '今天早上火车又晚点了，所以我们沿着河边慢慢走，一边聊着天气、花园，还有晚饭想做些什么。',
  spanish:
    'El tren de la mañana llegó tarde otra vez, así que caminamos junto al río y hablamos del tiempo, del jardín y de lo que íbamos a cenar.',
  french:
    'Le train du matin était encore en retard, alors nous avons marché le long de la rivière en parlant du temps, du jardin et du dîner.',
  german:
    'Der Zug am Morgen hatte wieder Verspätung, also gingen wir am Fluss entlang und sprachen über das Wetter, den Garten und das Abendessen.',
  italian:
    'Il treno del mattino era di nuovo in ritardo, così abbiamo camminato lungo il fiume parlando del tempo, del giardino e della cena.',
  portuguese: 'O trem da manhã atrasou outra vez, então caminhamos ao longo do rio e conversamos sobre o tempo, o jardim e o jantar.',
  russian: 'Утренний поезд снова опоздал, поэтому мы пошли вдоль реки и говорили о погоде, о саде и о том, что приготовить на ужин.',
  hindi: 'सुबह की ट्रेन फिर से देर से आई, इसलिए हम नदी के किनारे चले और मौसम, बगीचे और रात के खाने के बारे में बातें करते रहे।',
  japanese: '朝の電車がまた遅れたので、私たちは川に沿って歩きながら、天気や庭のこと、夕食に何を作るかを話しました。',
  korean: '아침 기차가 또 늦어서 우리는 강을 따라 걸으며 날씨와 정원, 그리고 저녁에 무엇을 요리할지 이야기했습니다.',
}
const CODES: Readonly<Record<string, string>> = {
  en: 'english',
  zh: 'chinese',
  es: 'spanish',
  fr: 'french',
  de: 'german',
  it: 'italian',
  pt: 'portuguese',
  ru: 'russian',
  hi: 'hindi',
  ja: 'japanese',
  ko: 'korean',
}
/** The dialects of the vocabulary are Chinese. */
const IDEOGRAPHS = /[\u4e00-\u9fff]/

/** `language`: an English name or a tag. English for a language without a text of its own, and Chinese for a dialect without a language. */
export function sampleText(language: string, instruct: string): string {
  const name = language.trim().toLowerCase()
  const text = TEXTS[CODES[name.split(/[-_]/)[0]!] ?? name]
  if (text !== undefined) return text
  return IDEOGRAPHS.test(instruct) ? TEXTS['chinese']! : TEXTS['english']!
}
