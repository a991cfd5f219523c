// Eighteen pieces of speech for the benchmark of the mark: the five voices of Flite, and eSpeak NG in ten languages and several timbres.
import { execFileSync } from 'node:child_process'
import { compileFlite, FLITE_SAMPLE_RATE, findFliteVoice, speakWithFlite } from '#agent/engine/tts/flite/synthesis.ts'
import { fromS16 } from '#shared/audio/pcm.ts'
import { concat } from '#shared/audio/stage.ts'

export type Speech = { readonly name: string; readonly sampleRate: number; readonly samples: Float32Array }

const ENGLISH = [
  'The meeting begins at nine on Monday, and everybody who wants to speak should bring notes. Please call me back when you have time. ' +
    'We never met before that winter. The quick brown fox jumps over the lazy dog, and the rest of us drink tea.',
  'A river runs through the old town, under four bridges and past the mill. In spring the water is high, and children watch the boats. ' +
    'There is no record of its builder; the oldest map already shows it without a roof.',
  'Turn left after the station, cross the market square and take the second street on the right. The house has a green door and no number. ' +
    'If there is no answer, try the workshop behind it, where the light is always on until late in the evening.',
] as const
const TEXTS: Readonly<Record<string, string>> = {
  de: 'Die Sitzung beginnt am Montag um neun, und jeder soll seine Notizen mitbringen. Bitte rufen Sie zurück, sobald Sie Zeit haben. Im Winter davor kannten wir uns noch nicht, und niemand wusste, wer den alten Turm gebaut hatte.',
  'fr-fr':
    'La réunion commence lundi à neuf heures, et chacun doit apporter ses notes. Rappelez-moi quand vous aurez le temps. Nous ne nous connaissions pas avant cet hiver, et personne ne sait qui a construit la vieille tour.',
  es: 'La reunión empieza el lunes a las nueve, y todos deben traer sus notas. Llámeme cuando tenga tiempo, por favor. No nos conocíamos antes de aquel invierno, y nadie sabe quién construyó la vieja torre junto al río.',
  it: 'La riunione comincia lunedì alle nove, e ognuno deve portare i propri appunti. Mi richiami quando ha tempo, per favore. Prima di quell’inverno non ci conoscevamo, e nessuno sa chi abbia costruito la vecchia torre.',
  'pt-br':
    'A reunião começa na segunda-feira às nove, e todos devem trazer as suas notas. Por favor, ligue quando tiver tempo. Não nos conhecíamos antes daquele inverno, e ninguém sabe quem construiu a velha torre.',
  pl: 'Spotkanie zaczyna się w poniedziałek o dziewiątej i każdy powinien przynieść notatki. Proszę oddzwonić, kiedy będzie czas. Przed tamtą zimą nie znaliśmy się, i nikt nie wie, kto zbudował starą wieżę nad rzeką.',
  ru: 'Собрание начинается в понедельник в девять часов, и каждый должен принести свои записи. Перезвоните, пожалуйста, когда будет время. До той зимы мы не были знакомы, и никто не знает, кто построил старую башню.',
  cmn: '会议星期一九点开始，每个人都应该带上自己的笔记。有时间的时候请给我回电话。那个冬天之前我们并不认识，也没有人知道是谁建造了河边的那座旧塔。春天的时候水很高，孩子们在桥上看船。',
  hi: 'बैठक सोमवार को नौ बजे शुरू होती है, और सबको अपने नोट्स लाने चाहिए। समय मिलने पर कृपया मुझे फ़ोन करें। उस सर्दी से पहले हम एक दूसरे को नहीं जानते थे, और कोई नहीं जानता कि पुराना टावर किसने बनाया।',
  tr: 'Toplantı pazartesi günü saat dokuzda başlıyor ve herkes notlarını getirmeli. Vaktiniz olduğunda lütfen beni arayın. O kıştan önce tanışmıyorduk ve eski kuleyi kimin yaptığını kimse bilmiyor. Baharda su yükselir.',
}
const FLITE = ['slt', 'rms', 'awb', 'kal', 'kal16'] as const
const ESPEAK = [
  'en-gb',
  'en-us+f3',
  'en-gb-scotland+m3',
  'de',
  'fr-fr+f2',
  'es+m7',
  'it+f4',
  'pt-br',
  'pl+f1',
  'ru+m1',
  'cmn+f5',
  'hi',
  'tr+klatt',
] as const
const ESPEAK_SAMPLE_RATE = 22_050
const WAV_HEADER_BYTES = 44

/** At least `seconds` of speech per voice. Texts repeat if they are shorter. */
export async function benchSpeech(seconds: number): Promise<Speech[]> {
  const module = await compileFlite()
  const flite = FLITE.map((id, i) => {
    const speak = (text: string) => speakWithFlite(module, findFliteVoice(id)!, text, 1)
    return { name: `flite ${id}`, sampleRate: FLITE_SAMPLE_RATE, samples: longEnough(ENGLISH, i, seconds * FLITE_SAMPLE_RATE, speak) }
  })
  const espeak = ESPEAK.map((id, i) => {
    const own = TEXTS[id.split('+')[0]!]
    const speak = (text: string) =>
      fromS16(
        execFileSync('espeak-ng', ['--stdin', '--stdout', '-z', '-b', '1', '-a', '80', '-v', id], {
          input: text,
          maxBuffer: 2 ** 24,
        }).subarray(WAV_HEADER_BYTES),
      )
    const samples = longEnough(own ? [own] : ENGLISH, i, seconds * ESPEAK_SAMPLE_RATE, speak)
    return { name: `espeak ${id}`, sampleRate: ESPEAK_SAMPLE_RATE, samples }
  })
  return [...flite, ...espeak]
}

/** Texts from number `first` on, spoken until there are `length` samples. */
function longEnough(texts: readonly string[], first: number, length: number, speak: (text: string) => Float32Array): Float32Array {
  const parts: Float32Array[] = []
  for (let i = first, total = 0; total < length; total += parts.at(-1)!.length, i++) parts.push(speak(texts[i % texts.length]!))
  return concat(parts)
}
